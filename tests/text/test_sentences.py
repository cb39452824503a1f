"""Sentences: where they end in old print, and where an abbreviation asks for more."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extract.language.sentences import boundaries, clause_ends, ends_paragraph, ends_sentence, sentence
from extract.model import Span


def split(text: str) -> list[str]:
    found, at = [], 0
    for gap in boundaries(text):
        found.append(text[at : gap.start])
        at = gap.end
    return [*found, text[at:]]


@pytest.mark.parametrize(
    "sentences",
    [
        ["He revoked.", "The deal stands.", "Who leads?"],
        ["“Is it so?”", "“It is!”", "Y. leads."],
        ['He said "No."', "Then he dealt."],
        ["The game is lost.' ", "His partner knew."],
        ["No.", "Law 5 bars it."],
        ["The deal, viz. Law 3, stands.", "See Art. V. and Mr. Pole’s work, i. e. Chap. II."],
        ["It is lost (see Law 7.)", "The dealer pays."],
        ["It is lost. (See Law 7.)", "The dealer pays."],
        ["He plays a card, &c. and leads. . . then stops.", "A new deal."],
        ["The Mr.Dr.x.", "So it is."],
    ],
)
def test_a_text_is_cut_where_its_sentences_end(sentences: list[str]) -> None:
    trimmed = [s.strip() for s in sentences]
    assert split(" ".join(trimmed)) == trimmed


@pytest.mark.parametrize(
    "text", ["the 2. and 3. of them", "i.e. The dealer", "e.g. Law 3", "e. g. Law 3", "q. v. The", "Vol. II.", "3.B"]
)
def test_what_is_no_boundary(text: str) -> None:
    assert split(text) == [text]


def test_specks_between_two_sentences_belong_to_neither() -> None:
    assert split("It is lost. • . The dealer pays.") == ["It is lost.", "The dealer pays."]


def test_a_word_that_ends_like_an_abbreviation_is_none() -> None:
    assert split("It is a part. The dealer") == ["It is a part.", "The dealer"]
    assert split("He hit on Smart. The dealer") == ["He hit on Smart.", "The dealer"]


def test_only_a_stretch_is_looked_through() -> None:
    text = "One. Two. Three. Four."
    assert list(boundaries(text, 5, 12)) == [Span(9, 10)]


def test_the_sentence_of_a_place_and_of_one_across_a_boundary() -> None:
    text = "One is. Two are. Three."
    assert sentence(text, Span(9, 10)) == Span(8, 17)
    assert sentence(text, Span(5, 10)) == Span(0, 17)
    assert sentence(text, Span(0, 0)) == Span(0, 8)
    assert sentence(text, Span(17, 18)) == Span(17, len(text))


@pytest.mark.parametrize(
    ("text", "sentence_ends", "paragraph_ends"),
    [
        ("so it is.", True, True), ('"so it is!") ', True, True), ("as follows:", False, True),
        ("and (so)", False, True),
        ("the deal —", False, True), ("the deal,", False, False), ("by Mr.", False, True), ("the", False, False),
    ],
)  # fmt: skip
def test_what_a_text_may_end(text: str, sentence_ends: bool, paragraph_ends: bool) -> None:
    assert (ends_sentence(text), ends_paragraph(text)) == (sentence_ends, paragraph_ends)


def clauses(text: str) -> list[str]:
    """The clauses of a text, without the stops between them."""
    gaps = list(clause_ends(text))
    starts, ends = [0, *(gap.end for gap in gaps)], [*(gap.start for gap in gaps), len(text)]
    return [text[a:b].strip() for a, b in zip(starts, ends, strict=True) if text[a:b].strip()]


def test_clauses_lie_between_stops() -> None:
    assert clauses("He may, if he wish, deal; he must not: why? So.") == [
        "He may, if he wish, deal", "he must not", "why", "So",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "told",
    [
        ["Honors, i.e., ace, king", "so"],
        ["It stands, i. e. the trick is turned", "and e. g. two"],
        ["as q. v. has it", "It is by A. W. Drayson, p. m. of the day"],
        ["viz. three", "won by A", "The dealer"],
        ["&c., the rest, 3.5 of it", "no more"],
    ],
)
def test_no_stop_of_an_abbreviation_ends_a_clause(told: list[str]) -> None:
    assert clauses(". ".join(told)) == told
    assert clauses("; ".join(told) + ".") == told


@given(st.text(st.sampled_from("aB.?! \n\"'”)(•viz"), max_size=40))
def test_gaps_are_in_order_and_hold_no_letter(text: str) -> None:
    at = 0
    for gap in boundaries(text):
        assert at < gap.start < gap.end < len(text)
        assert not any(map(str.isalnum, text[gap.start : gap.end]))
        at = gap.end
