"""JSON of a page: the fields of its frozen dataclasses by name; a unit by id, address and text; absolute addresses."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from datasette_plugins.site import SitePage
from kb.read.rows import UnitRow

_OF_EVERY_PAGE = frozenset({"description", "status", "alternates", "club", "linked_data"})


def as_json(page: SitePage, absolute: Callable[[str], str]) -> str:
    """Return a page as JSON.

    Args:
        page: the page; fields named in its `internal` are left out.
        absolute: makes the absolute URL of a path.
    """
    left_out = _OF_EVERY_PAGE | page.internal
    data = {f.name: getattr(page, f.name) for f in fields(page) if f.name not in left_out}
    return json.dumps(_plain(data, absolute), ensure_ascii=False, indent=1)


def _plain(value: Any, absolute: Callable[[str], str]) -> Any:
    if isinstance(value, UnitRow):
        return {"id": value.id, "url": absolute(f"/{value.id}"), "label": value.label, "title": value.title,
                "page": value.folio, "text": value.text}  # fmt: skip
    if is_dataclass(value) and not isinstance(value, type):
        return _plain({f.name: getattr(value, f.name) for f in fields(value)}, absolute)
    if isinstance(value, Mapping):
        return {
            str(key): absolute(each) if key == "url" and each.startswith("/") else _plain(each, absolute)
            for key, each in value.items()
        }
    if isinstance(value, list | tuple | set | frozenset):
        return [_plain(each, absolute) for each in value]
    return value
