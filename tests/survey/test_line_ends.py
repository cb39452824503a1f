"""A scan tells the same whether its lines end in LF or in CRLF, and its offsets are those of the file."""

from __future__ import annotations

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


def edition(folder: Path, end: str) -> tuple[object, object, object]:
    """The units, edits and pages of a small book with some line end; offsets are those it would have with LF."""
    laws = "\n\n".join(f"{n}. The player who revokes, and the play-\ner who does not, pay." for n in range(1, 13))
    numbered = "\n\n".join(f"[{n}] " + "\n".join(broken(prose(Random(n), 120))) for n in range(1, 9))
    plain = sheets(6, seed=3).scan + f"\n\n{numbered}\n\nWHIST LAWS\n\n" + laws + "\n"
    scan = plain.replace("\n", end)
    found = scan.index(f"the play-{end}er")
    toml = f"the play-{end}er".replace("\r", "\\r").replace("\n", "\\n")
    errata = READING.format(at=found, scan=f'"{toml}"')
    plan = '[[part]]\nid = "text"\nbegins = ""\ngrammar = "paragraphs"\n'
    made = make_edition(
        make_book(folder / "small", scan, "lines", CLUB.replace("[[part]]", plan + "[[part]]", 1), errata)
    )
    assert made.scan == scan
    assert all(scan[e.raw_start : e.raw_end] == e.before for e in made.edits)

    def lf(at: int) -> int:
        return at - scan.count("\r", 0, at)

    units = [(u.id, lf(u.raw_start), lf(u.raw_end), u.page, u.text) for u in made.units]
    edits = [(lf(e.raw_start), lf(e.raw_end), e.after, e.rule) for e in made.edits if e.before != e.after]
    edits = [e for e in edits if plain[e[0] : e[1]] != e[2]]
    return units, edits, [(lf(p.raw_start), p.folio, p.status) for p in made.pages]


def test_an_edition_is_the_same_with_either_line_end(tmp_path: Path) -> None:
    units, edits, pages = edition(tmp_path / "lf", "\n")
    assert (units, edits, pages) == edition(tmp_path / "crlf", "\r\n")
    assert "the player who does not" in str(units) and edits and len(pages) > 1
