"""Labels of numbered units: where one may stand, and what a series of them says."""

from __future__ import annotations

import pytest

from extract.model import Page
from extract.segment.label import series_marks
from extract.segment.outline import WorkingText, working_text
from extract.text.source import Layout


def working(scan: str, layout: Layout = "lines") -> WorkingText:
    return working_text(scan, (), (Page(0, 0, len(scan), "1", "printed"),), layout)


def numbers(scan: str, label: str, layout: Layout = "lines", **how: bool) -> list[int]:
    work = working(scan, layout)
    return [m.number for m in series_marks(work, 0, len(work.text), label, 400, **how)]


def laws(labels: list[str]) -> str:
    return "".join(f"{label} The player who has the lead \nmay not look at the last trick. \n\n" for label in labels)


@pytest.mark.parametrize(
    "labels",
    [
        ["1.", "2.", "3.", "4.", "5."],
        ["i.", "2.", "3.", "4.", "5."],
        ["1.", "2.", "3.", "4.", "S."],
        ["1.", "2,", "3-", "4", "5 ."],
        ["l.", "2.", "3.", "4.", "5."],
    ],
)
def test_a_short_series_is_read_through_its_misreadings(labels: list[str]) -> None:
    assert numbers(laws([*labels, "6.", "7.", "8."]), "{n}.") == list(range(1, 9))


def test_two_figures_that_ran_together_or_came_apart() -> None:
    labels = [*map("{}.".format, range(1, 10)), "lo.", "n.", "i2.", "1 3.", "14.", "i5.", "16.", "1 7 ."]
    assert numbers(laws(labels), "{n}.") == list(range(1, 18))


def test_the_labels_end_where_the_text_begins() -> None:
    work = working(laws(["1.", "2 .", "3."]))
    for mark in series_marks(work, 0, len(work.text), "{n}.", 400):
        assert work.text[mark.end :].lstrip().startswith("The player")


def test_a_number_in_the_midst_of_a_line_is_no_label() -> None:
    assert numbers("1. See law 2. It holds. \n\n2. A second law. \n", "{n}.") == [1, 2]


def test_words_before_the_number_may_be_misread() -> None:
    scan = "Article 1. \nFirst. \n\nArticlo 2. \nSecond. \n\nArticle 3. \nThird. \n"
    assert numbers(scan, "Article {n}.", alone=True) == [1, 2, 3]


def test_a_label_alone_is_not_a_reference_in_the_text() -> None:
    scan = "Article 1. \nAs is said in \nArticle 2. the deal is lost. \n\nArticle 2. \nSecond. \n"
    work = working(scan)
    marks = series_marks(work, 0, len(work.text), "Article {n}.", 400, alone=True)
    assert [m.start for m in marks] == [0, work.text.rindex("Article 2.")]


@pytest.mark.parametrize("label", ["Article 11 7. ", "Article  11 7. ", "Article 117. "])
def test_a_number_that_came_apart_is_read_whole(label: str) -> None:
    scan = "".join(f"Article {n}. \nText. \n\n" for n in range(1, 117)) + f"{label}\nText. \n\nArticle 118. \nText. \n"
    assert numbers(scan, "Article {n}.", alone=True)[-3:] == [116, 117, 118]


def test_roman_labels() -> None:
    scan = laws(["I.", "II.", "HI.", "IV.", "Y.", "VI."])
    assert numbers(scan, "{I}.") == [1, 2, 3, 4, 5, 6]


def test_paragraphs_are_not_the_series_they_stand_in() -> None:
    scan = "1. The first law. \n2. The second law: \nI. Its first case. \nII. Its second case. \n3. The third law. \n"
    work = working(scan)
    marks = series_marks(work, 0, len(work.text), "{n}.", 400, shy=True)
    assert [(m.start, m.number) for m in marks] == [(0, 1), (work.text.index("2."), 2), (work.text.index("3."), 3)]


def test_labels_of_a_single_line_follow_a_sentence() -> None:
    scan = (
        "THE GAME. I. A game is seven points. 2. Honors are not counted. SCORING. 3. Each trick counts one. 4. The end."
    )
    assert numbers(scan, "{n}.", "single-line") == [1, 2, 3, 4]


def test_ordinals() -> None:
    scan = "It consists of two parts: \nfirst, of the points; \nand secondly, of the tricks.\n"
    assert numbers(scan, "ordinal") == [1, 2]


