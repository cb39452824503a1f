"""Editions made at random: units, notes, tables, sections, pages, edits and references in every nesting."""

from __future__ import annotations

from bisect import bisect_right
from itertools import pairwise
from pathlib import Path
from typing import get_args

from hypothesis import strategies as st
from lxml import etree

from extract.corpus.book import Author, Book, Code
from extract.model import OWN_KINDS, Edit, Edition, EditKind, EditSource, FolioStatus, Page, Reference, Span, Unit
from extract.text.textlayer import TextLayer

BOOK = Book(
    id="b-1800", title="A Book", short="Book", author=(Author(family="Anon"),), year=1800, place="London",
    publisher="Nobody", note="", sha256="0" * 64, folder=Path(),
    codes=(Code(id="code-1800", title="A Code", short="Code", year=1800, authority="A Club"),),
)  # fmt: skip


def sent(tree: etree._ElementTree) -> etree._ElementTree:
    """A document as it comes back from a file."""
    return etree.fromstring(etree.tostring(tree, encoding="UTF-8")).getroottree()


@st.composite
def laminar(draw: st.DrawFn, borders: list[int], most: int) -> list[Span]:
    """Spans between borders of which no two cross, outer before inner; some may be the same."""
    found: list[Span] = []
    for _ in range(draw(st.integers(0, most))):
        a, b = sorted((draw(st.sampled_from(borders)), draw(st.sampled_from(borders))))
        new = Span(a, b)
        if new and all(not new.meets(s) or new.covers(s) or s.covers(new) for s in found):
            found.append(new)
    return sorted(found, key=lambda s: (s.start, -s.end))


LETTERS = st.text(st.sampled_from("ab.;-  \n\n\t\u00a0\x0cé&<𝔏\r"), max_size=50)
SHORT = st.text(st.sampled_from("aB 1\n&<.\x0c"), max_size=4)
NUMBERS = st.text(st.sampled_from("aB 1\n\t&<."), max_size=4)
RULES = st.sampled_from(("", "space.blank", "word.cut join.hyphen"))
CONFIDENCES = st.sampled_from((1.0, 0.98, 0.9, 0.625, 0.1))


@st.composite
def edits_of(draw: st.DrawFn, scan: str) -> list[Edit]:
    """Edits of all kinds that fit a scan, insertions among them."""
    points = sorted(set(draw(st.lists(st.integers(0, len(scan)), max_size=14))))
    spans = [(a, b) for a, b in pairwise(points) if draw(st.booleans())]
    spans += [(a, a) for a in points if all(a != s and a != e for s, e in spans) and draw(st.booleans())]
    found = []
    for a, b in sorted(spans):
        kind = draw(st.sampled_from(get_args(EditKind)))
        after = draw(st.sampled_from(("", " ", "\n\n", "x", "y z", scan[a:b])))
        source = draw(st.sampled_from(get_args(EditSource)))
        found.append(Edit(a, b, scan[a:b], after, kind, source, draw(CONFIDENCES), draw(NUMBERS), draw(RULES)))
    return found


@st.composite
def some_edition(draw: st.DrawFn) -> Edition:
    """An edition with units, notes, tables, sections, pages and references in every nesting that the model allows."""
    scan = draw(LETTERS)
    edits = draw(edits_of(scan))
    layer = TextLayer(scan, tuple(edits))
    inside = {i for e in edits for i in range(e.raw_start + 1, e.raw_end)}
    borders = [i for i in range(len(scan) + 1) if i not in inside]
    pages = draw(pages_of(scan, borders))
    units = draw(units_of(layer, borders, pages))
    references = draw(references_of(scan, borders, units))
    return Edition(BOOK.id, scan, layer.edits, (), pages, units, references)


@st.composite
def pages_of(draw: st.DrawFn, scan: str, borders: list[int]) -> tuple[Page, ...]:
    starts = sorted(draw(st.lists(st.sampled_from(borders), max_size=4)))
    return tuple(
        Page(
            i,
            a,
            b,
            draw(st.sampled_from((None, "12", "viii"))),
            draw(st.sampled_from(get_args(FolioStatus))),
        )
        for i, (a, b) in enumerate(zip(starts, [*starts[1:], len(scan)], strict=False))
    )


@st.composite
def units_of(draw: st.DrawFn, layer: TextLayer, borders: list[int], pages: tuple[Page, ...]) -> tuple[Unit, ...]:
    spans = draw(laminar(borders, 9))
    ids = [f"{draw(st.sampled_from(('b-1800', 'code-1800')))}/u-{i}" for i in range(len(spans))]
    kinds = draw(st.permutations([*OWN_KINDS, "footnote", "section", "table_row", "law", "law"]))[: len(spans)]
    notes = sorted(s for s, k in zip(spans, kinds, strict=True) if k in ("note", "footnote"))
    parents = st.none() | st.sampled_from(ids or [""])
    found = []
    for i, (span, kind) in enumerate(zip(spans, kinds, strict=True)):
        turned = bisect_right([p.raw_start for p in pages], span.start) - 1
        text = layer.read_around(span, notes)
        found.append(
            Unit(
                ids[i],
                BOOK.id,
                draw(st.sampled_from((None, "code-1800", "other-1900"))),
                kind,
                draw(st.just(" ".join(text.split())) | SHORT),
                draw(st.none() | NUMBERS),
                draw(parents),
                draw(st.none() | SHORT),
                i,
                span.start,
                span.end,
                pages[max(0, turned)].folio if pages else None,
                text,
                draw(CONFIDENCES),
                tuple(draw(st.lists(st.sampled_from((*ids, "code-1800/none")), max_size=2))),
                draw(st.just(tuple(text.split())) | st.lists(NUMBERS, max_size=3).map(tuple))
                if kind in ("table_row", "footnote", "section")
                else (),
            )
        )
    return tuple(found)


@st.composite
def references_of(draw: st.DrawFn, scan: str, borders: list[int], units: tuple[Unit, ...]) -> tuple[Reference, ...]:
    found: list[Reference] = []
    for span in draw(laminar(borders, 4)):
        if any(u.span.meets(span) and not u.span.covers(span) for u in units):
            continue
        holder = next((u for u in reversed(units) if u.span.covers(span)), None)
        if holder is None or holder.cells:
            continue
        for _ in range(draw(st.integers(1, 3))):
            found.append(
                Reference(
                    holder.id,
                    span.start,
                    span.end,
                    scan[span.start : span.end],
                    draw(st.sampled_from((None, *(u.id for u in units), "code-1800/none"))),
                    draw(st.sampled_from(("resolved", "ambiguous", "slip"))),
                    draw(CONFIDENCES),
                )
            )
    return tuple(sorted(found, key=lambda r: (r.raw_start, r.raw_end)))
