"""Short titles of provisions and cases: what each chiefly rules, for headings, lists and search engines."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from extract.corpus.table import Line, Table, UnitId, matching

FILE = "titles.toml"
LONGEST = 6  # words

Title = Annotated[Line, matching(rf"\S+(?: \S+){{0,{LONGEST - 1}}}", f"is longer than {LONGEST} words; shorten it")]


class TitleFile(Table):
    """A titles.toml: the titles by the id of their unit."""

    titles: dict[UnitId, Title] = Field(default_factory=dict)
