"""A scan that nobody described: its numberings and codes are found, and the plan proposed makes a unit of each law."""

from __future__ import annotations

from pathlib import Path

import pytest
from etexts import HEADS, SLANTED, TITLED, PrintedCode, added, etext

from extract.segment.outline import working_text
from extract.survey.labels import sightings
from extract.survey.numberings import find_numberings

WHIST = PrintedCode("THE LAWS OF WHIST", "{n}.", 40, HEADS)


def runs(text: str) -> list[tuple[str, int, int, int]]:
    """The runs of a text: the first label's template, first and last number, count."""
    work = working_text(text, (), (), "lines")
    return [(r.labels[0].template, r.first, r.last, len(r.labels)) for r in find_numberings(sightings(work))]


def lines(*labels: str) -> str:
    return "".join(f"{label} The dealer deals.\n\n" for label in labels)


@pytest.mark.parametrize("label", ["{n}.", "§ {n}.", "SEC. {n}.", "Rule {n}.", "({n})", "_{n}._", "{n}.--", "LAW {n}."])
def test_a_run_is_found_however_it_is_labelled(label: str) -> None:
    ((_, first, last, count),) = runs(lines(*(label.replace("{n}", str(n)) for n in range(1, 21))))
    assert (first, last, count) == (1, 20, 20)


@pytest.mark.parametrize(
    ("label", "numbers", "found"),
    [
        ("{n}.", [*range(1, 6), 1, 2, 3, 4, *range(6, 13)], [("{n}.", 1, 4, 4), ("{n}.", 1, 12, 12)]),
        ("{n}.", [*range(1, 9), *range(1, 31)], [("{n}.", 1, 8, 8), ("{n}.", 1, 30, 30)]),
        ("{n}.", [*range(1, 31), *range(1, 61)], [("{n}.", 1, 30, 30), ("{n}.", 1, 60, 60)]),
        ("Art. {n}.", [n for n in range(1, 15) if n not in (4, 9)], [("Art. {n}.", 1, 14, 12)]),
        ("Page {n}.", [*range(1, 9)], []),
    ],
    ids=["a list within a law", "a list of contents", "two codes", "a label that was not seen", "pages"],
)
def test_runs_of_numbers_are_told_apart(label: str, numbers: list[int], found: list[tuple[str, int, int, int]]) -> None:
    assert sorted(runs(lines(*(label.format(n=n) for n in numbers)))) == found


PRINTED = {
    "plain": (WHIST, PrintedCode("LAWS OF BRIDGE", "{n}.", 25, item="(#)")),
    "sections": (PrintedCode("RULES OF THE CLUB", "§ {n}.", 30, TITLED), PrintedCode("BY-LAWS", "SEC. {n}.", 20)),
    "articles": (PrintedCode("ARTICLES", "Art. {I}.", 38), PrintedCode("LAWS OF CHESS", "Rule {n}.", 33, SLANTED)),
    "inserted": (PrintedCode("THE LAWS OF WHIST", "{n}.", 40, inserted=True), PrintedCode("RULES OF LOO", "({n})", 24)),
    "alone": (PrintedCode("THE CODE", "LAW {n}", 26, HEADS, alone=True), PrintedCode("REGULATIONS", "_{n}._", 22)),
    "dashes": (PrintedCode("LAWS OF LOO", "{n}.--", 30, inserted=True), PrintedCode("RULES", "{I}.", 28, item="(#)")),
}  # fmt: skip


@pytest.mark.parametrize("style", ["wrapped", "paragraphs", "hanging"])
@pytest.mark.parametrize("name", PRINTED)
def test_all_laws_of_both_codes_are_found_and_whole(tmp_path: Path, name: str, style: str) -> None:
    made = etext(PRINTED[name], style, "numbered" if style == "wrapped" else "plain")
    found, _ = added(tmp_path / "hand-1875", made)
    for laws, printed in zip(found, made.laws, strict=True):
        assert [number for number, _ in laws] == [number for number, _ in printed]
        for (_, text), (number, said) in zip(laws, printed, strict=True):
            assert text.endswith(said[-40:]) and len(text) < len(said) + 20, number


def test_a_numbered_list_of_a_chapter_is_no_code(tmp_path: Path) -> None:
    _, plan = added(tmp_path / "hand-1875", etext((WHIST,), contents="numbered"))
    assert plan.count("[[code]]") == plan.count("[[part.series]]") == 1


def test_the_plan_is_short_and_says_what_it_leaves_out(tmp_path: Path) -> None:
    _, plan = added(tmp_path / "hand-1875", etext((WHIST,)))
    assert plan.count('grammar = "skip"') == 2
    assert 'begins = "THE LAWS OF WHIST"' in plan, "the list of contents has the title otherwise"
    assert len(plan.splitlines()) < 50
