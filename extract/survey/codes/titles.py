"""Where the matter of a code begins, and the heading that names it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from extract.language.lexicon import word_set
from extract.survey.codes.inline import INTRODUCTION
from extract.text.headings import block_above, is_heading, names_a_body, numbered_heading, plain
from extract.text.lines import Line

_SHORT = 12  # characters of a title that goes on in the line below (`AN ACT`)
_LONGEST = 100  # characters of a title that stands in several lines
_APART = 3  # line ends above a title that parts it from that of the book
_OWN_TEXT = 2  # paragraphs below a heading that names laws, from which on it is not that of the numbering further down
_BARE = {"laws", "the laws", "rules", "the rules", "regulations"}  # titles that do not say of what
_STRAY = 7  # characters before a label that begins its line: a quotation mark, those of a heading in markdown
_JOINING, _ARTICLES = word_set("joining"), word_set("articles") | {"a"}


def find_heading(
    lines: Sequence[Line], at: int, first: int, floor: int, *, headed: bool = True, divided: bool = False
) -> tuple[int, str]:
    """Where the matter of a code begins, and the heading that names it.

    Args:
        lines: the lines of the text.
        at: the index of the line with the first label.
        first: where that label stands: where the line begins, or behind a quotation mark there, or within the line.
        floor: an offset above which its heading cannot stand.
        headed: headings stand between its laws too, so that the one directly above may be the first of these.
        divided: it is numbered afresh under every heading: below `CHAPTER 1.` stands the title of that chapter.
    Returns:
        An offset, and the heading; empty if there is none.
    """
    if at >= len(lines) or not 0 <= first - lines[at].start <= _STRAY:
        return first, ""
    top = block_above(lines, at)
    if top == at and at and names_a_body(lines[at - 1].text) and is_heading(replace(lines[at - 1], above=2, below=2)):
        top -= 1  # where no blank lines stand
    part = next((i for i in range(top, at) if divided and numbered_heading(plain(lines[i].text))), at)
    named = [i for i in range(top, part) if _names(lines[i])]
    if apart := [i for i in range(top + 1, at) if lines[i].above >= _APART and any(k >= i for k in named)]:
        top = apart[-1]  # what stands above is the title of the book
        named = [i for i in named if i >= top]
    i = top - 1
    texts = 0
    direct = [i for i in range(top, part) if not numbered_heading(plain(lines[i].text))]
    small = named and not lines[named[0]].capital  # it may be that of a division below the title in capitals
    while (
        (not named or (small and texts < _OWN_TEXT))
        and i >= 0
        and lines[i].start >= max(floor, lines[at].start - INTRODUCTION)
    ):
        if is_heading(lines[i]):
            if _names(lines[i]) and (lines[i].capital or not small) and not (divided and _of_part(lines, i)):
                named, small = [i], False
        elif lines[i].above > 1:
            texts += 1
        i -= 1
    while top < at and lines[top].start < floor:
        top += 1
    if named and direct and texts >= _OWN_TEXT and not headed and named[0] < top:
        return lines[top].start, _title(lines, direct[0])
    if named := [i for i in named if lines[i].start >= floor]:
        begin = min(top, block_above(lines, named[0]))
        while lines[begin].start < floor:
            begin += 1
        title = _title(lines, named[0])
        above = _nearest(lines, begin, floor) if title.casefold().strip(".") in _BARE else ""
        return lines[begin].start, f"{above.rstrip('.,;:')}: {title}" if above else title
    direct = [i for i in direct if i >= top] or list(range(top, part))
    if direct:
        return lines[top].start, _title(lines, direct[0])
    return lines[at].start, _nearest(lines, at, max(floor, lines[at].start - INTRODUCTION), divided=divided)


def _nearest(lines: Sequence[Line], at: int, floor: int, *, divided: bool = False) -> str:
    """The last heading above a label, text between; it tells more than none. Empty if there is none below `floor`."""
    i = at - 1
    while i >= 0 and lines[i].start >= floor:
        own = divided and _of_part(lines, i)
        if is_heading(lines[i]) and not own and not numbered_heading(plain(lines[i].text)):
            top = block_above(lines, i)
            top = max([top, *(j for j in range(top, i + 1) if lines[j].above >= _APART)])
            return _title(lines, next(j for j in range(top, i + 1) if not numbered_heading(plain(lines[j].text))))
        i -= 1
    return ""


def _of_part(lines: Sequence[Line], at: int) -> bool:
    """Whether a heading stands below one that numbers a part, as the title of an act below that of its chapter."""
    return any(numbered_heading(plain(line.text)) for line in lines[block_above(lines, at) : at])


def _names(line: Line) -> bool:
    """Whether a heading names a code; `LAW I.--THE GAME` names a division of one."""
    return names_a_body(line.text) and not numbered_heading(plain(line.text))


def _title(lines: Sequence[Line], at: int) -> str:
    """A title, which may stand in several lines (`THE`, `LAWS`, `OF`, `WHIST.`); that of an act goes on below it."""
    title = plain(lines[at].text)
    if title.casefold().rstrip(".").endswith("act") and at + 1 < len(lines) and len(title) < _SHORT:
        return f"{title} {plain(lines[at + 1].text)}"
    above, below = at - 1, at + 1
    while above >= 0 and _one(lines[above], lines[above + 1]) and len(title) < _LONGEST:
        title = f"{plain(lines[above].text)} {title}"
        above -= 1
    while below < len(lines) and _one(lines[below - 1], lines[below]) and len(title) < _LONGEST:
        title = f"{title} {plain(lines[below].text)}"
        below += 1
    whose = plain(lines[above].text) if above >= 0 and is_heading(lines[above]) else ""
    if title.casefold().strip(".") in _BARE and whose and not numbered_heading(whose) and lines[above].capital:
        title = f"{whose.rstrip('.,;:')}: {title}"
    return title.rstrip(",;")


def _one(line: Line, below: Line) -> bool:
    """Whether two lines are one title: a word that joins ends the first or begins the other."""
    if not (line.capital and below.capital) or line.text.endswith((".", ":", "!")):
        return False
    if numbered_heading(plain(line.text)) or numbered_heading(plain(below.text)):
        return False
    last, first = plain(line.text).split()[-1:], plain(below.text).split()[:1]
    return any(w.casefold() in _JOINING for w in last) or any(w.casefold() in _JOINING - _ARTICLES for w in first)
