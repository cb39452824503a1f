"""Extract the citations of a text, with the words that they quote.

A citation is an id or a permalink (`english-1864/law-72/ii`), or names its work in words (`kb.citing.finding`). The
words it quotes are in quotation marks or a block directly before it, or after it and a colon; for a citation in a
Markdown footnote they may be before the footnote's mark in the text. If a mark `[sha256/16: ...]` follows an id, they
are the words before the id that have this hash. Otherwise they are the only quotation in the sentence, if the citation
is the only one too.
"""

from __future__ import annotations

import re
import sqlite3
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice, pairwise

from extract.corpus.table import WORK_ID
from extract.language.sentences import boundaries
from extract.text.lines import collapse
from kb.citing.citation import Citation
from kb.citing.finding import in_words
from kb.editorial.provisions import letters

LONGEST_QUOTATION = 5000
"""The most characters of a quotation."""
_ID = re.compile(rf"(?<![\w-]){WORK_ID}(?:/[a-z0-9]+(?:-[a-z0-9]+)*)+", re.IGNORECASE)
_MARK = re.compile(r"\[\s*sha256/16:\s*(?P<letters>[0-9a-f]{16})\s*\]", re.IGNORECASE)
_PIECE = re.compile(f"(?P<id>{_ID.pattern})|{_MARK.pattern}", re.IGNORECASE)
# Between words and the id they are quoted from: punctuation, and the beginning of a URL; `In` begins another sentence.
_BETWEEN = re.compile(r"[\s,.;:(<\[_*—–-]*(?:(?:see|(?-i:in)|cf)\b[\s.]*)?(?:https?://[^\s<>“”\"]*)?", re.IGNORECASE)
# Between a citation and the words quoted after it.
_INTRODUCES = re.compile(
    r"[\s,)]*(?:pp?\.\s*\d+[\s,]*)?(?::|(?:says|said|reads|provides|rules|ruled|states|stated|has|had|lays down)\b"
    r"(?:\s+that\b)?[\s,:]*)\s*",
    re.IGNORECASE,
)
# A quotation may have another within it. Single marks are apostrophes too; words between straight ones are not long.
_MOST = f"{{1,{LONGEST_QUOTATION}}}"
_MARKED = "|".join((
    rf"“(?:[^“”]|“[^“”]*”){_MOST}”",
    rf"(?<!\w)\"(?!\s)[^\"]{_MOST}\"",
    rf"«[^«»]{_MOST}»|»[^«»]{_MOST}«|„[^„“”]{_MOST}[“”]|‚[^‚‘’]{_MOST}‘",
    rf"‘(?:[^‘’]|’(?=\w)|(?<=s)’(?=[^‘’()]*’)){_MOST}’(?!\w)",
    r"(?<!\w)'(?=\w)(?:[^']|'(?=\w)){1,600}'(?!\w)",
))  # fmt: skip
_LONG = 25
"""Characters of a quotation that is more than a term, so that one left unchecked beside another is reported."""
_QUOTATION = re.compile(f"(?=(?P<marked>{_MARKED}))")  # also those within others
_BLOCK = re.compile(r"^[ \t]*>[ \t]*(?P<block>.+(?:\n[ \t]*>.*)*)", re.MULTILINE)
# Between the words of a block and its source, and after that.
_SIGNED = re.compile(r"[\s>*_]*(?:\n|[—–―(\[]|--?\s)[\s>*_(<\[—–―-]*(?:https?://[^\s<>]*)?\Z")
_BLOCK_ENDS = re.compile(r"[\s>*_.)\]]*")
_FARTHEST = 200
"""The most characters between the words of a block and its source: the beginning of a URL."""
_QUOTES_LINE = re.compile(r"\n[ \t]*>")
_PARAGRAPH_END = re.compile(r"\n\s*\n")
_FOOTNOTE = re.compile(r"^[ \t]*\[\^(?P<name>[\w-]{1,40})\]:", re.MULTILINE)
_FOOTNOTE_MARK = re.compile(r"\[\^(?P<name>[\w-]{1,40})\](?!:)")


