"""Grammar of tables of contents and indexes: where entries begin and end, which are headings, what their labels are."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from extract.corpus.plan import EntriesPart
from extract.language.lexicon import core, word_set
from extract.language.sentences import boundaries
from extract.segment.outline import Paragraph, WorkingText
from extract.segment.segment import Segment, heading_segment, slug
from extract.text.headings import heading_end
from extract.text.lines import collapse

_PAGE_GLYPHS = r"0-9iIlLoOnSgTJ%\]\['"
_SMALL_WORDS = r"(?!(?:in|it|to|on|of|not|into|till)\b)"
# A page number may be followed by a speck at the edge of the column that was read as a letter.
_ENTRY_START = re.compile(
    rf"(?:(?<=[\s.,])(?=[{_PAGE_GLYPHS}]*\d)[{_PAGE_GLYPHS}]{{1,5}}(?: [I|!](?= [A-Z][a-z]+,))?|(?<=, )\d{{2,3}}\."
    rf"|(?<=[,.] ){_SMALL_WORDS}[iIlnotTJ^]{{1,3}}|(?<=[,.]\" ){_SMALL_WORDS}[iIlnogTJ^]{{2,3}}|(?<=[a-z\"] )[iI])"
    r" +(?=\"? ?[A-Z“'][A-Z]?[a-z'’.]|\"? ?[A-Z]\. |A [a-z]|[A-Z]{4,} )"
)
_CAPITALS = 0.8  # share of capitals among the letters of a heading
_CAPITAL = re.compile(r"(?<=\s)[A-Z]")
_COMPLETE = re.compile(rf"(?:[\s.,·•]\(?{_SMALL_WORDS}[\dIVXivxlnog]{{1,5}}|\bib\.?|\bviz\.|[:)])[.,)]*$")
# Anything in the column of page numbers, misread or not: it is set apart by a wide blank or by leader dots.
_IN_COLUMN = re.compile(r"(?: {4,}|\t(?=\W+$)|\s\.(?:\s*\.)*\s+)\S{1,4}$")
_STOPPED = re.compile(r"[a-z)][.:]$")
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


def entries(work: WorkingText, part: EntriesPart, book_id: str, start: int, end: int) -> list[Segment]:
    """Make each entry of an index or a table of contents a unit.

    Args:
        work: the working text.
        part: the part; `topics`: an entry is a topic on a line of its own, with the text under it.
        book_id: the book's id.
        start, end: the part, as offsets into the working text.
    """
    segments: list[Segment] = []
    for a, b, heads in _extents(work, part, start, end):
        text = collapse(work.text[a:b])
        if heads or _is_heading(text):
            heading = Paragraph(a, b, _closed_up(text), heading=True)
            segments.append(heading_segment(book_id, heading, divides=False))
            continue
        breaks = _after_topic(work, a, b) if part.topics else ()
        label = collapse(work.text[a : breaks[0]] if breaks else text) if part.topics else _label(text)
        stem = label if any(map(str.isalpha, label)) else text
        name = f"{part.slug or part.id}-{slug(stem.replace('—', ' '), 6)}"
        entry = Segment(part.kind, a, b, book_id, name, label, breaks=breaks)
        segments += [entry, *(_under(work, entry) if part.topics else ())]
    return segments


def _under(work: WorkingText, entry: Segment) -> Iterator[Segment]:
    """The matters under a topic, if there are several: sentences that begin with words, each with its own numbers.

    `Laws 2 to 12. Cases 124 to 127.` is not divided, because its sentences begin with what they refer to.
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


def _after_topic(work: WorkingText, start: int, end: int) -> tuple[int, ...]:
    """The offset where the text under a topic begins, if there is any."""
    return tuple(x.start for x in work.lines_within(start, end)[1:] if not x.text[0].islower())[:1]


def _label(text: str) -> str:
    """The label of an entry: its words without its page numbers.

    >>> _label("6. — Of Exposed Cards 17"), _label("Battle, Mrs., 6"), _label("Section 1 37")
    ('6.—Of Exposed Cards', 'Battle, Mrs.', 'Section 1')
    """
    numbered = _LABEL.match(text)
    number, words = (numbered[0], text[numbered.end() :]) if numbered else ("", text)
    pages = _HEAD_END.search(words, 0 if number else 1)
    head = number + (words[: pages.start()] if pages else words)
    label = _closed_up(head.strip(" ,—") if pages and pages[0].startswith(",") else head.strip(" ,.—"))
    return label.removesuffix(',"') + '"' if label.endswith(',"') else label


def _closed_up(text: str) -> str:
    """A text without the blanks that printers set beside dashes, stops and quotation marks."""
    for pattern, read in _CLOSED_UP:
        text = pattern.sub(read, text)
    return text


def _is_heading(text: str) -> bool:
    """Whether an entry is a heading: in capitals, without a page number."""
    letters = [c for c in text if c.isalpha()]
    return sum(c.isupper() for c in letters) >= _CAPITALS * len(letters) and not text[-1].isdecimal()


def _extents(work: WorkingText, part: EntriesPart, start: int, end: int) -> Iterator[tuple[int, int, bool]]:
    """The spans of the entries and of the headings named by the plan; the third value marks such a heading."""
    starts = _inline_starts if work.layout == "single-line" else _topic_starts if part.topics else _listed_starts
    for a, b in pairwise([*starts(work, part, start, end), end]):
        at, b = work.trim(a, b)
        while at < (head := heading_end(work.text, at, b, part.headings)):
            yield at, head, True
            at = work.trim(head, b)[0]
        if at < b:
            yield at, b, False


def _topic_starts(work: WorkingText, part: EntriesPart, start: int, end: int) -> list[int]:
    """The starts of topics: each begins with a line without numbers, after a line that ends a sentence."""
    starts: list[int] = []
    complete = True
    for line in work.lines_within(start, end):
        if not starts or (complete and line.text[0].isupper() and not any(map(str.isdecimal, line.text))):
            starts.append(line.start)
        complete = line.text.rstrip('"').endswith((".", ")")) or len(starts) == 1
    return starts


def _listed_starts(work: WorkingText, part: EntriesPart, start: int, end: int) -> list[int]:
    """The starts of entries that end with their page number, and of headings in capitals or named by the plan."""
    starts: list[int] = []
    complete, ended = True, start
    for line in work.lines_within(start, end):
        if line.start < ended:
            continue  # part of a heading of several lines
        ended = heading_end(work.text, line.start, end, part.headings)
        if complete or line.capital or ended > line.start:
            starts.append(line.start)
        # An entry ends with its page number, or with a stop before an empty cell for page numbers.
        empty = _STOPPED.search(line.text) and work.text[line.end : line.end + 1] == "\t"
        paged = _COMPLETE.search(line.text) or _IN_COLUMN.search(work.text[line.start : line.end])
        complete = bool(line.capital or paged or empty or ended > line.start)
    return starts


def _inline_starts(work: WorkingText, part: EntriesPart, start: int, end: int) -> list[int]:
    """The starts of entries of a single-line scan: after page numbers, or where the plan says that one begins."""
    known = (m.start() for m in _CAPITAL.finditer(work.text, start, end))
    opened = (at for at in known if heading_end(work.text, at, end, part.openings) > at)
    return sorted({start, *opened, *(m.end() for m in _ENTRY_START.finditer(work.text, start, end))})
