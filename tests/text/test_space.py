"""White space, paragraphs and French spacing, and where sentences and clauses end."""

from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extract.language.sentences import boundaries, clause_ends, ends_paragraph, ends_sentence, sentence
from extract.model import Span
from extract.text.spacing import separators, spaced
from extract.text.stream import read_stream


def read(scan: str) -> str:
    """The tokens of a scan with their separators; a paragraph begins after each empty line."""
    stream = read_stream(scan, ())
    between = separators(stream, {gap.end for gap in stream.gaps if gap.breaks > 1})
    return "".join(s + t.text for s, t in zip(between, stream.tokens, strict=False)) + between[-1]


@pytest.mark.parametrize(
    ("scan", "expected"),
    [
        ("the  deal \nis  lost", "the deal is lost"),
        ("  out of  turn \n", "out of turn"),
        ("the game ;  and , when found ,", "the game; and, when found,"),
        ("is it so  ?  Yes  !", "is it so? Yes!"),
        ("( see Article 4 )", "(see Article 4)"),
        ("Decision. — Y's contention", "Decision.—Y's contention"),
        ('he said, "  Name  it  "  and', 'he said, "Name it" and'),
        ('"  Now, "  said  A  to  Y, "  lead a heart. "', '"Now," said A to Y, "lead a heart."'),
        ("First game lost . . 3 points", "First game lost . . 3 points"),
        ('"Is  it  so  ?  "  Then  Y  led', '"Is it so?" Then Y led'),
        ('A  asks  :  "  Is  it  so  ?"  Y  :  "  Yes."', 'A asks: "Is it so?" Y: "Yes."'),
        (
            '"Too  late,"  says  Z,  "the  trick  is  quitted.  "\n\nDecision.',
            '"Too late," says Z, "the trick is quitted."\n\nDecision.',
        ),
        ("is lost.\n\nArticle 3.", "is lost.\n\nArticle 3."),
    ],
)
def test_normalises_blanks(scan: str, expected: str) -> None:
    assert read(scan) == expected


@pytest.mark.parametrize(
    ("words", "read"),
    [
        ("more  than  four.", "more than four."),
        ("Ar- \nticle he", "Article he"),
        ("1864-\n65", "1864-65"),
        ("Queen  of \nHearts", "Queen of Hearts"),
        ("game  ;", "game ;"),
        ("  nott \n", " nott "),
        ("nott", "nott"),
        (" \n", " "),
        ("", ""),
    ],
)
def test_spaced_changes_only_white_space_and_line_end_hyphens(words: str, read: str) -> None:
    assert spaced(words) == read


def pieces(text: str, gaps: Iterable[Span]) -> list[str]:
    """The text between the gaps."""
    borders = [0, *(at for gap in gaps for at in (gap.start, gap.end)), len(text)]
    return [text[a:b].strip() for a, b in zip(borders[::2], borders[1::2], strict=True) if text[a:b].strip()]


@pytest.mark.parametrize(
    ("between", "sentences"),
    [
        *((" ", sentences) for sentences in (
            ["He revoked.", "The deal stands.", "Who leads?"],
            ["“Is it so?”", "“It is!”", "Y. leads."],
            ['He said "No."', "Then he dealt."],
            ["The game is lost.'", "His partner knew."],
            ["No.", "Law 5 bars it."],
            ["The deal, viz. Law 3, stands.", "See Art. V. and Mr. Pole’s work, i. e. Chap. II."],
            ["It is lost (see Law 7.)", "The dealer pays."],
            ["It is lost. (See Law 7.)", "The dealer pays."],
            ["He plays a card, &c. and leads. . . then stops.", "A new deal."],
            ["The Mr.Dr.x.", "So it is."],
            ["It is a part.", "The dealer"],
            ["He hit on Smart.", "The dealer"],
        )),
        (" • . ", ["It is lost.", "The dealer pays."]),
        *(("", [text]) for text in (
            "the 2. and 3. of them", "i.e. The dealer", "e.g. Law 3", "e. g. Law 3", "q. v. The", "Vol. II.", "3.B")),
    ],
)  # fmt: skip
def test_splits_a_text_into_sentences(between: str, sentences: list[str]) -> None:
    text = between.join(sentences)
    assert pieces(text, boundaries(text)) == sentences


def test_boundaries_are_found_within_a_span_only() -> None:
    assert list(boundaries("One. Two. Three. Four.", 5, 12)) == [Span(9, 10)]


@pytest.mark.parametrize(
    ("place", "found"), [((9, 10), (8, 17)), ((5, 10), (0, 17)), ((0, 0), (0, 8)), ((17, 18), (17, 23))]
)
def test_sentence_of_a_span_within_and_across_boundaries(place: tuple[int, int], found: tuple[int, int]) -> None:
    assert sentence("One is. Two are. Three.", Span(*place)) == Span(*found)


@pytest.mark.parametrize(
    ("text", "sentence_ends", "paragraph_ends"),
    [
        ("so it is.", True, True), ('"so it is!") ', True, True), ("as follows:", False, True),
        ("and (so)", False, True), ("as in _Bridge._", False, True),
        ("the deal —", False, True), ("the deal,", False, False),
        ("the deal, i. e.,", False, False), ("by Mr.", False, True), ("the", False, False),
    ],
)  # fmt: skip
def test_recognises_ends_of_sentences_and_paragraphs(text: str, sentence_ends: bool, paragraph_ends: bool) -> None:
    assert (ends_sentence(text), ends_paragraph(text)) == (sentence_ends, paragraph_ends)


@pytest.mark.parametrize(
    "clauses",
    [
        ["He may, if he wish, deal", "he must not", "why", "So"],
        ["Honors, i.e., ace, king", "so"],
        ["It stands, i. e. the trick is turned", "and e. g. two"],
        ["as q. v. has it", "It is by A. W. Drayson, p. m. of the day"],
        ["viz. three", "won by A", "The dealer"],
        ["&c., the rest, 3.5 of it", "no more"],
    ],
)
@pytest.mark.parametrize("stop", [". ", "; ", ": "])
def test_clauses_end_at_stops_but_not_in_abbreviations(clauses: list[str], stop: str) -> None:
    text = stop.join(clauses) + "."
    assert pieces(text, clause_ends(text)) == clauses


@given(st.text(st.sampled_from("aB.?! \n\"'”)(•viz"), max_size=40))
def test_gaps_between_sentences_are_ordered_and_contain_no_letters(text: str) -> None:
    at = 0
    for gap in boundaries(text):
        assert at < gap.start < gap.end < len(text)
        assert not any(map(str.isalnum, text[gap.start : gap.end]))
        at = gap.end
