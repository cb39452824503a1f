"""Grammar of numbered provisions: laws and articles with their numbered paragraphs, etiquette rules, tests."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from extract.corpus.plan import Provisions, Series
from extract.errors import BookError
from extract.language.sentences import boundaries, ends_paragraph
from extract.numbering.numerals import arabic, is_roman, lettered, roman
from extract.segment.headings import is_heading
from extract.segment.label import series_marks
from extract.segment.mark import Mark
from extract.segment.outline import Paragraph, WorkingText
from extract.segment.segment import Segment, slug
from extract.text.lines import Line, collapse, division, indent

_STEMS = {"CHAPTER": "ch", "SECTION": "s", "APPENDIX": "app", "PART": "part", "BOOK": "book"}
_HYPHEN = re.compile(r"(\w)- (\w)")
_CHAPTER = re.compile(r"(?<!END OF )CHAPTER (?P<numeral>[IVXLC]+)\b")
_NOTE = re.compile(r"(?m)^(?:N\. ?B\.)")
_CAPITALS = re.compile(r"(?:(?:[A-Z][A-Z'’&]+|[A-Z]\.|&c)[.,:;]? +)+$")
_LABEL_SEEN = re.compile(r"[(\[_*]?(?:§ ?|[A-Z][A-Za-z]{1,10}\.? )?(?:\d{1,4}|[IVXL]{1,7})[.):\],_*—-]+(?=\s)")
_BORDER = re.compile(r"\n\s*")
_COLON = re.compile(r":\s?[—–-]*\s*")
_LONGEST_TITLE = 50
_SET_APART = re.compile(r"([_=+])[A-Z][^_=+]*\1")
_CUSTOM = 3  # headings not in capitals that show a book has them
_SENTENCE = re.compile(r"[\"“‘']?[A-Z][a-z']* [a-z]")
_TITLED = 2  # words of a heading whose first letter may be misread
_PARTED = 0.75  # of a full line, the last line of a paragraph where no blank lines part them
_CLOSES = re.compile(r"[.;:,?!)]$")
_MAY_END = re.compile(r"[.!?:;,)\]*}—\"'”’]\W*$")


def provisions(work: WorkingText, part: Provisions, book_id: str, start: int, end: int) -> list[Segment]:
    """Segment a part whose units bear labels of one or more series, one series after the other.

    Args:
        work: the working text.
        part: the part of the book, with its series.
        book_id: the book's id, for units that belong to no code.
        start, end: the part, as offsets into the working text.
    Returns:
        Headings, provisions, their numbered paragraphs and notes, in reading order.
    Raises:
        BookError: a series that is the only one, or of which the plan expects labels, finds none as they are written.
    """
    placed: list[tuple[Series, Mark]] = []
    for series in part.series:
        shy = any("{I}" in label for label in series.subdivisions)
        found = series_marks(work, start, end, series.label, series.highest, alone=series.alone, running=series.running,
                             shy=shy, first=series.first, expect=series.expect)  # fmt: skip
        if (series.expect or len(part.series) == 1) and all(mark.misreadings for mark in found):
            seen = _labels_seen(work, start, end)
            if not found or len(found) * 2 < len(seen):  # a few of another kind were read as misread ones
                raise BookError(_nothing_found(series, seen))
        placed += [(series, mark) for mark in found]
    placed.sort(key=lambda x: x[1].start)
    titles = {mark.end for series, mark in placed if series.alone}
    headings = [  # a title below a label that has a line of its own is the provision's
        h for h in _headings(work, start, end, [m for _, m in placed]) if _text_end(work.text, h.start) not in titles
    ]
    segments: list[Segment] = []
    current: Segment | None = None
    run_in = [heading for _, mark in placed if (heading := _run_in(work, start, mark))]
    headings = sorted([*headings, *run_in], key=lambda h: h.start)
    borders = sorted([h.start for h in headings] + [m.start for _, m in placed] + [end])
    pending = list(headings)
    for series, mark in placed:
        while pending and pending[0].start < mark.start:
            current = heading_segment(book_id, pending.pop(0))
            segments.append(current)
        stop = next(b for b in borders if b > mark.start)
        segments += provision(work, series, mark, stop, book_id, current)
    for heading in pending:
        segments.append(heading_segment(book_id, heading))
    return segments


def _run_in(work: WorkingText, start: int, mark: Mark) -> Paragraph | None:
    """A heading that stands before a label in its line, in capitals or set apart (`THE DEAL. 12. ...`)."""
    if work.layout == "single-line" or indent(work.text, mark.start) > 2 * _LONGEST_TITLE:
        return None
    begin, end = work.trim(max(start, mark.start - indent(work.text, mark.start)), mark.start)
    words = work.text[begin:end]
    line = Line(begin, end, words, 2, 2)
    apart = line.capital or _SET_APART.fullmatch(words)
    if begin == end or not apart or len(words) > _LONGEST_TITLE or not is_heading(line):
        return None
    return Paragraph(begin, end, collapse(words), True)


def _text_end(text: str, at: int) -> int:
    """Where the text before an offset ends."""
    while at and text[at - 1].isspace():
        at -= 1
    return at


def _labels_seen(work: WorkingText, start: int, end: int) -> list[str]:
    """What lines begin with that may be labels."""
    found = (_LABEL_SEEN.match(work.text, at, end) for at in work.line_starts(start, end))
    return [" ".join(label[0].split()) for label in found if label]


def _nothing_found(series: Series, seen: Sequence[str]) -> str:
    """What to say where no line begins with a label of a series: what the lines do begin with."""
    told = f"labels seen there are {', '.join(seen[:6])}" if seen else "no line there begins with a number"
    return f"no line begins with a label like {series.label!r}; {told}: correct the label, or where the part begins."


def heading_segment(book_id: str, heading: Paragraph, *, divides: bool = True) -> Segment:
    """A section: it covers the words of its heading and is the parent of what it heads.

    A numbered division of the book is named by its number (`ch5`, `s8`); `segment` puts the chapter before it.
    In a list of contents it does not divide the book, and has the name of its words.
    """
    text = _HYPHEN.sub(r"\1\2", heading.text)
    part = division(text) or ((found := _CHAPTER.search(text)) and ("CHAPTER", found["numeral"]))
    number = part and _decoded(part[1])
    stem = _STEMS.get(part[0]) if part and number and divides else None
    name = f"{stem}{number}" if stem else f"section-{slug(text)}"
    return Segment("section", heading.start, heading.end, book_id, name, text, division=stem is not None)


def _decoded(numeral: str) -> int | None:
    """The number of a division, if its numeral is read without a doubt."""
    if numeral.isdecimal():
        return int(numeral)
    low = numeral.lower()
    if len(low) == 1 and low not in "ivx":
        return None  # a letter: `APPENDIX C`
    return arabic(low) if is_roman(low) else None


def _before_label(work: WorkingText, heading: Paragraph, marks: Sequence[Mark]) -> Paragraph:
    """A heading without the label under it, misread as capitals (`C J.` for C 1)."""
    stop = next((m.start for m in marks if heading.start < m.start < heading.end), heading.end)
    start, end = work.trim(heading.start, stop)
    return heading if stop == heading.end else Paragraph(start, end, collapse(work.text[start:end]), True)


def _headings(work: WorkingText, start: int, end: int, marks: Sequence[Mark]) -> list[Paragraph]:
    """Headings of a part: paragraphs in capitals; in a single-line scan, capitals before the first label or any."""
    if work.layout != "single-line":
        headings = (p for p in work.paragraphs(start, end) if p.heading)
        capitals = [_before_label(work, p, marks) for p in headings if not any(m.start == p.start for m in marks)]
        titled = _titled(work, start, marks, capitals)
        return sorted([*capitals, *titled, *_below_last(work, titled, marks, end)], key=lambda p: p.start)
    found = [p for p in work.paragraphs(start, marks[0].start) if p.heading] if marks else []
    floor = found[-1].end if found else start
    for mark in marks:
        match = _CAPITALS.search(work.text[floor : mark.start])
        if match and len(match[0].strip()) > 5:
            a, b = work.trim(floor + match.start(), mark.start)
            found.append(Paragraph(a, b, " ".join(work.text[a:b].split()), True))
        floor = mark.end
    return found


def _titled(work: WorkingText, start: int, marks: Sequence[Mark], capitals: Sequence[Paragraph]) -> list[Paragraph]:
    """Headings not in capitals (`The Rubber.`, `_Scoring._`): a line alone, directly before a label."""
    found: list[Paragraph] = []
    lines = work.lines_from(start, marks[-1].start) if marks else []
    starts = [line.start for line in lines]
    for mark in marks:
        i = bisect_left(starts, mark.start) - 1
        i -= i > 0 and lines[i].text.startswith("[") and lines[i].text.endswith("]")  # `[§§ 6-11]` below its title
        line = lines[i] if 0 <= i < len(lines) else None
        if line is None or line.capital or len(line.text) > _LONGEST_TITLE:
            continue
        full = _line_width(work, mark.start, mark.start)
        after = line.above > 1 or (line.above == 1 and len(lines[i - 1].text) < _PARTED * full)
        tight = i > 0 and after and line.below == 1
        seen = _as_printed(line)
        if not is_heading(replace(seen, above=2, below=2) if tight else seen) or not (tight or line.isolated):
            continue
        over = lines[i - 1].text if i else "."
        if not (ends_paragraph(over) if tight else _MAY_END.search(over) or is_heading(lines[i - 1])):
            continue
        if not any(m.start <= line.start < m.end for m in marks):
            found.append(Paragraph(line.start, line.end, line.text, True))
    return [p for p in found if not any(c.start <= p.start < c.end for c in capitals)]


def _below_last(work: WorkingText, titled: Sequence[Paragraph], marks: Sequence[Mark], end: int) -> list[Paragraph]:
    """The heading below the last provision, over what bears no label, in a book that has such headings not in capitals.

    It stands apart from the sentence above it, and another begins below it.
    """
    if len(titled) < _CUSTOM:
        return []
    for above, line, below in zip(*(work.lines_from(marks[-1].start, end)[n:] for n in range(3)), strict=False):
        apart = line.above > 1 and _MAY_END.search(above.text) and _SENTENCE.match(below.text)
        seen = replace(_as_printed(line), above=2, below=2)
        if apart and len(line.text) <= _LONGEST_TITLE and is_heading(seen):
            return [Paragraph(line.start, line.end, line.text, True)]
    return []


def _as_printed(line: Line) -> Line:
    """A line that may be a heading, with the full stop that is read as a comma, and the capital that is read small."""
    text = line.text.rstrip(",")
    words = text.split()
    titled = len(words) > _TITLED and all(word[0].isupper() for word in words[1:])
    return replace(line, text=text[0].upper() + text[1:] if titled else text)


def provision(
    work: WorkingText, series: Series, mark: Mark, stop: int, book_id: str, section: Segment | None
) -> list[Segment]:
    """One provision with its paragraphs and notes, from its label to `stop`."""
    start, end = work.trim(mark.start, stop)
    number = f"{series.prefix}{mark.number}{mark.letter}"
    notes = _notes(work, mark.end, end)
    if notes:
        end = work.trim(start, notes[0][0])[1]
    main = Segment(
        series.kind, start, end, series.code or book_id, f"{series.slug}-{number.lower()}",
        f"{series.name} {number.upper() if series.prefix else number}".strip(), number, series.code, section,
        confidence=mark.confidence, misreadings=mark.misreadings,
    )  # fmt: skip
    segments = [main, *_subdivisions(work, series, main, mark.end)]
    for i, (a, b) in enumerate(notes):
        segments.append(main.inner("note", a, b, f"note-{i + 1}" if len(notes) > 1 else "note", "Note"))
    return segments


def _notes(work: WorkingText, start: int, end: int) -> list[tuple[int, int]]:
    """`N.B.` and star notes that follow a provision."""
    starts = [m.start() for m in _NOTE.finditer(work.text, start, end)]
    return [work.trim(a, b) for a, b in pairwise([*starts, end])]


def _subdivisions(work: WorkingText, series: Series, main: Segment, start: int) -> list[Segment]:
    """The numbered paragraphs of a provision, or its unnumbered items after a colon."""
    for label in series.subdivisions:
        marks = _with_lost_first(work, start, series_marks(work, start, main.end, label, 12))
        if len(marks) > 1 and marks[0].number == 1:
            break
    else:
        return _items(work, main) if series.items else []
    segments: list[Segment] = []
    for i, mark in enumerate(marks):
        last = i + 1 == len(marks)
        a, b = work.trim(mark.start, _last_end(work, mark, main.end) if last else marks[i + 1].start)
        number = roman(mark.number) if "{I}" in label else lettered(mark.number) if "{a}" in label else str(mark.number)
        shown = number.upper() if "{I}" in label else number
        paragraph = main.inner("subclause", a, b, number, f"{main.label} ({shown})", number, mark.confidence)
        paragraph.misreadings = mark.misreadings
        segments.append(paragraph)
    return segments


def _with_lost_first(work: WorkingText, start: int, marks: list[Mark]) -> list[Mark]:
    """Where the label of the second paragraph stands, but none of the first: that one follows the colon."""
    if len(marks) > 1 and marks[0].number == 2:
        colon = _COLON.search(work.text, start, marks[0].start)
        if colon and colon.end() < marks[0].start:
            return [Mark(colon.end(), colon.end(), 1, 0.6), *marks]
    return marks


def _last_end(work: WorkingText, mark: Mark, end: int) -> int:
    """Where the last numbered paragraph ends: what follows it may be the provision's own text again."""
    text = work.text
    if work.layout == "single-line":
        return next((gap.start for gap in boundaries(text, mark.end, end)), end)
    width = _line_width(work, mark.start, end)
    for match in _BORDER.finditer(text, mark.end, end):
        line_start = text.rfind("\n", 0, match.start()) + 1
        line = text[line_start : match.start()].rstrip()
        follows = text[match.end() : match.end() + 12].lstrip()
        if follows[:1].islower() and work.page_between(match.start(), match.end()):
            continue
        if not _CLOSES.search(line) or follows.startswith(("—(", "— (", "(See", "-(")):
            continue
        if match[0].count("\n") > 1 or (line[-1] in ";:." and len(line) < 0.85 * width):
            return match.start()
    return end


def _line_width(work: WorkingText, start: int, end: int) -> int:
    """The length of a full printed line hereabouts, in characters."""
    first, last = work.line_after(start - 600), work.line_after(end + 599)
    lengths = [line.end - line.start for line in work.lines[first:last]]
    return sorted(lengths)[int(len(lengths) * 0.8)] if lengths else 1


def _items(work: WorkingText, main: Segment) -> list[Segment]:
    """Unnumbered items: the paragraphs after a first one that ends with a colon."""
    paragraphs = [p for p in work.paragraphs(main.start, main.end) if not p.text.startswith(("[", "⁽", "("))]
    if len(paragraphs) < 3 or not paragraphs[0].text.endswith(":"):
        return []
    return [
        main.inner("subclause", p.start, p.end, str(i), f"{main.label} ({i})", str(i), 0.9)
        for i, p in enumerate(paragraphs[1:], 1)
    ]
