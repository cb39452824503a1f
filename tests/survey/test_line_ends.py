"""A scan tells the same whether its lines end in LF or in CRLF, and its offsets are those of the file."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest
from etexts import HEADS, SLANTED, TITLED, PrintedCode, etext
from samples import CLUB, broken, make_book, prose, sheets

from extract.edition import make_edition
from extract.survey.survey import Survey, survey

CODES = {
    "plain": PrintedCode("THE LAWS OF WHIST", "{n}.", 30, HEADS),
    "sections": PrintedCode("RULES OF THE CLUB", "§ {n}.", 30, TITLED),
    "rules": PrintedCode("LAWS OF CHESS", "Rule {n}.", 30, SLANTED),
    "alone": PrintedCode("THE CODE", "LAW {n}", 30, HEADS, alone=True),
    "bracketed": PrintedCode("RULES OF LOO", "({n})", 30),
    "bare": PrintedCode("THE LAWS OF WHIST", "{n}", 30),
}


def told(found: Survey) -> object:
    """What a survey tells, without offsets into the scan."""
    labels = [[(label.number, label.template) for label in run.labels] for run in found.numberings]
    return (
        found.layout,
        found.work.text,
        labels,
        [code.run.first for code in found.codes],
        found.taken_out,
        found.folios,
    )


@pytest.mark.parametrize("name", CODES)
@pytest.mark.parametrize("style", ["wrapped", "paragraphs"])
def test_a_survey_finds_the_same_with_either_line_end(name: str, style: str) -> None:
    text = etext((CODES[name],), style=style).text
    assert told(survey(text.replace("\n", "\r\n"))) == told(survey(text))


READING = """[[reading]]
at = {at}
scan = {scan}
read = "the player"
kind = "ocr"
reason = "as printed"
"""


LAWS = "\n\n".join(f"{n}. The player who revokes, and the play-\ner who does not, pay." for n in range(1, 13))
NOTES = "\n\n".join(f"[{n}] " + "\n".join(broken(prose(Random(n), 120))) for n in range(1, 9))
PLAIN = f"{sheets(6, seed=3).scan}\n\n{NOTES}\n\nWHIST LAWS\n\n{LAWS}\n"
PLAN = CLUB.replace("[[part]]", '[[part]]\nid = "text"\nbegins = ""\ngrammar = "paragraphs"\n[[part]]', 1)


def edition(folder: Path, end: str) -> tuple[list[object], list[object], list[object]]:
    """The units, edits and pages of a small book with some line end; offsets are those it would have with LF."""
    scan, cut = (text.replace("\n", end) for text in (PLAIN, "the play-\ner"))
    errata = READING.format(at=scan.index(cut), scan=json.dumps(cut))
    made = make_edition(make_book(folder / "small", scan, "lines", PLAN, errata))
    assert made.scan == scan
    assert all(scan[e.raw_start : e.raw_end] == e.before for e in made.edits)

    def lf(at: int) -> int:
        return at - scan.count("\r", 0, at)

    edits = [(lf(e.raw_start), lf(e.raw_end), e.after, e.rule) for e in made.edits if e.before != e.after]
    return (
        [(u.id, lf(u.raw_start), lf(u.raw_end), u.page, u.text) for u in made.units],
        [e for e in edits if PLAIN[e[0] : e[1]] != e[2]],
        [(lf(p.raw_start), p.folio, p.status) for p in made.pages],
    )


def test_an_edition_is_the_same_with_either_line_end(tmp_path: Path) -> None:
    units, edits, pages = edition(tmp_path / "lf", "\n")
    assert (units, edits, pages) == edition(tmp_path / "crlf", "\r\n")
    assert "the player who does not" in str(units) and edits and len(pages) > 1
