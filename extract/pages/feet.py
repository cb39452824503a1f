"""Folios at the foot of pages: where a book has them there, and where the pages begin that they part."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from extract.language.lexicon import core, load_lexicon
from extract.model import Page
from extract.numbering.numerals import arabic, roman
from extract.pages.folio import Folio
from extract.pages.head_lines import PAGE_GAP, HeadLine
from extract.text.lines import Line

_GARBLED = 7  # signs of a folio in brackets, blanks among them


def folios_at_foot(lines: Sequence[Line], heads: Sequence[HeadLine | None], alone: Sequence[int]) -> frozenset[int]:
    """The lines whose folio ends a page: a book has them all at the head or all at the foot.

    The wide gap is the border of the page. Where none is wide, a scan may tell by beginning or ending with a folio;
    else a bare folio is taken to stand at the head, and one in brackets at the foot, as is the printers' custom.

    Args:
        lines: the lines of the scan.
        heads: what each of them is as a head line.
        alone: those that bear a folio, and no running head.
    """
    after = sum(lines[i].below >= PAGE_GAP and lines[i].below > lines[i].above for i in alone)
    before = sum(lines[i].above >= PAGE_GAP and lines[i].above > lines[i].below for i in alone)
    if after == before:
        after, before = len(lines) - 1 in alone, 0 in alone
    if after == before:
        after = sum((head := heads[i]) is not None and head.bracketed for i in alone)
        before = len(alone) - after
    return frozenset(alone) if after > before else frozenset()


def litter(lines: Sequence[Line], at: int) -> list[int]:
    """The lines between a folio at the foot and the next page: a letter or two, or a sign, that dirt is read as."""
    found: list[int] = []
    if lines[at].below < PAGE_GAP:
        for i in range(at + 1, min(at + 5, len(lines))):
            if len(lines[i].text) > 2:
                break
            found.append(i)
            if lines[i].below >= PAGE_GAP:
                return found
    return []


def garbled_feet(lines: Sequence[Line], tops: Sequence[int], gone: Mapping[int, object]) -> list[int]:
    """The folios too garbled to be read, where a book has them at the foot: a few signs below the last line of a page.

    Args:
        lines: the lines of the scan.
        tops: the indices of the lines that begin a page, in order.
        gone: the lines that are known to be furniture.
    """
    known = load_lexicon().known
    found: list[int] = []
    for top, end in pairwise([*tops, len(lines)]):
        page = [i for i in range(top, end) if i not in gone]
        if len(page) < 2 or any(i in gone for i in range(page[-1] + 1, end)):
            continue
        line = lines[page[-1]]
        word = core(line.text)
        apart = line.isolated or not word.isalpha() or not known(word)
        if len(line.text) <= _GARBLED and apart and not (line.text[-1] == "." and known(word)):
            found.append(page[-1])
    return found


def page_starts(
    lines: Sequence[Line], carrier: Mapping[int, Folio], feet: frozenset[int], heads: Mapping[int, int]
) -> list[tuple[Folio, int]]:
    """Where pages are known to begin: at a folio, or after that of the page before.

    Args:
        lines: the lines of the scan.
        carrier: the folios, by their lines.
        feet: those of them that end a page.
        heads: for each of the others, the offset at which its page begins.
    Returns:
        The folio of each page with the offset at which it begins. Where the print has lost one, it is as it must be.
    """
    order = sorted(carrier)
    known: list[tuple[Folio, int]] = []
    for i, at in enumerate(order):
        folio = carrier[at]
        if at not in feet:
            known.append((folio, heads[at]))
            continue
        if not i:
            known.append((folio, _first(lines, at)))
        last = max([at, *litter(lines, at)])
        if last + 1 == len(lines):
            known.append((_next(folio, None), lines[-1].end))
            continue
        following = carrier[order[i + 1]] if i + 1 < len(order) else None
        if following is None or order[i + 1] in feet:
            known.append((_next(folio, following), lines[last + 1].start))
    return known


def told(pages: Sequence[Page], folios: Sequence[Folio], end: int) -> tuple[Page, ...]:
    """The pages, each said to bear its folio only where the scan has it; none begins where the print has ended.

    Args:
        pages: the pages as they were cut.
        folios: the folios that the scan has.
        end: the offset at which its last line ends.
    """
    printed = {folio.text for folio in folios}
    kept = [p for p in pages if p.raw_start < end or not p.raw_start]
    kept[-1] = replace(kept[-1], raw_end=pages[-1].raw_end)
    return tuple(replace(p, status="printed" if p.folio in printed else "interpolated") if p.folio else p for p in kept)


def _next(folio: Folio, following: Folio | None) -> Folio:
    """The folio of the page after one: what its own foot says, if that can be, else the next number."""
    number = arabic(folio.text) + 1
    printed = str(number) if folio.text.isdecimal() else roman(number)
    if following and (following.text == printed or following.text.isdecimal() != folio.text.isdecimal()):
        return following
    return replace(folio, text=printed)


def _first(lines: Sequence[Line], at: int) -> int:
    """Where the page begins that the first folio ends: after the last wide gap before it."""
    for i in range(at - 1, 0, -1):
        if lines[i].above >= PAGE_GAP:
            return lines[i].start
    return 0