@dataclass(frozen=True, slots=True)
class _Quotation:
    """A quotation in a text: its span with its marks, and the span of its words."""

    start: int
    end: int
    words_at: tuple[int, int]


def extract(conn: sqlite3.Connection, text: str, most: int) -> list[Citation]:
    """The citations of a text, in order.

    Args:
        most: how many are wanted; one more tells that there are others.
    """
    by_id = list(islice(claims(text), most + 1))
    by_words = list(_quoting(text, in_words(conn, text)[: most + 1]))
    found = sorted(_once(text, by_words, by_id), key=lambda claim: claim.at)
    titles = [claim.at for claim in by_words]
    return [claim for claim in _with_sentences(text, found, titles) if claim.sure or claim.words or claim.unread]


def claims(text: str) -> Iterator[Citation]:
    """The citations of a text by ids and permalinks, in order."""
    pieces = pairwise([*_PIECE.finditer(text), None])
    yield from _quoting(text, (
        Citation(
            piece.span(), piece["id"], (piece["id"].lower().removesuffix("/evidence"),),
            letters=((after and after["letters"]) or "").lower(),
        )
        for piece, after in pieces if piece and piece["id"]
    ))  # fmt: skip


@lru_cache(maxsize=2)
def _quotations(text: str) -> tuple[_Quotation, ...]:
    """The quotations of a text, also those within others, by their ends."""
    found = [_Quotation(*block.span(), block.span("block")) for block in _BLOCK.finditer(text)]
    for start, end in (match.span("marked") for match in _QUOTATION.finditer(text)):
        found.append(_Quotation(start, end, (start + 1, end - 1)))
    return tuple(sorted(found, key=lambda quotation: quotation.end))


def _notes(text: str) -> list[tuple[int, int]]:
    """The offsets of the beginning of each footnote and of its mark."""
    marks = {mark["name"]: mark.start() for mark in _FOOTNOTE_MARK.finditer(text)}
    return [(note.end(), marks[note["name"]]) for note in _FOOTNOTE.finditer(text) if note["name"] in marks]


def _quoting(text: str, citations: Iterable[Citation]) -> Iterator[Citation]:
    """Some citations of a text, in order, with the words that they quote."""
    quotations = _quotations(text)
    opening = {quotation.start: quotation.words_at for quotation in quotations}
    blocks = [one for one in quotations if text[one.start] in "> \t"]
    notes = _notes(text)

    def around(start: int, end: int) -> tuple[int, int] | None:
        """The words of a block that ends with the citation between two offsets, as its last line or in brackets."""
        at = bisect_left(blocks, end, key=lambda one: one.end)
        if at < len(blocks) and blocks[at].words_at[0] < start and _BLOCK_ENDS.fullmatch(text, end, blocks[at].end):
            gap = _SIGNED.search(text, max(blocks[at].words_at[0], start - _FARTHEST), start)
            return (blocks[at].words_at[0], gap.start()) if gap else None
        return None

    def before(end: int, behind: int, hashed: str = "") -> tuple[int, int] | None:
        """The words of the last quotation between two offsets that has a hash, or is directly before the second."""
        first = bisect_left(quotations, max(behind, end - LONGEST_QUOTATION), key=lambda one: one.end)
        last = bisect_right(quotations, end, key=lambda one: one.end)
        for one in reversed(quotations[first:last]):
            its = letters(text[slice(*one.words_at)]) == hashed if hashed else _BETWEEN.fullmatch(text, one.end, end)
            if its and one.start >= behind:
                return one.words_at
        return None

    behind = 0
    for citation in citations:
        start, end = citation.at
        words_at = before(start, behind, citation.letters) if citation.letters else None
        if introduced := _INTRODUCES.match(text, end):
            words_at = words_at or opening.get(introduced.end())
        words_at = words_at or before(start, behind) or around(start, end)
        note = bisect_right(notes, start, key=lambda note: note[0])
        if note and _BETWEEN.fullmatch(text, notes[note - 1][0], start):
            words_at = words_at or before(notes[note - 1][1], 0)
        behind = max(end, words_at[1] if words_at else 0)
        yield _with_words(text, citation, words_at)


