"""Editions and tags as bytes, between processes and in the cache: compressed JSON, so that reading runs nothing."""

from __future__ import annotations

import json
import sys
import zlib
from collections.abc import Iterable
from operator import attrgetter
from typing import Any

from extract.model import AuditFinding, Edit, Edition, EditorNote, Page, Reference, Unit
from kb.concepts.tagging import Tag

_PARTS: dict[str, type[Any]] = {
    "edits": Edit,
    "suggestions": Edit,
    "pages": Page,
    "units": Unit,
    "references": Reference,
    "findings": AuditFinding,
    "notes": EditorNote,
}
_FIELDS = {kind: attrgetter(*kind.__match_args__) for kind in set(_PARTS.values())}
_REPEATED = [
    i for i, name in enumerate(Unit.__match_args__)
    if name in ("id", "book_id", "code_id", "kind", "parent_id", "heading", "page")
]  # fmt: skip
"""What many units, or their tags, have in common; kept once, since a build holds the units of all books."""


def written(edition: Edition) -> bytes:
    """An edition as bytes."""
    rows = {name: list(map(_FIELDS[kind], getattr(edition, name))) for name, kind in _PARTS.items()}
    return packed({"book_id": edition.book_id, "scan": edition.scan} | rows)


def read(data: bytes) -> Edition:
    """The edition that `written` gave as bytes."""
    said = unpacked(data)
    for row in said["units"]:
        row[:] = [tuple(value) if isinstance(value, list) else value for value in row]
        for i in _REPEATED:
            row[i] = row[i] and sys.intern(row[i])
    parts = {name: tuple([kind(*row) for row in said[name]]) for name, kind in _PARTS.items()}
    return Edition(book_id=said["book_id"], scan=said["scan"], **parts)


def written_tags(tags: Iterable[Tag]) -> bytes:
    """Tags as bytes."""
    return packed([[tag.unit_id, tag.concept_id, tag.raw_start, tag.raw_end] for tag in tags])


def read_tags(data: bytes) -> tuple[Tag, ...]:
    """The tags that `written_tags` gave as bytes."""
    return tuple(Tag(sys.intern(unit), sys.intern(concept), start, end) for unit, concept, start, end in unpacked(data))


def packed(data: Any) -> bytes:
    """Lists, texts and numbers as bytes."""
    return zlib.compress(json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode("utf-8"), 1)


def unpacked(data: bytes) -> Any:
    """What was packed; tuples come back as lists."""
    return json.loads(zlib.decompress(data))
