"""Drafts: rows of linked provisions; cells that quote, and are read into the vocabulary; nothing that nobody read."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extract.errors import BookError
from extract.model import Unit
from kb.alignment.links import LinkRow
from kb.concepts.outcomes import Outcomes, read_outcomes
from kb.concepts.tagging import Concept, TaggedText, Tagger, Topic, read_thesaurus, tag_units
from kb.drafts.drafts import Drafts, summary
from kb.drafts.families import DraftGround, draft_ground, families
from kb.drafts.pieces import BookPieces, DraftPiece
from kb.drafts.reading import Reader, require_terms_known
from kb.editorial.vocabulary import AnswerVocabulary, Effect, Moment, read_vocabulary

CORPUS = Path(__file__).parents[2] / "corpus"
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
def thesaurus() -> tuple[Concept, ...]:
    return read_thesaurus(CORPUS / "thesaurus.toml")


@pytest.fixture(scope="module")
def tagger(thesaurus: tuple[Concept, ...]) -> Tagger:
    return Tagger(thesaurus)


@pytest.fixture(scope="module")
def outcomes() -> Outcomes:
    return read_outcomes(CORPUS / "library.toml")


@pytest.fixture(scope="module")
def reader(outcomes: Outcomes) -> Reader:
    return Reader(read_vocabulary(CORPUS / "vocabulary.toml"), outcomes)


def code(name: str, laws: Mapping[str, str]) -> list[Unit]:
    """The laws of a code, each at its own stretch of a scan, those with paragraphs followed by them."""
    units: list[Unit] = []
    for seq, (slug, text) in enumerate(laws.items()):
        start, number = seq * 1000, slug.rpartition("-")[2]
        law = f"{name}/{slug}"
        units.append(
            Unit(
                law,
                name,
                name,
                "law",
                f"Law {number}",
                number,
                None,
                "",
                len(units),
                start,
                start + len(text),
                None,
                text,
            )
        )
        for part in text.split("\n\n")[1:]:
            roman = part.partition(".")[0].lower()
            at = start + text.index(part)
            label = f"Law {number} ({roman.upper()})"
            units.append(
                Unit(
                    f"{law}/{roman}",
                    name,
                    name,
                    "subclause",
                    label,
                    roman,
                    law,
                    "",
                    len(units),
                    at,
                    at + len(part),
                    None,
                    part,
                )
            )
    return units


def link(a: str, b: str, score: float, status: str = "proposed") -> LinkRow:
    return LinkRow(a, b, "differs", None, score, status, "machine", "")


def shift(unit: Unit) -> TaggedText:
    """The text of a unit that lies in its scan as it reads."""
    return TaggedText(
        unit.id, unit.text, lambda span: type(span)(span.start + unit.raw_start, span.end + unit.raw_start)
    )


Tables = dict[str, list[dict[str, Any]]]


def book(units: list[Unit], tagger: Tagger, *, tagged: bool = True) -> BookPieces:
    texts = {unit.id: shift(unit) for unit in units}
    return BookPieces(units, texts, tag_units(texts.values(), tagger) if tagged else ())


@pytest.fixture(scope="module")
def pieces(tagger: Tagger) -> list[DraftPiece]:
    return [piece for units in (code("old", OLD), code("new", NEW)) for piece in book(units, tagger).read(tagger)]


@pytest.fixture(scope="module")
def units() -> dict[str, Unit]:
    return {unit.id: unit for unit in code("old", OLD) + code("new", NEW)}


@pytest.fixture(scope="module")
def ground(pieces: list[DraftPiece], units: dict[str, Unit], thesaurus: tuple[Concept, ...]) -> DraftGround:
    return draft_ground(units, pieces, [link(*x) for x in LINKS], ["old", "new"], thesaurus)


@pytest.fixture(scope="module")
def drafted(ground: DraftGround, pieces: list[DraftPiece], reader: Reader) -> Tables:
    sentences = {piece.unit_id: piece.sentences for piece in pieces}
    drafts = Drafts(ground, sentences.__getitem__, reader, {"old": "Old laws", "new": "New laws"})
    return dict(drafts.rows([TOPIC]))


def rows(ground: DraftGround, topic: Topic = TOPIC) -> list[dict[str, list[str]]]:
    return [{code: [piece.id for piece in pieces] for code, pieces in row.items()} for row in families(ground, topic)]


def cells(drafted: Tables, label: str) -> dict[str, dict[str, Any]]:
    (facet,) = (f["id"] for f in drafted["facet"] if f["label"] == label)
    return {cell["code_id"]: cell for cell in drafted["cell"] if cell["facet_id"] == facet}


# The rows.


def test_linked_provisions_stand_in_one_row_and_others_in_their_own(ground: DraftGround) -> None:
    assert rows(ground) == [
        {"old": ["old/law-1"], "new": ["new/law-3/i"]},
        {"old": ["old/law-2"], "new": ["new/law-2"]},
        {"old": ["old/law-3"]},
        {"old": ["old/law-5"]},
        {"new": ["new/law-3/ii"]},
    ]


def test_the_code_with_most_provisions_gives_the_order(ground: DraftGround) -> None:
    other = replace(ground, codes=["new", "old"])
    firsts = [row.get("old", [""])[0] for row in rows(other)]
    assert firsts == ["old/law-1", "old/law-2", "old/law-3", "old/law-5", ""]


def test_a_rejected_link_joins_nothing(ground: DraftGround) -> None:
    links = [link(*x, status="rejected") for x in LINKS]
    assert all(len(row) == 1 for row in rows(replace(ground, links=links)))


def test_a_link_of_a_whole_law_joins_the_paragraph_that_shares_most(ground: DraftGround) -> None:
    assert set(ground.joined["old/law-1"]) == {"new/law-3/i"}


def test_a_paragraph_speaks_of_what_introduces_it_and_not_of_what_stands_in_another(ground: DraftGround) -> None:
    assert "revoke-penalty" in ground.spoken["new/law-3/ii"]
    assert "several-revokes" in ground.spoken["new/law-3/i"] - ground.spoken["new/law-3/ii"]


def test_what_a_law_rules_before_its_paragraphs_is_a_piece_of_its_own(tagger: Tagger) -> None:
    text = (
        "1. A revoke costs three tricks. The following are revokes:\n\nI. Not following suit.\n\nII. Disobeying a call."
    )
    alone = book(code("own", {"law-1": text}), tagger)
    found = {piece.unit_id: piece.spoken for piece in alone.read(tagger)}
    assert list(found) == ["own/law-1", "own/law-1/i", "own/law-1/ii"]
    assert "follow-suit" not in found["own/law-1"]
    assert "revoke" in found["own/law-1/ii"]
    ruled, introduces = alone.opening["own/law-1"]
    assert text[introduces.start : introduces.end].strip() == "The following are revokes:"
    assert text[ruled.start : ruled.end].strip() == "A revoke costs three tricks."


@pytest.mark.parametrize("lead", ["1. ", "1. • ", "1. The penalty for a revoke: "])
def test_a_law_that_only_introduces_its_paragraphs_is_no_piece(tagger: Tagger, lead: str) -> None:
    units = code("own", {"law-1": f"{lead}\n\nI. Is three tricks.\n\nII. Is three points."})
    found = book(units, tagger, tagged=False).read(tagger)
    assert [piece.unit_id for piece in found] == ["own/law-1/i", "own/law-1/ii"]


def test_what_names_a_topic_once_in_passing_is_not_about_it(ground: DraftGround) -> None:
    every = {i for row in rows(ground) for ids in row.values() for i in ids}
    assert not every & {"old/law-4", "new/law-1"}


def test_what_stands_under_the_heading_of_a_topic_is_about_it(ground: DraftGround) -> None:
    dealing = Topic(id="x", label="Of dealing", note="", concepts=("bets",))
    headed = {"new/law-1": replace(ground.pieces["new/law-1"], heading="DEALING.")}
    assert rows(replace(ground, pieces={**ground.pieces, **headed}), dealing) == [{"new": ["new/law-1"]}]


# The tables.


def test_a_row_is_named_by_the_most_specific_concept_that_it_shares(drafted: Tables) -> None:
    assert [f["label"] for f in drafted["facet"]][:2] == ["Penalty for a revoke", "Claiming a revoke"]
    assert drafted["facet"][1]["id"] == "revoke/revoke-claimed"
    assert {f["verdict"] for f in drafted["facet"]} == {""}


def test_no_two_rows_have_one_name_or_one_id(drafted: Tables) -> None:
    for key in ("label", "id", "seq"):
        found = [f[key] for f in drafted["facet"]]
        assert len(set(found)) == len(found)


def test_a_cell_quotes_the_sentence_that_speaks_of_what_the_row_shares(drafted: Tables) -> None:
    told = cells(drafted, "Claiming a revoke")
    assert told["old"]["summary"] == "No revoke can be claimed after the cut for the next deal"
    assert json.loads(told["old"]["cites"]) == ["old/law-2"]
    assert {cell["source"] for cell in drafted["cell"]} == {"machine"}


def test_a_paragraph_is_read_with_the_words_that_introduce_it(drafted: Tables) -> None:
    told = cells(drafted, "Penalty for a revoke")
    assert told["new"]["summary"] == "The penalty for a revoke is two tricks for each revoke"
    assert json.loads(told["new"]["value"]) == {"amount": ["2 tricks"]}


def test_a_code_without_a_provision_in_a_row_has_no_cell(drafted: Tables, ground: DraftGround) -> None:
    told = {(cell["facet_id"], cell["code_id"]) for cell in drafted["cell"]}
    assert len(told) == sum(len(row) for row in rows(ground)) < 2 * len(drafted["facet"])
    assert all(json.loads(cell["cites"]) for cell in drafted["cell"])


def test_the_quoted_words_are_found_at_their_place(drafted: Tables, units: dict[str, Unit]) -> None:
    assert {(d["facet_id"], d["code_id"]) for d in drafted["deciding"]} == {
        (c["facet_id"], c["code_id"]) for c in drafted["cell"]
    }
    for row in drafted["deciding"]:
        unit = units[row["unit_id"]]
        text = unit.text[row["raw_start"] - unit.raw_start : row["raw_end"] - unit.raw_start]
        assert row["words"] == " ".join(text.split()) and row["words"]


@given(lead=st.text("ab :,", max_size=30), sentence=st.text("abc .;,(", min_size=1, max_size=200))
def test_a_summary_is_a_beginning_of_at_most_fifteen_words(lead: str, sentence: str) -> None:
    said = summary(" ".join(lead.split()), " ".join(sentence.split()))
    assert len(said.split()) <= 15
    assert ("…" in said) <= (len((lead + " " + sentence).split()) > 15)


def test_a_summary_leaves_references_and_loose_ends_out() -> None:
    assert summary("", "By adding three points to their score; or") == "By adding three points to their score"
    assert summary("", "The revoke is proved.—(See Article 117.)") == "The revoke is proved"


# The reading of a rule.


def read(reader: Reader, tagger: Tagger, text: str) -> dict[str, Any]:
    value = reader.read(text, tagger.find(text))
    return value.said() if value else {}


@pytest.mark.parametrize(
    ("text", "mode"),
    [
        ("If he revoke, the adversaries may take three tricks.", "may"),
        ("The pack must neither be shuffled nor cut.", "must-not"),
        ("Should a player revoke, he shall pay.", "must"),
        ("No player can claim it.", "must-not"),
        ("Under no circumstances can a player win.", "must-not"),
        ("When he may play, the trick is his.", None),
        ("The dealer is not entitled to look.", "must-not"),
        ("Each player has a right to shuffle.", "may"),
    ],
)
def test_the_mode_is_that_of_the_main_clause(reader: Reader, tagger: Tagger, text: str, mode: str | None) -> None:
    assert read(reader, tagger, text).get("mode") == mode


@pytest.mark.parametrize(
    ("text", "effects"),
    [
        ("If a card be faced, there must be a new deal.", ["new-deal"]),
        ("If there be a new deal, the score stands.", []),
        ("There is no new deal.", []),
        ("He loses his deal, and the adversaries may call a suit.", ["deal-lost", "suit-callable"]),
        ("If he is called upon to play his highest, or to lead a suit, he must obey.", []),
    ],
)
def test_effects_are_what_is_ordered_and_not_what_is_supposed(
    reader: Reader, tagger: Tagger, text: str, effects: Sequence[str]
) -> None:
    assert read(reader, tagger, text).get("effect", []) == list(effects)


def test_amounts_and_limits_of_time_are_read_in_terms_of_the_vocabulary(reader: Reader, tagger: Tagger) -> None:
    text = "He may take three tricks until the end of the hand."
    assert read(reader, tagger, text) == {"mode": "may", "amount": ["3 tricks"], "until": ["end-of-hand"]}
    assert "amount" not in read(reader, tagger, "He may not show more than one card.")
    assert "until" not in read(reader, tagger, "If he speak before the end of the hand, he must pay.")


def test_what_the_vocabulary_has_no_term_for_is_not_said(outcomes: Outcomes, tagger: Tagger) -> None:
    assert (
        read(Reader(AnswerVocabulary(), outcomes), tagger, "There must be a new deal, and he may take three tricks.")
        == {}
    )


def test_a_number_within_a_compound_is_no_amount(outcomes: Outcomes) -> None:
    assert outcomes.amounts("The fifty-two cards are dealt, two cards at once.") == {"2 cards"}
    assert outcomes.amounts("The fifty-two cards are dealt.") == frozenset()


@pytest.mark.parametrize(
    ("vocabulary", "told"),
    [
        (AnswerVocabulary(effect=(Effect(term="x", note="y", concept="nothing"),)), "no concept 'nothing'"),
        (AnswerVocabulary(moment=(Moment(term="x", note="y", moment="never"),)), "no moment 'never'"),
    ],
)
def test_a_term_known_by_nothing_is_told(vocabulary: AnswerVocabulary, told: str, outcomes: Outcomes) -> None:
    with pytest.raises(BookError, match=told):
        require_terms_known(vocabulary, ["revoke"], outcomes)
