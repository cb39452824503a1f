"""Twins: two codes that print nearly the same provisions under the same numbers, so that one verdict serves both."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import product

from pydantic import Field
from rapidfuzz import fuzz

from extract.corpus.table import Id, Prose, Table
from extract.model import Unit, work_of
from kb.alignment.contrasts import contrast
from kb.editorial.provisions import plain


class TwinCodes(Table):
    """Two codes whose provisions of the same number the editor counts as one text, if they are similar enough.

    `least` is the minimum similarity of the letters and digits of two provisions, from 0 to 1.
    """

    a: Id
    b: Id
    least: float = Field(ge=0.5, le=1)
    reason: Prose


def twins(said: Iterable[TwinCodes], units: Iterable[Unit]) -> dict[str, str]:
    """Find the twins of provisions and paragraphs; texts that differ in a number or a negation are not twins.

    Args:
        said: the pairs of twin codes.
        units: all units.
    Returns:
        The id of each unit's twin by the id of the unit, in both directions.
    """
    texts = {unit.id: unit.text for unit in units if unit.code_id}
    found: dict[str, str] = {}
    for codes in said:
        for unit_id, text in texts.items():
            code, _, rest = unit_id.partition("/")
            other = f"{codes.b}/{rest}"
            if code == codes.a and other in texts:
                similarity = fuzz.ratio(plain(text), plain(texts[other])) / 100
                if similarity >= codes.least and not contrast(text, texts[other]):
                    found |= {unit_id: other, other: unit_id}
    return found


def with_twins(unit_ids: Iterable[str], twin: Mapping[str, str]) -> Iterator[str]:
    """Yield units, each followed by its twin if it has one."""
    for unit_id in unit_ids:
        yield unit_id
        if unit_id in twin:
            yield twin[unit_id]


def pairs_with_twins(a: str, b: str, twin: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the pairs for which a verdict on two provisions holds: the two, and those with either twin or both."""
    for x, y in product(with_twins([a], twin), with_twins([b], twin)):
        if work_of(x) != work_of(y):
            yield x, y
