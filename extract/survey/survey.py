"""Survey a scan of which nothing is known: its layout, pages and marks, its numberings, and the codes among them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from extract.edition import FURNITURE
from extract.pages.furniture import Furniture
from extract.segment.outline import WorkingText, working_text
from extract.segment.segment import headline
from extract.survey.codes import FoundCode, find_codes
from extract.survey.divisions import Division
from extract.survey.etext import EText, read_etext
from extract.survey.labels import common_template, sightings
from extract.survey.numberings import FoundNumbering, find_numberings
from extract.text.headings import is_heading, names_a_body, plain
from extract.text.source import Layout, in_one_manner, recognise_layout

_WORDS = 8
_TITLE_PAGE = 15
_ABOVE = 400  # characters above a label in which its heading may stand


@dataclass(frozen=True, slots=True)
class Survey:
    """What a scan tells of itself. Offsets are those of `work`, the scan as it stands but for its furniture."""

    layout: Layout
    furniture: Furniture
    work: WorkingText
    etext: EText
    numberings: tuple[FoundNumbering, ...]
    codes: tuple[FoundCode, ...]

    @property
    def taken_out(self) -> dict[str, int]:
        """How many pieces of furniture there are of each sort: folios, running heads, rules, signatures."""
        return dict(Counter(edit.note for edit in self.furniture.edits).most_common())

    @property
    def folios(self) -> tuple[str, str, int] | None:
        """The first and the last folio in print, and how many are."""
        printed = [p.folio for p in self.furniture.pages if p.status == "printed" and p.folio]
        return (printed[0], printed[-1], len(printed)) if printed else None

    @property
    def convention(self) -> str:
        """How the pages are told."""
        folios, marks = (
            [e.before for e in self.furniture.edits if e.note == note] for note in ("folio", "mark of a page")
        )
        if folios:
            bracketed = sum(not f.strip()[:1].isalnum() for f in folios) * 2 > len(folios)
            beside = sum(any(len(w) > 3 and w.isalpha() for w in f.split()) for f in folios) * 2 > len(folios)
            where = "beside a head" if beside else "on a line of their own"
            return f"folios {where}{', in brackets' if bracketed else ''}"
        marked = [name for name in self.etext.marks if name.startswith(("pages", "form"))]
        return f"marked in the text, as {marks[0]}" if marks else (*marked, "no folios")[0]


def survey(scan: str) -> Survey:
    """Look a scan over.

    Args:
        scan: its text.
    Returns:
        What was found.
    """
    scan = in_one_manner(scan)
    layout = recognise_layout(scan)
    furniture = FURNITURE[layout](scan)
    work = working_text(scan, furniture.edits, furniture.pages, layout)
    etext = read_etext(work.text)
    seen = [label for label in sightings(work, within=True) if etext.start <= label.start < etext.end]
    heads = [line for line in work.lines if is_heading(line)]
    titles = [line.start for line in heads if names_a_body(line.text)]
    numberings = find_numberings(seen, titles, [line.start for line in heads])
    codes = find_codes(work, numberings, etext.end, seen)
    return Survey(layout, furniture, work, etext, tuple(numberings), tuple(codes))


def heading_of(work: WorkingText, run: FoundNumbering) -> str:
    """The heading directly above a numbering; empty if there is none."""
    above = work.lines_from(max(0, run.start - _ABOVE), run.start)[-1:]
    return plain(above[0].text) if above and is_heading(above[0]) else ""


def described(work: WorkingText, run: FoundNumbering, divisions: Sequence[Division] = ()) -> str:
    """A numbering in a line: how its labels are printed, its range and gaps, its first words.

    Of one that is numbered in several stretches, their names and ranges.
    """
    label = common_template(tuple(x.template for x in run.labels))
    if divisions:
        spans = [
            f"{d.name} {d.labels[0].number}{'' if d.undivided else f'-{d.labels[-1].number}'}".strip()
            for d in divisions
        ]
        return f"{label}: {len(run.labels)} numbered afresh under {len(spans)} headings: {_some(spans)}"
    gaps = f"without {_some(run.gaps)}" if run.gaps else "no gap"
    inserted = f", {len(run.inserted)} inserted" if run.inserted else ""
    words = " ".join(work.text[run.labels[0].end :][:200].split()[:_WORDS])
    return f"{label}: {run.first}-{run.last}, {gaps}{inserted}: {words} ..."


def _some(items: Sequence[object]) -> str:
    return f"{', '.join(map(str, items[:_WORDS]))}{' ...' if len(items) > _WORDS else ''}"


def title_of(found: Survey) -> str:
    """The first heading of the book; empty if it begins without one."""
    lines = found.work.lines_from(found.etext.start, found.etext.end)[:_TITLE_PAGE]
    heads = [plain(line.text).rstrip(".") for line in lines if line.capital and is_heading(line)]
    return next((headline(head) for head in heads if " " in head), "")
