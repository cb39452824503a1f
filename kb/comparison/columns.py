"""Which codes are set side by side: all of them in a small library, in a large one a few that are chosen."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from kb.read.rows import CodeRow

MOST = 24
"""Codes that are set side by side, whoever chooses them; a library with no more has all shown."""
USUAL = 12
"""Codes that are shown of a larger library if none are named."""


def has_room(codes: Sequence[CodeRow]) -> bool:
    """Whether all codes of a library can be set side by side."""
    return len(codes) <= MOST


def side_by_side(codes: Sequence[CodeRow], told: Mapping[str, float], named: Iterable[str] = ()) -> tuple[CodeRow, ...]:
    """The codes that are set side by side.

    Args:
        codes: all codes, oldest first.
        told: how much each has to tell on the matter, by id; asked only where there is no room for all.
        named: ids of the codes asked for, in their order; unknown ones are left out.
    Returns:
        Those named, `MOST` at most; or else all; or where there is no room for all the `USUAL` that have most to tell,
        oldest first. Of those that have as much the older are taken.
    """
    known = {code.id: code for code in codes}
    if given := [known[i] for i in dict.fromkeys(named) if i in known]:
        return tuple(given[:MOST])
    if has_room(codes):
        return tuple(codes)
    likely = sorted(codes, key=lambda code: -told.get(code.id, 0.0))[:USUAL]
    chosen = {code.id for code in likely}
    return tuple(code for code in codes if code.id in chosen)
