"""Clean a scan: join what line ends cut, correct signs and words, and settle the white space.

The editor's readings come first and stand; the machine reads what is left. A text that is hardly misread keeps its
signs and words: what the rules would change there is mostly right as it is, and becomes a suggestion.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from extract.clean.hyphens import Join, count_words, find_joins
from extract.clean.running import Piece, running_text, with_joins
from extract.clean.signs import SignRule, correct_signs, sign_rules
from extract.clean.spaces import SpanSet
from extract.clean.words import WordReading, read_words
from extract.language.lexicon import load_lexicon
from extract.model import STANDING, Edit, Span
from extract.text.stream import Gap, Stream, Token, read_stream

_HARDLY = 0.0002
"""Misread words among all words: a text with fewer keeps its letters. Three proof-read e-texts have up to 0.00014 (by
chance), our four scans and four others from 0.0003 on."""


_SURE, _UNSURE = 0.95, 0.5
_BLANKS = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Cleaned:
    """What the machine changes in a scan (`edits`) and would change (`suggestions`), in order.

    `stream` is the scan as it is read: its gaps are those that no edit covers (`extract.clean.spaces`).
    """

    edits: tuple[Edit, ...]
    suggestions: tuple[Edit, ...]
    stream: Stream = field(repr=False)


def clean(
    scan: str,
    furniture: Sequence[Edit],
    *,
    habits: Sequence[SignRule] = (),
    terms: tuple[str, ...] = (),
    readings: Sequence[Edit] = (),
    confirmed: Sequence[Span] = (),
) -> Cleaned:
    """Correct the letters of a scan.

    Args:
        scan: the text of the scan.
        furniture: deletions of running heads, folios and signatures.
        habits: the signs that this scan misreads again and again.
        terms: words of the library's subject.
        readings: the editor's edits, which stand.
        confirmed: spans that the scan has as they are printed.
    Returns:
        Edits that fit `furniture` and `readings`, and suggestions, which change nothing.
    """
    stream = read_stream(scan, furniture, readings)
    lexicon, words = load_lexicon(terms), count_words(stream)
    joins = find_joins(stream, lexicon, words)
    standing = SpanSet([*(edit.span for edit in readings if edit.kind in STANDING), *confirmed])
    as_read = running_text(stream, [*with_joins([*_pieces(stream, standing)], _betweens(joins))])
    signs = correct_signs(as_read, (*habits, *sign_rules()))
    found = [*read_words(signs.pieces, lexicon, words)]
    errors = sum(reading.clear for reading in found) + sum(edit.kind == "ocr" for edit in readings)
    misread = errors >= _HARDLY * len(stream.tokens)
    clear = [reading for reading in found if reading.clear and misread]
    pieces = _with_words(signs.pieces, clear) if misread else as_read.pieces
    edits = [edit for piece in pieces for edit in _edits(stream, piece, joins)]
    doubts = [_suggestion(stream, signs.pieces[reading.piece], reading) for reading in found if reading not in clear]
    return Cleaned(tuple(sorted(edits)), tuple(doubts), _settled(stream, pieces))


def _pieces(stream: Stream, standing: SpanSet) -> Iterator[Piece]:
    """Each token as a piece of its own, fixed if the editor has read or confirmed it, or furniture interrupts it."""
    for i, token in enumerate(stream.tokens):
        other = token.text != stream.scan[token.start : token.end]
        fixed = token.fixed or other or standing.meets(Span(token.start, token.end))
        yield Piece(i, i + 1, token.text, fixed=fixed)


def _betweens(joins: Mapping[int, Join]) -> dict[int, str]:
    return {gap: join.between for gap, join in joins.items()}


def _with_words(pieces: Sequence[Piece], found: Iterable[WordReading]) -> tuple[Piece, ...]:
    corrected = [*pieces]
    for reading in found:
        piece = corrected[reading.piece]
        corrected[reading.piece] = replace(piece, text=reading.text, why=(*piece.why, reading.why), word=True)
    return tuple(corrected)


def _edits(stream: Stream, piece: Piece, joins: Mapping[int, Join]) -> Iterator[Edit]:
    """The edits of a piece: one if its letters are read otherwise, else those of its joins."""
    scan, start, end = stream.scan, stream.tokens[piece.first].start, stream.tokens[piece.last - 1].end
    furniture = any(stream.gaps[gap].furniture for gap in piece.joins)
    if piece.why and not furniture:
        why = "; ".join([*(joins[gap].why for gap in piece.joins), *dict.fromkeys(piece.why)])
        text, rule = _BLANKS.sub(" ", piece.text), "word" if piece.word else "sign"
        yield Edit(start, end, scan[start:end], text, piece.kind, "rule", _SURE, why, rule)
        return
    for gap in piece.joins:
        yield from _join_edits(scan, stream.gaps[gap], joins[gap])


def _join_edits(scan: str, gap: Gap, join: Join) -> Iterator[Edit]:
    """Remove the hyphen before a gap and the gap; a word cut by furniture has an edit on each side of it."""
    after, spans = join.between, [*gap.blanks]
    if spans and spans[0].start == gap.start:
        spans[0] = Span(gap.start - 1, spans[0].end)
    else:
        spans.insert(0, Span(gap.start - 1, gap.start))
    for span in spans:
        if scan[span.start : span.end] != after:
            before = scan[span.start : span.end]
            yield Edit(span.start, span.end, before, after, "join", "rule", _SURE, join.why, "hyphen")
        after = ""


def _suggestion(stream: Stream, piece: Piece, reading: WordReading) -> Edit:
    start, end = stream.tokens[piece.first].start, stream.tokens[piece.last - 1].end
    score = _SURE if reading.clear else _UNSURE
    return Edit(start, end, stream.scan[start:end], reading.text, "ocr", "rule", score, reading.why, "word")


def _settled(stream: Stream, pieces: Iterable[Piece]) -> Stream:
    """The stream as it is read: a token for each piece that is not empty, and the gaps between them."""
    tokens: list[Token] = []
    gaps = [stream.gaps[0]]
    for piece in pieces:
        first, last = stream.tokens[piece.first], stream.tokens[piece.last - 1]
        if piece.text:
            tokens.append(Token(first.start, last.end, piece.text, piece.fixed))
            gaps.append(stream.gaps[piece.last])
        else:
            gaps[-1] = gaps[-1].across(stream.gaps[piece.last])
    return Stream(stream.scan, tuple(tokens), tuple(gaps))
