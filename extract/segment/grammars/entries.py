"""Grammar of lists of contents and indexes: where entries begin and end, which are headings, what they are called."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from extract.corpus.plan import EntriesPart
from extract.language.lexicon import core, word_set
from extract.language.sentences import boundaries
from extract.segment.grammars.index_order import in_order
from extract.segment.grammars.provisions import heading_segment
from extract.segment.inline_headings import heading_end
from extract.segment.outline import Paragraph, WorkingText
from extract.segment.segment import Segment, slug
from extract.text.lines import Line, division

_PAGE_GLYPHS = r"0-9iIlLoOnSgTJ%\]\['"
_SMALL_WORDS = r"(?!(?:in|it|to|on|of|not|into|till)\b)"
# After the page one letter may stand that is none: a speck at the edge of the column.
_ENTRY_START = re.compile(
    rf"(?:(?<=[\s.,])(?=[{_PAGE_GLYPHS}]*\d)[{_PAGE_GLYPHS}]{{1,5}}(?: [I|!](?= [A-Z][a-z]+,))?|(?<=, )\d{{2,3}}\."
    rf"|(?<=[,.] ){_SMALL_WORDS}[iIlnotTJ^]{{1,3}}|(?<=[,.]\" ){_SMALL_WORDS}[iIlnogTJ^]{{2,3}}|(?<=[a-z\"] )[iI])"
    r" +(?=\"? ?[A-Z“'][A-Z]?[a-z'’.]|\"? ?[A-Z]\. |A [a-z]|[A-Z]{4,} )"
)
_COMPLETE = re.compile(r"(?:[\s.,·•]\(?[\dIVXivxlnog]{1,5}|\bib\.?|\bviz\.|[:)])[.,)]*$")
# Whatever stands in the column of pages, misread or not: it is set apart by a wide blank or by leader dots.
_IN_COLUMN = re.compile(r"(?: {4,}|\t(?=\W+$)|\s\.(?:\s*\.)*\s+)\S{1,4}$")
_PAGE = re.compile(r"(?:\d|\bib\.?)[.,)]*$")
_NUMBERED = re.compile(r"\d{1,2}(?: \d)?\s?[.,-]{0,2}\s?[—_–]")
_STOPPED = re.compile(r"[a-z)][.:]$")
_TITLE = 3
_LEADING_HEAD = re.compile(r"(?:[A-Z]{4,}[.,]? )+(?=\"? ?[A-Z][a-z])")
_DIVISION = re.compile(r"(?:PART|Chapter|CHAPTER|Section|SECTION) [IVXHL\d]+[.,].*")
_OPENS_DIVISION = re.compile(r"(?:PART|Chapter|CHAPTER|Section|SECTION) [IVXHL\d]{1,5}\b")
_LABEL = re.compile(r"(?:[A-Z][A-Za-z ]* )?\d{1,2}(?: \d)?\s?[.,-]{0,2}\s?[—_–]\s*|(?:[A-Z][a-z]+ )?\d{1,2} (?=\d+$)")
_HEAD_END = re.compile(
    r",? ?(?=\d)|[\s.]+(?=\d)|[,.] ?\.|,? see\b|, [Pp]assim\b|,? ib\b|, [iIlo]{1,3}(?=[,.\s\d]|$)|\s[ivxl]+$"
    r"|,? \S*[^\w\s.,;:?!'\"’”()&—-]\S*"
)
_CITING = word_set("citing")
_CLOSED_UP = (
    (re.compile(r"\s*—\s*"), "—"),
    (re.compile(r"\s+(?=[;:?!,.])"), ""),
    (re.compile(r"\"\s*([^\"]*?)\s*\""), r'"\1"'),
)


@dataclass(frozen=True, slots=True)
class _Extent:
    """An entry in the working text; `heads` if it is known to be a heading."""

    start: int
    end: int
    heads: bool = False


def entries(work: WorkingText, part: EntriesPart, book_id: str, start: int, end: int) -> list[Segment]:
    """The entries of an index or a list of contents, each a unit.

    Args:
        work: the working text.
        part: the part; `topics` says that an entry is a topic in a line of its own with what stands under it.
        book_id: the book's id.
        start, end: the part, as offsets into the working text.
    """
    segments: list[Segment] = []
    section: Segment | None = None
    for span in _entry_spans(work, part, start, end):
        text = " ".join(work.text[span.start : span.end].split())
        if not any(map(str.isalnum, text)):
            continue
        if span.heads or _is_heading(text):
            section = heading_segment(
                book_id, Paragraph(span.start, span.end, _closed_up(text), heading=True), divides=False
            )
            segments.append(section)
            continue
        label = _topic(work.text[span.start : span.end]) if part.topics else _label(text)
        stem = label if any(map(str.isalpha, label)) else text
        name = f"{part.slug or part.id}-{slug(stem.replace('—', ' '), 6)}"
        kind, breaks = part.kind, _after_topic(work, part, span)
        entry = Segment(kind, span.start, span.end, book_id, name, label, parent=section, breaks=breaks)
        segments += [entry, *(_under(work, entry) if part.topics else ())]
    return segments


def _under(work: WorkingText, entry: Segment) -> Iterator[Segment]:
    """What stands under a topic, if it is several matters: sentences that begin with words, each with its own numbers.

    `Laws 2 to 12. Cases 124 to 127.` is no matter of its own, since its sentences begin with what they refer to.
    """
    start = entry.breaks[0] if entry.breaks else entry.end
    starts = [start, *(gap.end for gap in boundaries(work.text, start, entry.end))]
    spans = [work.trim(a, b) for a, b in pairwise([*starts, entry.end])]
    texts = [" ".join(work.text[a:b].split()) for a, b in spans]
    if len(texts) < 2 or any(core(text.split()[0]).lower() in _CITING for text in texts):
        return
    for (a, b), text in zip(spans, texts, strict=True):
        label = text.partition(",")[0]
        yield entry.inner(entry.kind, a, b, slug(label, 6), label)


def _after_topic(work: WorkingText, part: EntriesPart, span: _Extent) -> tuple[int, ...]:
    """Where the text under a topic begins; an entry of another list runs on, however its lines stand apart."""
    if not part.topics or work.layout == "single-line":
        return ()
    inside = [x for x in work.lines if span.start <= x.start and x.end <= span.end]
    return tuple(x.start for x in inside[1:] if not x.text[0].islower())[:1]


def _topic(text: str) -> str:
    """The first line of a topic, and the next ones that go on with it."""
    first, *rest = [" ".join(line.split()) for line in text.split("\n") if line.strip()]
    for line in rest:
        if not line[0].islower():
            break
        first = f"{first} {line}"
    return first


def _label(text: str) -> str:
    """What an entry is called: its words without its pages.

    >>> _label("6. — Of Exposed Cards 17"), _label("Battle, Mrs., 6"), _label("Section 1 37")
    ('6.—Of Exposed Cards', 'Battle, Mrs.', 'Section 1')
    """
    numbered = _LABEL.match(text)
    number, words = (numbered[0], text[numbered.end() :]) if numbered else ("", text)
    pages = _HEAD_END.search(words, 0 if number else 1)
    head = number + (words[: pages.start()] if pages else words)
    label = _closed_up(head.strip(" ,—") if pages and pages[0].startswith(",") else head.strip(" ,.—"))
    return (label.removesuffix(',"') + '"' if label.endswith(',"') else label) or text


def _closed_up(text: str) -> str:
    """Text without the blanks that the printer sets beside dashes, stops and quotation marks."""
    for pattern, read in _CLOSED_UP:
        text = pattern.sub(read, text)
    return text


def _is_heading(text: str) -> bool:
    """Whether an entry is a heading among them: capitals without a page, or a part or chapter of the book."""
    letters = [c for c in text if c.isalpha()]
    capital = sum(c.isupper() for c in letters) >= 0.8 * len(letters)
    return (capital and not re.search(r"\d$", text)) or (bool(_DIVISION.match(text)) and not re.search(r"\d$", text))


def _entry_spans(work: WorkingText, part: EntriesPart, start: int, end: int) -> list[_Extent]:
    """The entries, and which of them are known to be headings."""
    if work.layout == "single-line":
        return _inline_entries(work, part, start, end)
    lines = work.lines_within(start, end)
    return _topics(lines) if part.topics else _listed(work, lines)


def _topics(lines: Sequence[Line]) -> list[_Extent]:
    """Topics: each begins with a line without numbers after one that ends a sentence."""
    spans: list[_Extent] = []
    complete = True
    for line in lines:
        if not spans or (complete and line.text[0].isupper() and not any(map(str.isdecimal, line.text))):
            spans.append(_Extent(line.start, line.end))
        else:
            spans[-1] = _Extent(spans[-1].start, line.end)
        complete = line.text.rstrip('"').endswith((".", ")")) or len(spans) == 1
    return spans


def _listed(work: WorkingText, lines: Sequence[Line]) -> list[_Extent]:
    """Entries that end with their page; a numbered division and the title under it are one heading."""
    spans: list[_Extent] = []
    complete, titled = True, -1
    for i, line in enumerate(lines):
        above = lines[i - 1] if i else None
        if spans and titled < i and _stands_alone(work, spans[-1]):
            titled = _title_end(work, lines, i)
        if i <= titled:
            spans[-1] = _Extent(spans[-1].start, line.end, heads=True)
        elif not spans or line.capital or (complete and not _goes_on(above, line)) or _opens(above, line):
            spans.append(_Extent(line.start, line.end))
        else:
            spans[-1] = _Extent(spans[-1].start, line.end)
        complete = i == titled or _completes(work, line)
    return spans


def _stands_alone(work: WorkingText, span: _Extent) -> bool:
    """Whether an entry is nothing but the number of a division: `CHAPTER VI.`"""
    text = work.text[span.start : span.end]
    return len(text.split()) == 2 and division(" ".join(text.split())) is not None and not _PAGE.search(text)


def _title_end(work: WorkingText, lines: Sequence[Line], first: int) -> int:
    """The last line of a title that begins at `first`: it ends with a stop and has no page; -1 if there is none."""
    for i, line in enumerate(lines[first : first + _TITLE], first):
        if _NUMBERED.match(line.text) or _OPENS_DIVISION.match(line.text):
            break
        if _STOPPED.search(line.text):
            return i
        if _completes(work, line):
            break
    return -1


def _completes(work: WorkingText, line: Line) -> bool:
    """Whether an entry ends with a line: it has a page, or is a heading, or its cell of the pages is empty."""
    raw = work.text[line.start : line.end]
    if line.capital or _COMPLETE.search(line.text) or _IN_COLUMN.search(raw):
        return True
    empty = work.text[line.end : line.end + 1] == "\t"
    return _STOPPED.search(line.text) is not None and (empty or _OPENS_DIVISION.match(line.text) is not None)


def _goes_on(above: Line | None, line: Line) -> bool:
    """Whether a line goes on with the entry above it, which seems to end with a page but ends with a word (`in`)."""
    return above is not None and line.text[0].islower() and not _PAGE.search(above.text)


def _opens(above: Line | None, line: Line) -> bool:
    """Whether a line begins with the number of an entry (`7. — Of the Call`, `Section 2` after a stop)."""
    if _NUMBERED.match(line.text):
        return True
    return above is not None and above.text.endswith((".", ":")) and _OPENS_DIVISION.match(line.text) is not None


def _inline_entries(work: WorkingText, part: EntriesPart, start: int, end: int) -> list[_Extent]:
    """Entries of a single-line scan, and which are headings: an entry ends with its pages, a heading is named."""
    starts = [start, *(m.end() for m in _ENTRY_START.finditer(work.text, start, end))]
    spans: list[_Extent] = []
    for a, b in pairwise([*starts, end]):
        while True:
            a, b = work.trim(a, b)
            head = _head_end(work.text, a, b, part.headings)
            if not a < head < b:
                break
            spans.append(_Extent(*work.trim(a, head), heads=True))
            a = head
        spans.append(_Extent(a, b))
    spans = [s for s in spans if s.start < s.end]
    first = next((i for i, s in enumerate(spans) if not s.heads), len(spans))
    if any(s.heads for s in spans[first:]):
        return spans
    return [*spans[:first], *(_Extent(a, b) for a, b in in_order(work.text, [(s.start, s.end) for s in spans[first:]]))]


def _head_end(text: str, start: int, end: int, headings: Sequence[str]) -> int:
    """Where a heading ends that stands at `start`: one that the book's plan names, garbled or not, or capitals."""
    named = heading_end(text, start, end, headings)
    if named > start:
        return named
    capitals = _LEADING_HEAD.match(text, start, end)
    return capitals.end() if capitals else start
