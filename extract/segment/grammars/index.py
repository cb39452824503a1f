"""Grammar of an index by topics: each topic on a line of its own, with the matters under it and where they stand."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from extract.corpus.plan import Matter
from extract.language.lexicon import core, word_set
from extract.language.sentences import boundaries
from extract.segment.outline import Paragraph, WorkingText
from extract.segment.segment import Segment, heading_segment, slug
from extract.text.lines import collapse

_CITING = word_set("citing")


def index(work: WorkingText, part: Matter, book_id: str, start: int, end: int) -> list[Segment]:
    """Make each topic of an index a unit, and each matter under it, if there are several.

    Args:
        work: the working text.
        part: the part; `kind` is the kind of its units, and their ids begin with `slug`.
        book_id: the book's id.
        start, end: the part, as offsets into the working text.
    """
    segments: list[Segment] = []
    for a, b in pairwise([*_topics(work, start, end), end]):
        a, b = work.trim(a, b)
        below = next((x.start for x in work.lines_within(a, b)[1:] if not x.text[0].islower()), b)
        label = collapse(work.text[a:below])
        if below == b:
            segments.append(heading_segment(book_id, Paragraph(a, b, label, heading=True)))
            continue
        topic = Segment(part.kind, a, b, book_id, f"{part.slug or part.id}-{slug(label, 6)}", label, breaks=(below,))
        segments += [topic, *_matters(work, topic, below)]
    return segments


def _topics(work: WorkingText, start: int, end: int) -> Iterator[int]:
    """The starts of topics: each begins with a line without numbers, after a line that ends a sentence."""
    complete = True
    for i, line in enumerate(work.lines_within(start, end)):
        if complete and line.text[0].isupper() and not any(map(str.isdecimal, line.text)):
            yield line.start
        complete = line.text.rstrip('"').endswith((".", ")")) or i == 0


def _matters(work: WorkingText, topic: Segment, start: int) -> Iterator[Segment]:
    """The matters under a topic, if there are several: sentences that begin with words, each with its own numbers.

    `Laws 2 to 12. Cases 124 to 127.` is not divided, because its sentences begin with what they refer to.
    """
    starts = [start, *(gap.end for gap in boundaries(work.text, start, topic.end))]
    spans = [work.trim(a, b) for a, b in pairwise([*starts, topic.end])]
    texts = [collapse(work.text[a:b]) for a, b in spans]
    if len(texts) > 1 and not any(core(text.split()[0]).lower() in _CITING for text in texts):
        for (a, b), text in zip(spans, texts, strict=True):
            label = text.partition(",")[0]
            yield replace(topic.inner(topic.kind, a, b, slug(label, 6), label), breaks=())
