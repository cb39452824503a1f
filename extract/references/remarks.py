"""A remark explains the provisions that it refers to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from extract.model import Reference, Unit

_PROVISIONS = frozenset({"law", "subclause", "etiquette", "dummy"})


def explained(units: Sequence[Unit], references: Sequence[Reference]) -> tuple[Unit, ...]:
    """The units of a book, each remark with the provisions that it explains, in the order in which it names them.

    Args:
        units: the units of the book.
        references: its references; only those that are resolved explain.
    """
    provisions = {unit.id for unit in units if unit.kind in _PROVISIONS}
    named: dict[str, dict[str, None]] = {}
    for reference in references:
        if reference.status == "resolved" and reference.target_id in provisions:
            named.setdefault(reference.from_unit, {})[reference.target_id] = None
    return tuple(
        replace(unit, explains=tuple(named[unit.id])) if unit.kind == "remark" and unit.id in named else unit
        for unit in units
    )
