"""Pieces of the work on a book that depend on its scan alone, so that whoever keeps them need not make them again.

Nothing is kept here. A caller who keeps pieces between runs hands in a `Recall`; he looks after the code they were
made with.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import Any, Protocol

from extract.correction.letters import Decision, Letters
from extract.model import Edit, Page, Span
from extract.pages.furniture import Furniture
from extract.text.source import Layout

Find = Callable[[str], Furniture]


class Recall(Protocol):
    """Gives a piece that may be known already.

    Called with the kind of piece, all texts that it depends on, and the function that makes it. A piece is lists,
    texts and numbers, as JSON has them.
    """

    def __call__(self, kind: str, made_of: Sequence[str], make: Callable[[], Any]) -> Any: ...


def anew(kind: str, made_of: Sequence[str], make: Callable[[], Any]) -> Any:
    """The `Recall` that knows nothing."""
    return make()


def furniture_of(scan: str, layout: Layout, find: Find, recall: Recall = anew) -> Furniture:
    """The furniture of a scan.

    Args:
        scan: the text of the scan.
        layout: how it is laid out.
        find: what finds the furniture of that layout.
        recall: where it may be known from.
    """
    edits, pages, notes = recall("furniture", (layout, scan), lambda: _rows(find(scan)))
    return Furniture(
        tuple([Edit(*row) for row in edits]),
        tuple([Page(*row) for row in pages]),
        tuple([Span(*row) for row in notes]),
    )


def _rows(furniture: Furniture) -> list[list[Any]]:
    parts: tuple[tuple[type[Any], Sequence[Any]], ...] = (
        (Edit, furniture.edits), (Page, furniture.pages), (Span, furniture.notes),
    )  # fmt: skip
    return [_written(kind, part) for kind, part in parts]


def letters_of(made_of: Sequence[str], decide: Callable[[], Letters], recall: Recall = anew) -> Letters:
    """What the machine decides on the letters of a scan.

    Args:
        made_of: all texts that it depends on.
        decide: what decides it.
        recall: where it may be known from.
    """
    decisions, suggestions = recall("letters", made_of, lambda: _letter_rows(decide()))
    return Letters(
        tuple([
            Decision(
                tuple([Span(*span) for span in spans]),
                tuple([Edit(*row) for row in edits]),
                tuple(gaps),
                tuple([(at, text) for at, text in signs]),
            )
            for spans, edits, gaps, signs in decisions
        ]),
        tuple([Edit(*row) for row in suggestions]),
    )  # fmt: skip


def _letter_rows(letters: Letters) -> list[list[Any]]:
    decisions = [
        [_written(Span, d.spans), _written(Edit, d.edits), list(d.gaps), list(map(list, d.signs))]
        for d in letters.decisions
    ]
    return [decisions, _written(Edit, letters.suggestions)]


def _written(kind: type[Any], part: Sequence[Any]) -> list[Any]:
    return list(map(attrgetter(*kind.__match_args__), part))
