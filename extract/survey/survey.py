"""Survey an unknown scan: its layout and pages, its numberings, and the codes among them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from extract.edition import FURNITURE
from extract.pages.furniture import Furniture
from extract.segment.outline import WorkingText, working_text
from extract.segment.segment import headline
from extract.survey.codes import FoundCode, find_codes
from extract.survey.etext import EText, read_etext
from extract.survey.labels import common_template, sightings
from extract.survey.numberings import FoundNumbering, find_numberings
from extract.text.headings import is_heading, names_a_body, plain
from extract.text.source import Layout, normalise_line_ends, recognise_layout

_WORDS, _SHOWN = 8, 12  # words of a text, and items of a list, that are shown
_TITLE_PAGE = 15  # lines in which the title of a book is looked for


@dataclass(frozen=True, slots=True)
class Survey:
    """What was found in a scan. Offsets refer to `work`, the uncorrected scan without its furniture."""

    layout: Layout
    furniture: Furniture
    work: WorkingText
    etext: EText
    numberings: tuple[FoundNumbering, ...]
    codes: tuple[FoundCode, ...]

    @property
    def taken_out(self) -> dict[str, int]:
        """The number of deletions for each kind of furniture: folios, running heads, rules, signatures."""
        return dict(Counter(edit.note for edit in self.furniture.edits).most_common())

    @property
    def folios(self) -> tuple[str, str, int] | None:
        """The first and the last printed folio, and how many folios are printed; None if there are none."""
        printed = [p.folio for p in self.furniture.pages if p.status == "printed" and p.folio]
        return (printed[0], printed[-1], len(printed)) if printed else None

    @property
    def lists(self) -> list[FoundNumbering]:
        """The numberings of three or more labels that begin outside all codes, the longest first."""
        spans = [(code.start, code.end) for code in self.codes]
        free = (x for x in self.numberings if len(x.labels) > 2 and not any(a <= x.start < b for a, b in spans))
        return sorted(free, key=lambda x: -len(x.labels))


def survey(scan: str) -> Survey:
    """Survey a scan.

    Args:
        scan: its text.
    Returns:
        The layout, furniture, numberings and codes.
    """
    scan = normalise_line_ends(scan)
    layout = recognise_layout(scan)
    furniture = FURNITURE[layout](scan)
    work = working_text(scan, furniture.edits, furniture.pages, layout)
    etext = read_etext(work.text)
    seen = [label for label in sightings(work) if etext.start <= label.start < etext.end]
    heads = [line for line in work.lines if is_heading(line)]
    titles = [line.start for line in heads if names_a_body(line.text)]
    numberings = find_numberings(seen, titles, [line.start for line in heads])
    codes = find_codes(work, numberings, etext.end, seen)
    return Survey(layout, furniture, work, etext, tuple(numberings), tuple(codes))


def describe(work: WorkingText, run: FoundNumbering) -> str:
    """Describe a numbering in one line: the template of its labels, its range and gaps, its first words."""
    label = common_template(x.template for x in run.labels)
    gaps = f" (not yet read: {some(run.gaps)})" if run.gaps else ""
    inserted = f", {len(run.inserted)} inserted" if run.inserted else ""
    words = " ".join(work.text[run.labels[0].end :][:200].split()[:_WORDS])
    return f"label {label!r}, numbers {run.labels[0].number} to {run.last}{gaps}{inserted}: “{words} ...”"


def some(items: Sequence[object]) -> str:
    """Join the first items of a list by commas, and count the others."""
    more = f" and {len(items) - _SHOWN} more" if len(items) > _SHOWN else ""
    return ", ".join(map(str, items[:_SHOWN])) + more


def title_of(found: Survey) -> str:
    """Return the first heading in capitals, of two or more words, on the first lines of the book; empty if none."""
    lines = found.work.lines_from(found.etext.start, found.etext.end)[:_TITLE_PAGE]
    heads = (plain(line.text).rstrip(".") for line in lines if line.capital and is_heading(line))
    return next((headline(head) for head in heads if " " in head), "")
