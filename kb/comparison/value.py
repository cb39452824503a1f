"""The typed value of an answer in words: who must or may, what follows, at whose choice, when, on what condition."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from kb.read.rows import fetch

TERMS = "select kind, term, note from term"
_WHO = {"may": "Who may", "must": "Who must", "must-not": "Who must not", "need-not": "Who need not"}
Notes = Mapping[tuple[str, str], str]


def notes(conn: sqlite3.Connection) -> dict[tuple[str, str], str]:
    """Return the meaning of each term of the vocabulary, by its kind and name."""
    return {(kind, term): note for kind, term, note in fetch(conn, lambda *row: row, TERMS)}


def in_words(value: Mapping[str, Any] | None, notes: Notes) -> tuple[tuple[str, str], ...]:
    """Return a typed value as pairs of a head and the words under it, in the order of a sentence.

    Args:
        value: the keys of a `kb.editorial.vocabulary.Value`; None has no words.
        notes: see `notes`; a term without a note is shown as it is.
    """
    return tuple((head, words) for head, words in _parts(value or {}, notes) if words)


def _parts(value: Mapping[str, Any], notes: Notes) -> Iterator[tuple[str, str]]:
    # Effects are alternatives if somebody has the choice; otherwise all of them follow.
    either = "; or " if value.get("choice") else "; "
    yield _WHO.get(str(value.get("mode")), "Who"), _people(value.get("who", ()), notes)
    yield "What", either.join(_counted(effect, notes) for effect in value.get("effect", ()))
    yield "On whom", _people(value.get("on", ()), notes)
    yield "At the choice of", _people(value.get("choice", ()), notes)
    yield "How many", ", ".join(value.get("amount", ()))
    for head, key in (("From when", "since"), ("Until", "until")):
        moments = [notes.get(("moment", term), term) for term in value.get(key, ())]
        yield head, "; or ".join(moments) + (", whichever comes first" if len(moments) > 1 else "")
    conditions = (notes.get(("condition", term), term) for term in value.get("condition", ()))
    yield "On condition", "; and ".join(conditions)


def _people(terms: Sequence[str], notes: Notes) -> str:
    """`adversaries (the other side, both together)`."""
    return "; ".join(f"{term} ({note})" if (note := notes.get(("who", term))) else term for term in terms)


def _counted(effect: str, notes: Notes) -> str:
    """Describe an effect, with its number after it if it has one."""
    number, _, term = effect.rpartition(" ")
    note = notes.get(("effect", term), term.replace("-", " "))
    return f"{note}: {number}" if number else note
