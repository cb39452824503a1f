"""Labels of numbered units: where one may stand, and what a series of them says."""

from __future__ import annotations

from typing import Any

import pytest

from extract.model import Page
from extract.segment.label import series_marks
from extract.segment.outline import working_text
from extract.text.source import Layout


def marks(scan: str, label: str, layout: Layout = "lines", **how: Any) -> list[tuple[int, str]]:
    """The numbers of a series, and the labels that bear them."""
    work = working_text(scan, (), (Page(0, 0, len(scan), "1", "printed"),), layout)
    found = series_marks(work, 0, len(work.text), label, how.pop("highest", 400), **how)
    return [(m.number, work.text[m.start : m.end].strip()) for m in found]


def numbers(scan: str, label: str, layout: Layout = "lines", **how: Any) -> list[int]:
    return [number for number, _ in marks(scan, label, layout, **how)]


def laws(*labels: str) -> str:
    return "".join(f"{label} The player who has the lead \nmay not look at the last trick. \n\n" for label in labels)


def counted(label: str, first: int, last: int) -> list[str]:
    return [label.format(n) for n in range(first, last + 1)]


@pytest.mark.parametrize(
    ("labels", "label", "found"),
    [
        *(([*read, "6.", "7.", "8."], "{n}.", [*range(1, 9)]) for read in (
            ["1.", "2.", "3.", "4.", "5."], ["i.", "2.", "3.", "4.", "5."], ["1.", "2.", "3.", "4.", "S."],
            ["1.", "2,", "3-", "4", "5 ."], ["l.", "2.", "3.", "4.", "5."])),
        ([*counted("{}.", 1, 9), "lo.", "n.", "i2.", "1 3.", "14.", "i5.", "16.", "1 7 ."], "{n}.", [*range(1, 18)]),
        (["I.", "II.", "HI.", "IV.", "Y.", "VI."], "{I}.", [1, 2, 3, 4, 5, 6]),
        (["2."], "{n}.", [2]),
        (["1.", "2.", "4."], "{n}.", [1, 2, 4]),
        (["1.", "2.", "3.", "5."], "{n}.", [1, 2, 3, 5]),
        (["By-law 1.", "BY-LAW 2.", "By-law 3."], "By-law {n}.", [1, 2, 3]),
        (["1.", "2.", "8.", "4.", "5.", "1.", "2."], "{n}.", [1, 2, 3, 4, 5]),
        (["SEC. 1.", "SEC. 2.", "SEC. 4.", "SEC. 4.", "SEC. 5."], "SEC. {n}.", [1, 2, 3, 4, 5]),
        *((["SEC. 1.", "SEC. 2.", read, "SEC. 4.", "SEC. 5."], "SEC. {n}.", [1, 2, 3, 4, 5]) for read in (
            "SEC, 3,", "SEG. 3.", "See. 3.", "SEC. 3°", "SEC; }.", "SEC. 3‘", "SEC. .3.", "~ SEC. 3.")),
    ],
)  # fmt: skip
def test_a_series_is_read_through_its_misreadings(labels: list[str], label: str, found: list[int]) -> None:
    assert numbers(laws(*labels), label) == found


RUNNING = "".join(f"{n}. The dealer deals; {n} cards are left. {n + 1}. The lead is his.\n\n" for n in range(1, 20, 2))
GAME = "THE GAME. I. A game is seven points. 2. Honors are not counted. SCORING. 3. Each trick counts one. 4. The end."
UPTO_116 = "".join(f"Article {n}. \nText. \n\n" for n in range(1, 117))
ALONE = {"alone": True}


@pytest.mark.parametrize(
    ("scan", "label", "how", "found"),
    [
        ("1. See law 2. It holds. \n\n2. A second law. \n", "{n}.", {}, [1, 2]),
        ("Article 1. \nFirst. \n\nArticlo 2. \nSecond. \n\nArticle 3. \nThird. \n", "Article {n}.", ALONE, [1, 2, 3]),
        *((f"{UPTO_116}{read}\nText. \n\nArticle 118. \nText. \n", "Article {n}.", ALONE, [*range(1, 119)])
          for read in ("Article 11 7. ", "Article  11 7. ", "Article 117. ")),
        (GAME, "{n}.", {"layout": "single-line"}, [1, 2, 3, 4]),
        ("It consists of two parts: \nfirst, of the points; \nand secondly, of the tricks.\n", "ordinal", {}, [1, 2]),
        *((f"I. Two or more cards played at once. \nII. Any card dropped with its face upwards, or \n{word} any way "
           "exposed on or above the table. \n", "{I}.", {}, [1, 2]) for word in ("in", "hi", "m")),
        (laws(*counted("{}.", 1, 48)) + "so. The player may not look. \n\n", "{n}.", {}, [*range(1, 49)]),
        (RUNNING, "{n}.", {"running": True}, [*range(1, 21)]),
        (RUNNING, "{n}.", {}, [*range(1, 20)]),
        (laws(*counted("{}.", 1, 9), "lo.", "11.", "i2."), "{n}.", {"expect": 9}, [*range(1, 12)]),
    ],
)  # fmt: skip
def test_a_label_stands_where_its_series_has_one(scan: str, label: str, how: dict[str, Any], found: list[int]) -> None:
    assert numbers(scan, label, **how) == found


SECTIONS = counted("SEC. {}.", 1, 6)
ENTRIES = "OF TRICKS.\n\nSE0. 3. The player who leads. \n\n4. Of tricks. \n\n5. Of honours. \n\n"
REFERRING = "Article 1. \nAs is said in \nArticle 2. the deal is lost. \n\nArticle 2. \nSecond. \n"
NESTED = "1. The first law. \n2. The second law: \nI. Its first case. \nII. Its second case. \n3. The third law. \n"


@pytest.mark.parametrize(
    ("scan", "label", "how", "found"),
    [
        (laws("1.", "2 .", "3."), "{n}.", {}, [(1, "1."), (2, "2 ."), (3, "3.")]),
        (laws("1,", "2,", "8,", "1.", "4.", "5."), "{n}.", {"highest": 9},
         [(1, "1,"), (2, "2,"), (3, "8,"), (4, "4."), (5, "5.")]),
        (NESTED, "{n}.", {"shy": True}, [(1, "1."), (2, "2."), (3, "3.")]),
        (laws(*SECTIONS[:2]) + ENTRIES + laws(*SECTIONS[2:]), "SEC. {n}.", {}, [*enumerate(SECTIONS, 1)]),
        (REFERRING.replace("Article 2. \n", "Article  2. \n"), "Article {n}.", ALONE,
         [(1, "Article 1."), (2, "Article  2.")]),
    ],
    ids=["where the text begins", "no item of a list", "no paragraph", "no entry of contents", "no reference"],
)  # fmt: skip
def test_a_label_is_no_number_that_stands_for_something_else(
    scan: str, label: str, how: dict[str, Any], found: list[tuple[int, str]]
) -> None:
    assert marks(scan, label, **how) == found
