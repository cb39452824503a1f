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
    """Two codes of which the editor says that their provisions of one number are one text, where they are as alike.

    `least` is the likeness of the letters of two such provisions, from 0 to 1.
    """

    a: Id
    b: Id
    least: float = Field(ge=0.5, le=1)
    reason: Prose


def twins(said: Iterable[TwinCodes], units: Iterable[Unit]) -> dict[str, str]:
    """The twin of each provision or paragraph that has one, both ways; none differs in a number or a denial.

    Args:
        said: the codes that have twins.
        units: all units.
    Returns:
        Ids and those of their twins.
    """
    texts = {unit.id: unit.text for unit in units if unit.code_id}
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


def with_twins(unit_ids: Iterable[str], twin: Mapping[str, str]) -> Iterator[str]:
    """Units, each followed by its twin if it has one."""
    for unit_id in unit_ids:
        yield unit_id
        if unit_id in twin:
            yield twin[unit_id]


def pairs_with_twins(a: str, b: str, twin: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """The pairs for which a verdict on two provisions holds: themselves, and with the twin of either or of both."""
    for x, y in product(with_twins([a], twin), with_twins([b], twin)):
        if work_of(x) != work_of(y):
            yield x, y
