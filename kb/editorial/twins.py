"""Twins: two codes that print nearly the same provisions under the same numbers, so that one verdict serves both."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from pydantic import Field
from rapidfuzz import fuzz

from extract.corpus.table import Id, Prose, Table
from extract.model import work_of
from kb.alignment.contrasts import contrast
from kb.editorial.provisions import plain


class TwinCodes(Table):
    """Two codes of which the editor says that their provisions of one number are one text, where they are as alike.

    `least` is the likeness of the letters of two such provisions, from 0 to 1.
    """

    a: Id
    b: Id
    least: float = Field(ge=0.5, le=1)
    reason: Prose


def twins(said: Iterable[TwinCodes], texts: Mapping[str, str]) -> dict[str, str]:
    """The twin of each provision that has one, both ways; two that differ in a number or a denial are none.

    Args:
        said: the codes that have twins.
        texts: the reading text of each provision and paragraph, by id.
    Returns:
        Ids and those of their twins.
    """
    found: dict[str, str] = {}
    for codes in said:
        for unit_id, text in texts.items():
            code, _, rest = unit_id.partition("/")
            other = f"{codes.b}/{rest}"
            if code == codes.a and other in texts:
                likeness = fuzz.ratio(plain(text), plain(texts[other])) / 100
                if likeness >= codes.least and not contrast(text, texts[other]):
                    found |= {unit_id: other, other: unit_id}
    return found


def also(pair: tuple[str, str], twin: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """The pairs for which a verdict on a pair holds too: with the twin of the one end, or of the other."""
    a, b = pair
    for x, y in ((twin.get(a), b), (a, twin.get(b)), (twin.get(a), twin.get(b))):
        if x and y and work_of(x) != work_of(y):
            yield x, y
