"""Misread signs: a table of regular expressions, and the habits of one scan, which its book.toml declares likewise."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from extract.clean.running import RunningText
from extract.model import EditKind

_CHANGE = re.compile(r"«(.*?)\|(.*?)»", re.DOTALL)


@dataclass(frozen=True, slots=True)
class SignRule:
    """What is read for what is printed.

    Attributes:
        read: a regular expression over the running text: words parted by a blank, a line end or an empty line.
        printed: what stands there in print; groups of the expression as `\\1`.
        reason: why.
        kind: `ocr` for a misread sign, `space` for one that only fills a line.
        example: a text with the change: `in case «O|o»f need`.
    """

    read: re.Pattern[str]
    printed: str
    reason: str
    kind: EditKind = "ocr"
    example: str = ""

    @property
    def before(self) -> str:
        """The example as it is read."""
        return _CHANGE.sub(r"\1", self.example)

    @property
    def after(self) -> str:
        """The example as it is printed."""
        return _CHANGE.sub(r"\2", self.example)


@cache
def sign_rules() -> tuple[SignRule, ...]:
    """The rules of data/signs.tsv, in order."""
    text = (files("extract") / "data" / "signs.tsv").read_text(encoding="utf-8")
    rows = (line.split("\t") for line in text.splitlines() if line and not line.startswith("#"))
    return tuple(
        SignRule(re.compile(read), printed, reason, "space" if kind == "space" else "ocr", example)
        for read, printed, reason, kind, example in rows
    )


def correct_signs(text: RunningText, rules: Iterable[SignRule]) -> RunningText:
    """Apply rules to a running text, one after the other."""
    for rule in rules:
        text = text.replaced(rule.read, rule.printed, rule.reason, rule.kind)
    return text
