"""Drafts: rows of linked provisions, cells that quote, and nothing that nobody read."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from extract.model import Unit
from kb.alignment.links import LinkRow
from kb.concepts.tagging import Concept, TaggedText, Tagger, Topic, read_thesaurus, tag_units
from kb.editorial.drafts import drafts

OLD = {
    "law-1": "1. The side which has made a revoke loses three points for each revoke.",
    "law-2": "2. The cards are given out. No revoke can be claimed after the cut for the next deal.",
    "law-3": "3. A revoke, like any revoke, may be corrected in time.",
    "law-4": "4. Each player may shuffle the cards.",
    "law-5": "5. A revoke is proved by the trick of the revoke.",
}
NEW = {
    "law-1": "1. There must be a new deal if any card is faced in the pack.",
    "law-2": "2. A revoke: if he revoke, the revoke cannot be claimed after the pack has been cut.",
    "law-3": "3. The penalty for a revoke:\n\nI. Is two tricks for each revoke;\n\nII. Cannot be divided by the side.",
}
LINKS = [("old/law-1", "new/law-3", 0.9), ("old/law-2", "new/law-2", 0.8)]
TOPIC = Topic(id="revoke", label="The revoke", note="", concepts=("revoke", "revoke-penalty", "revoke-claimed"))


@pytest.fixture(scope="module")
def thesaurus(corpus: Path) -> tuple[Concept, ...]:
    return read_thesaurus(corpus / "thesaurus.toml")


def code(name: str, laws: Mapping[str, str]) -> Iterator[Unit]:
    """The laws of a code, each at its own stretch of a scan, those with paragraphs followed by them."""
    for seq, (slug, text) in enumerate(laws.items()):
        start, number, law = seq * 1000, slug[-1], f"{name}/{slug}"
        yield Unit(
            law, name, name, "law", f"Law {number}", number, None, "", seq * 10, start, start + len(text), None, text
        )  # fmt: skip
        for n, part in enumerate(text.split("\n\n")[1:], 1):
            roman, at = "i" * n, start + text.index(part)
            yield Unit(f"{law}/{roman}", name, name, "subclause", f"Law {number} ({roman.upper()})", roman, law, "",
                       seq * 10 + n, at, at + len(part), None, part)  # fmt: skip


Tables = dict[str, list[dict[str, Any]]]
UNITS = [*code("old", OLD), *code("new", NEW)]


def drafted(
    thesaurus: Sequence[Concept], topic: Topic = TOPIC, units: Sequence[Unit] = UNITS, status: str = "proposed"
) -> Tables:
    texts = [TaggedText(unit.id, unit.text, lambda span: span) for unit in units]
    found: Tables = {}
    links = [LinkRow(a, b, "differs", None, score, status, "machine", "") for a, b, score in LINKS]
    codes = {"old": "Old laws", "new": "New laws"}
    for table, row in drafts([topic], units, tag_units(texts, Tagger(thesaurus)), links, thesaurus, codes):
        found.setdefault(table, []).append(row)
    return found


def rows(tables: Tables) -> list[list[str]]:
    """The provisions of each row."""
    return [
        [i for cell in tables["cell"] if cell["facet_id"] == facet["id"] for i in json.loads(cell["cites"])]
        for facet in tables["facet"]
    ]


def test_linked_provisions_and_paragraphs_stand_in_one_row_and_others_in_their_own(
    thesaurus: tuple[Concept, ...],
) -> None:
    """What names a topic once in passing is not about it."""
    assert rows(drafted(thesaurus)) == [
        ["old/law-1", "new/law-3/i"], ["old/law-2", "new/law-2"], ["old/law-3"], ["old/law-5"], ["new/law-3/ii"],
    ]  # fmt: skip
    assert all(len(row) == 1 for row in rows(drafted(thesaurus, status="rejected")))


def test_what_stands_under_the_heading_of_a_topic_is_about_it(thesaurus: tuple[Concept, ...]) -> None:
    dealing = Topic(id="x", label="Of dealing", note="", concepts=("bets",))
    headed = [replace(unit, heading="DEALING.") if unit.id == "new/law-1" else unit for unit in UNITS]
    assert rows(drafted(thesaurus, dealing, headed)) == [["new/law-1"]]


def test_a_cell_quotes_the_beginning_of_its_provision_and_a_row_is_named_by_the_rarest_concept_that_it_shares(
    thesaurus: tuple[Concept, ...],
) -> None:
    tables = drafted(thesaurus)
    assert tables.keys() == {"facet", "facet_topic", "cell", "deciding"}
    first, other = tables["cell"][:2]
    assert first["summary"] == "The side which has made a revoke loses three points for each revoke"
    assert (other["summary"], other["source"], other["rule"]) == ("Is two tricks for each revoke", "machine", None)
    texts = {unit.id: unit.text for unit in UNITS}
    for row in tables["deciding"]:
        assert row["words"] == " ".join(texts[row["unit_id"]][row["span"].start : row["span"].end].split())
    labels = [facet["label"] for facet in tables["facet"]]
    assert labels[1] == "Claiming a revoke (Old laws, Law 2)" and len(set(labels)) == len(labels)
    assert {facet["verdict"] for facet in tables["facet"]} == {""}