@pytest.mark.parametrize("word", ["in", "hi", "m"])
def test_a_word_at_the_head_of_a_line_is_no_roman_label(word: str) -> None:
    scan = (
        "I. Two or more cards played at once. \n"
        "II. Any card dropped with its face upwards, or \n"
        f"{word} any way exposed on or above the table. \n"
    )
    assert numbers(scan, "{I}.") == [1, 2]


@pytest.mark.parametrize(
    ("labels", "printed"), [(["2."], [2]), (["1.", "2.", "4."], [1, 2, 4]), (["1.", "2.", "3.", "5."], [1, 2, 3, 5])]
)
def test_a_lost_label_does_not_change_the_next_one(labels: list[str], printed: list[int]) -> None:
    assert numbers(laws(labels), "{n}.") == printed


def test_a_word_below_the_last_label_is_no_label() -> None:
    scan = laws([f"{n}." for n in range(1, 49)]) + "so. The player may not look. \n\n"
    assert numbers(scan, "{n}.") == [*range(1, 49)]


def test_labels_within_lines_are_read_where_the_plan_says_so() -> None:
    scan = "".join(f"{n}. The dealer deals; {n} cards are left. {n + 1}. The lead is his.\n\n" for n in range(1, 20, 2))
    assert numbers(scan, "{n}.", running=True) == [*range(1, 21)]
    assert numbers(scan, "{n}.") != [*range(1, 21)]


@pytest.mark.parametrize("read", ["SEC, 3,", "SEG. 3.", "See. 3.", "SEC. 3°", "SEC; }."])
def test_a_misread_word_or_stop_is_still_a_label(read: str) -> None:
    assert numbers(laws(["SEC. 1.", "SEC. 2.", read, "SEC. 4.", "SEC. 5."]), "SEC. {n}.") == [1, 2, 3, 4, 5]


def test_a_word_with_a_hyphen_may_stand_in_capitals() -> None:
    assert numbers(laws(["By-law 1.", "BY-LAW 2.", "By-law 3."]), "By-law {n}.") == [1, 2, 3]


def test_the_first_item_of_a_list_is_no_other_figure() -> None:
    work = working(laws(["1,", "2,", "8,", "1.", "4.", "5."]))
    found = series_marks(work, 0, len(work.text), "{n}.", 9)
    assert [(m.number, work.text[m.start : m.end]) for m in found][2] == (3, "8,")


def test_misread_figures_are_another_number_only_where_it_is_missing() -> None:
    assert numbers(laws(["1.", "2.", "8.", "4.", "5.", "1.", "2."]), "{n}.") == [1, 2, 3, 4, 5]
    assert numbers(laws(["SEC. 1.", "SEC. 2.", "SEC. 4.", "SEC. 4.", "SEC. 5."]), "SEC. {n}.") == [1, 2, 3, 4, 5]


def test_what_is_beyond_the_number_expected_must_be_certain() -> None:
    work = working(laws([*(f"{n}." for n in range(1, 10)), "lo.", "11.", "i2."]))
    found = series_marks(work, 0, len(work.text), "{n}.", 400, expect=9)
    assert [m.number for m in found] == [*range(1, 12)]


def test_a_word_misread_in_a_list_of_contents_numbers_nothing() -> None:
    entries = "SE0. 3. The player who leads. \n\n4. Of tricks. \n\n5. Of honours. \n\n"
    labels = [f"SEC. {n}." for n in range(1, 3)], [f"SEC. {n}." for n in range(3, 7)]
    scan = f"{laws(labels[0])}OF TRICKS.\n\n{entries}{laws(labels[1])}"
    work = working(scan)
    found = series_marks(work, 0, len(work.text), "SEC. {n}.", 400)
    assert [work.text[m.start : m.end] for m in found] == [f"SEC. {n}." for n in range(1, 7)]


@pytest.mark.parametrize("read", ["SEC. 3‘", "SEC. .3.", "~ SEC. 3."])
def test_a_label_beside_a_stray_sign_is_found_where_its_number_is_missing(read: str) -> None:
    assert numbers(laws(["SEC. 1.", "SEC. 2.", read, "SEC. 4.", "SEC. 5."]), "SEC. {n}.") == [1, 2, 3, 4, 5]
