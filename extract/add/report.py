"""What an editor should check in a book that was added: numbers that are missing, and labels that were not read."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from extract.add.codes import Run, Survey, read_label
from extract.add.plan import Proposal
from extract.text.source import Encoding

_SHOWN, _WORDS, _LINE, _LIST = 12, 8, 70, 4  # items of a list, words and characters that are shown; labels of a list
_FIGURES = r"(?=\S*[\dlIO])[\dlIOoSiz!|$&]{1,5}"
_BARE = re.compile(rf"\W{{0,2}}{_FIGURES}[a-h]?\s?(?:[.,:;]|-{{2}}|—)[\s—-]*[A-Z\"“_]")
_WORDED = re.compile(rf"\W{{0,2}}(?:[^\W\d]\w{{1,7}}[.,:;]|§|[S&]) ?{_FIGURES}\s?[.,:;—-]")


def report(scan: str, encoding: Encoding, found: Survey, built: Proposal) -> Iterator[str]:
    """Report on a new book, in lines.

    Args:
        scan, encoding: the scan.
        found: what was found in it.
        built: the book as it was built.
    """
    work, etext = found.work, found.etext
    yield f"Scan: {len(scan):,} characters, {encoding}, layout {work.layout!r}"
    folios = [p.folio for p in found.furniture.pages if p.status == "printed" and p.folio]
    yield f"Page numbers: {f'{folios[0]} to {folios[-1]}; the scan has {len(folios)}' if folios else 'none found'}"
    furniture = Counter(edit.note.replace("folio", "page number") for edit in found.furniture.edits)
    yield f"Not in the text: {_some([f'{what} ({n})' for what, n in furniture.items()]) or 'nothing'}"
    yield f"Left out: {etext.start:,} characters before the book and {len(work.text) - etext.end:,} after it"
    for code, why in built.refused:
        yield f"Not proposed: {_described(found, code.run)}: {why}"
    spans = [(code.start, code.end) for code in found.codes]
    outside = (run for run in found.runs if not any(start <= run[0].start < end for start, end in spans))
    for run in sorted(outside, key=len, reverse=True)[:_SHOWN]:
        if len(run) >= _LIST:
            yield f"Not a code: {_described(found, run)}"
    if not built.codes:
        yield "No code was found; all text is prose until you add a [[code]] to book.toml."
    units = [unit for unit in built.edition.units if unit.role in ("provision", "paragraph")]
    read = {unit.raw_start: unit.number or "" for unit in units}
    for name, code in built.codes.items():
        laws = {u.number or "": u for u in units if u.code_id == name and u.role == "provision"}
        missing = _some([n for n in code.numbers if str(n) not in laws])
        yield (
            f"{name}, label {code.label!r}: numbers {code.numbers[0]} to {code.numbers[-1]}"
            f"{missing and f'; missing {missing}'}"
        )
        yield f"  ends: ... {' '.join([*laws.values()][-1].text.split()[-_WORDS:])}"
        labels = ((read_label(work.text, work.layer.to_reading(u.raw_start)), n) for n, u in laws.items())
        if otherwise := _some([f"{x.number} as {n}" for x, n in labels if x and x.number != int(n)]):
            yield f"  read by their place, not as the scan has them: {otherwise}"
    if unread := _unread(found, built, read):
        yield f"Lines that look like labels and were not read: {len(unread)}"
        yield from (f"  {line}" for line in unread[:_SHOWN])


def _unread(found: Survey, built: Proposal, read: Mapping[int, str]) -> list[str]:
    """The lines that look like labels of a code and begin no law: in it, and up to the next heading or code."""
    work, codes = found.work, list(built.codes.values())
    lines: list[str] = []
    ends = [*(code.start for code in codes), found.etext.end][1:]
    for code, after in zip(codes, ends, strict=False):
        word = code.run[0].form[0]
        end = after if word else min(after, found.heading_after(code.end))
        for at in work.line_starts(code.start, end):
            line = work.text[at : at + _LINE].partition("\n")[0].strip()
            if (_WORDED if word else _BARE).match(line) and work.to_scan(at, at + 1).start not in read:
                lines.append(line)
    return lines


def _described(found: Survey, run: Run) -> str:
    words = " ".join(found.work.text[run[0].end :][:200].split()[:_WORDS])
    return f"label {run[0].template!r}, numbers {run[0].number} to {run[-1].number}: “{words} ...”"


def _some(items: Sequence[object]) -> str:
    """Join the first items of a list by commas, and count the others."""
    more = f" and {len(items) - _SHOWN} more" if len(items) > _SHOWN else ""
    return ", ".join(map(str, items[:_SHOWN])) + more