def _with_words(text: str, citation: Citation, at: tuple[int, int] | None) -> Citation:
    return replace(citation, words=collapse(_QUOTES_LINE.sub(" ", text[slice(*at)])), words_at=at) if at else citation


def _once(text: str, by_words: Iterable[Citation], by_id: Iterable[Citation]) -> list[Citation]:
    """All citations, without those in words that are part of a URL, or are followed by the permalink of their unit.

    The permalink then has the quotation, if it has none itself.
    """
    addressed, alone = list(by_id), list[Citation]()
    starts = [claim.at[0] for claim in addressed]
    for claim in by_words:
        following = bisect_left(starts, claim.at[0])
        reach = claim.at[1] + LONGEST_QUOTATION
        end = claim.words_at[1] + 1 if claim.words_at else claim.at[1]
        for i in range(max(0, following - 1), min(following + 1, len(addressed))):
            other = addressed[i]
            linked = other.at[0] < reach and other.id in claim.meant
            within = claim.books and _BETWEEN.fullmatch(text, end, other.at[0])
            if claim.at[0] < other.at[1] and (other.at[0] < claim.at[1] or linked or within):
                if linked and not other.words:
                    addressed[i] = _with_words(text, other, claim.words_at)
                break
        else:
            alone.append(claim)
    return [*addressed, *alone]


def _with_sentences(text: str, found: Sequence[Citation], titles: Sequence[tuple[int, int]]) -> list[Citation]:
    """The citations of a text; those without a quotation get the only one of their sentence, or are `unread`.

    A footnote belongs to the sentence of its mark. What is in marks within one of the `titles`, the spans of all
    citations in words, in order, is a title and no quotation.
    """
    ends = sorted([
        *(gap.end for gap in boundaries(text)),
        *(match.end() for match in _PARAGRAPH_END.finditer(text)),
        *(note.start() for note in _FOOTNOTE.finditer(text)),
    ])  # fmt: skip

    def sentences(start: int, end: int) -> range:
        return range(bisect_right(ends, start), bisect_left(ends, end) + 1)

    notes = _notes(text)

    def sentence(claim: Citation) -> int:
        """The number of the sentence to which a citation belongs."""
        note = bisect_right(notes, claim.at[0], key=lambda note: note[0])
        end = _PARAGRAPH_END.search(text, notes[note - 1][0]) if note else None
        own = note and claim.at[0] < (end.start() if end else len(text))
        return sentences(*[notes[note - 1][1]] * 2 if own else claim.at)[0]

    citing: dict[int, list[Citation]] = defaultdict(list)
    for claim in found:
        quoting = sentences(*claim.words_at) if claim.words_at else ()
        for n in {sentence(claim), *sentences(*claim.at), *quoting}:
            citing[n].append(claim)
    free: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for one in _quotations(text):
        before = bisect_left(titles, one.end, key=lambda title: title[0])
        if before and titles[before - 1][1] > one.start:
            continue
        for n in sentences(one.start, one.end):
            spans = [span for claim in citing[n] for span in (claim.at, claim.words_at) if span]
            if citing[n] and not any(a < one.end and one.start < b for a, b in spans):
                free[n] = [*(at for at in free[n] if at[0] < one.start), one.words_at]
    read = []
    for claim in found:
        n = sentence(claim)
        if free[n] and not claim.words and not claim.letters:
            only = len(free[n]) == len(citing[n]) == 1
            claim = _with_words(text, claim, free[n][0]) if only else replace(claim, unread=True)
        elif any(end - start >= _LONG for start, end in free[n]):
            claim = replace(claim, unread=True)
        read.append(claim)
    return read
