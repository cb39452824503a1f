"""Notes at the foot of a page, told by their smaller type, or by the sentence that they interrupt.

More letters stand in their lines than in those of the text; and what stands below the last line of a page's text,
where that goes on overleaf in the midst of a sentence, is no part of it. So a note is found whatever its mark is read
as (`t`, `«*`, `1`), and where it goes on overleaf without one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from statistics import median

from extract.model import Span
from extract.text.lines import Line

# A full line of a note has this share of the letters of one of the text, or more; a last line less than this.
LONG, SHORT = 1.12, 0.93
_FULL = 20
_MARKED = re.compile(r"^(?:[^\w\s(]{1,2} ?|[a-z] )[\"“‘']?[A-Z]")
_ENDS = re.compile(r"[.!?;:]\W*$")
_UNFINISHED = re.compile(r"[\w,-]$")
_SIGNED = re.compile(r"^[*†‡§] ?[A-Za-z]")
# A sign with which no paragraph begins, and no known mark.
_FOREIGN = re.compile(r"^[^\w\s(\[\"'“‘«»—–*†‡§•-](?: [^\w\s])? [A-Z]")
_BEGINS = re.compile(r"^\W{0,3}(?:\d ?)?[A-Z]|^[$#£}+*†‡][a-z]")
_PROSE = re.compile(r"^[A-Z][a-z]*,? ")
_GOES_ON = re.compile(r"^\W{0,2}[a-z]|^\d+ [a-z]")
_CLOSES = re.compile(r"[.!?)]\W*$")
_NUMBER = re.compile(r"^(?P<number>\d)(?P<stop>[.,]?) ?[A-Z]")
# Lines of the notes that interrupt a sentence, and notes that show where the book has them.
_MOST, _CUSTOM = 8, 2
_FEW, _DIRT = 3, 4  # lines of a note of which little tells; letters that a speck at the foot is read as, or fewer
# Of a usual line, one that is not full, and one in the midst of a sentence; letters of a note's first line.
_SHORT, _CUT, _FEWEST = 0.7, 0.88, 8


def measure(lines: Iterable[Line]) -> float:
    """The usual length of a full line, in characters."""
    return median([n for line in lines if (n := len(line.text)) > _FULL] or [60])


def notes_at_feet(lines: Sequence[Line], tops: Sequence[int], gone: Iterable[int]) -> list[Span]:
    """Find the notes at the feet of pages.

    Args:
        lines: the lines of the scan.
        tops: the indices of the lines that begin a page, in order.
        gone: the lines that are known to be furniture.
    Returns:
        Their spans in the scan; notes that blank lines part stand apart.
    """
    known = frozenset(gone)
    usual = measure(lines)
    pages = [
        [lines[i] for i in range(top, end) if i not in known]
        for top, end in zip(tops, [*tops[1:], len(lines)], strict=False)
    ]
    found: list[Span] = []
    unmarked: list[Span] = []
    bare: list[list[Line]] = []  # pages on which no note is found
    signs = ""  # that mark the notes found
    goes_on = stopped = False
    number, numbers = 0, set[int]()  # of the last note that bears one, and of all that do
    for page, following in zip(pages, [*pages[1:], []], strict=False):
        foot = _small(page, usual)
        begins = [n for n, line in enumerate(foot) if _MARKED.match(line.text)]
        starts = [0, *begins] if goes_on else begins
        at = next((n for n in starts if _is_note(foot[n:], usual)), None)
        if goes_on and at != 0 and not stopped:
            found.pop()  # what does not end, and goes on nowhere, is a table
        stopped = at is not None and len(foot) > at + 1 and foot[-1].text.endswith(",")  # or so is its full stop read
        goes_on = at is not None and _UNFINISHED.search(foot[-1].text) is not None
        interrupting = _interrupting(page, following, usual)
        if at is not None and not (interrupting and interrupting[0][0].start < foot[at].start):
            found.append(Span(foot[at].start, foot[-1].end))
            signs += _sign(foot[at].text)
        elif interrupting := interrupting or _numbered(page, number + 1 if number else 0):
            signs += "".join(_sign(notes[0].text) for notes in interrupting)
            numbers |= {int(m["number"]) for notes in interrupting if (m := _NUMBER.match(notes[0].text))}
            number = max([number, *numbers])
            found += [Span(notes[0].start, notes[-1].end) for notes in interrupting]
        elif (n := _apart(foot)) is not None and len(foot) > n + 1 and _is_note(foot[n:], usual):
            unmarked.append(Span(foot[n].start, foot[-1].end))
        else:
            bare.append(page)
    lost = {n - 1 for n in numbers} - numbers - {0}
    for page in bare:
        if line := _signed(page, signs):
            found.append(Span(line.start, page[-1].end))
        else:
            found += [Span(notes[0].start, notes[-1].end) for n in lost for notes in _numbered(page, n)]
    kept = found[:-1] if goes_on and not stopped else found
    return sorted([*kept, *unmarked]) if len(kept) >= _CUSTOM else kept


def _interrupting(page: Sequence[Line], following: Sequence[Line], usual: float) -> list[Sequence[Line]]:
    """The notes of a page whose last sentence goes on overleaf: what stands apart below it, and begins anew."""
    if not following or not _GOES_ON.match(following[0].text):
        return []
    while len(page) > 1 and page[-1].above > 1 and page[-1].letters < _DIRT:
        page = page[:-1]
    places = [n for n in range(max(1, len(page) - _MOST), len(page)) if _may_interrupt(page[n - 1], page[n], usual)]
    # A sign tells most, and a comma may be a full stop misread.
    places.sort(key=lambda n: (not _SIGNED.match(page[n].text), page[n - 1].text.endswith(","), n))
    for notes in (page[n:] for n in places):
        last = notes[-1].text
        # Running text, which goes on, would fill its last line and have no stop there.
        signed = _SIGNED.match(notes[0].text) or _sign(notes[0].text)
        if not signed and len(notes) > _FEW and page[-len(notes) - 1].text.endswith(","):
            continue
        ends = _CLOSES.search(last) or len(last) < _SHORT * usual or len(notes[0].text) >= LONG * usual
        if ends or signed:
            return _parted(notes)
    return []


def _numbered(page: Sequence[Line], due: int) -> list[Sequence[Line]]:
    """The notes of a page that stand apart at its foot, the first of them with the number that is due, if one is."""
    for n in range(max(1, len(page) - _MOST), len(page)):
        match = _NUMBER.match(page[n].text)
        if match and page[n].above > 1 and not match["stop"] and int(match["number"]) == due > 0:
            return _parted(page[n:])
    return []


def _sign(note: str) -> str:
    return note[0] if _FOREIGN.match(note) else ""


def _signed(page: Sequence[Line], signs: str) -> Line | None:
    """The line below which a page has a note, by a sign that marks others: it stands apart near its foot.

    Where others are marked by several signs, one mark is read so variously that any may be it.
    """
    places = (n for n in range(max(1, len(page) - _FEW), len(page)) if page[n].text[0] in signs or len(set(signs)) > 1)
    return next((page[n] for n in places if page[n].above > 1 and _sign(page[n].text)), None)


def _parted(notes: Sequence[Line]) -> list[Sequence[Line]]:
    """Notes below one another: each begins after a blank line, or with a sign or the next number."""
    first = _NUMBER.match(notes[0].text)
    number = int(first["number"]) if first else 0
    starts = []
    for k, note in enumerate(notes):
        match = _NUMBER.match(note.text)
        follows = match is not None and number > 0 and int(match["number"]) == number + 1
        number += follows
        if not k or note.above > 1 or follows or _SIGNED.match(note.text):
            starts.append(k)
    return [notes[a:b] for a, b in pairwise([*starts, len(notes)])]


def _may_interrupt(above: Line, line: Line, usual: float) -> bool:
    """Whether a line stands apart and begins anew, although a full line above it ends in the midst of a sentence."""
    begins = (line.above > 1 and _BEGINS.match(line.text)) or _SIGNED.match(line.text) or _sign(line.text)
    cut = _UNFINISHED.search(above.text) and len(above.text) >= _CUT * usual and not above.capital
    return bool(begins and cut) and not line.capital and line.letters >= _FEWEST


def _apart(foot: Sequence[Line]) -> int | None:
    """The last of some lines that begins a paragraph, with a word and no label."""
    begins = [n for n, line in enumerate(foot) if line.above > 1 and _PROSE.match(line.text) and not line.capital]
    return begins[-1] if begins else None


def _small(page: Sequence[Line], usual: float) -> Sequence[Line]:
    """The last lines of a page after the last one that is as long as a line of the text; a note may end so long."""
    ends = len(page) > 1 and len(page[-2].text) >= LONG * usual and _ENDS.search(page[-1].text) is not None
    for n in range(len(page) - ends, 0, -1):
        if SHORT * usual <= len(page[n - 1].text) < LONG * usual:
            return page[n:]
    return page


def _is_note(lines: Sequence[Line], usual: float) -> bool:
    """Whether lines are the prose of a note: full lines, of which only the last of a paragraph is short."""
    full = [len(line.text) >= LONG * usual for line in lines]
    ends = [long or _ENDS.search(line.text) is not None for long, line in zip(full, lines, strict=True)]
    last = len(lines) > 1 and lines[-1].text.endswith(",")  # a full stop, misread
    return bool(full) and full[0] and all(ends[: len(ends) - last])
