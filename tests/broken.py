"""Ways to break the files of a small corpus, one fault at a time."""

from __future__ import annotations

import copy
import json
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from small_corpus import FILES


@dataclass(frozen=True, slots=True)
class Broken:
    """A file with one fault, and what the message must name."""

    file: str
    text: str
    named: tuple[str, ...]
    id: str


def toml(value: Any) -> str:
    """A value as TOML, with inline tables, so that any value can replace any other."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(k)} = {toml(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(toml, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


# Keys that may be missing.
OPTIONAL = {
    "layout", "witnesses", "provision", "note of a code", "kind of a part", "slug of a part",
    "code", "name", "expect", "alone", "highest", "subdivisions", "items", "prefix", "topics", "headings", "parts",
    "footnotes", "ditto", "target", "names", "default", "within", "kind of a reading", "meant", "slip", "cites",
    "guess of a reading", "first of a passage", "of", "label of a passage", "page", "doubt", "passage", "reading",
    "given", "variants", "historical", "patterns", "broader", "link", "twins", "members", "facet", "closed", "unused",
    "silent", "asked", "cell", "value", "who", "effect", "choice", "since", "until", "amount", "mode", "moment",
    "condition", "on", "counted", "also",
    "unit of a ", "note of a ", "read", "citations", "short", "place", "publisher", "note of a book", "year of a code",
    "authority", "id of a part", "begins", "kind of a series", "slug of a series", "series of a citations",
    "asking", "principal", "apart",
}  # fmt: skip
FREE = {"cell", "rules", "asking", "principal", "read"}  # tables whose keys the editor chooses
VALUES: tuple[Any, ...] = (7, {"a": 1})


def broken_keys(file: str) -> Iterator[Broken]:
    """Each key of a file, where it occurs first: misspelt, removed, and with values of other types."""
    data = tomllib.loads(FILES[file])
    seen: set[tuple[str, ...]] = set()
    for steps in _ways(data):
        *above, key = steps
        table = _at(data, above)
        kind = str(table.get("kind", "")) if _kind(above) == "reading" else ""
        names = (*(step for step in steps if isinstance(step, str)), kind)
        if names in seen:
            continue
        seen.add(names)
        entry = _entry(above)
        if _kind(above) in FREE:
            continue
        misspelt = ("key '",) if key in ("grammar", "kind") else (f"key '{key}ed': unknown key",)
        yield Broken(file, _with(data, above, key, f"{key}ed"), (*entry, *misspelt),
                     f"{file} {_path(steps)} misspelt")  # fmt: skip
        if len(data) == 1 and not above and key not in OPTIONAL:
            yield Broken(file, "# nothing\n", (f"key '{key}': it is missing",), f"{file} {key} taken out")
        elif key not in OPTIONAL and f"{key} of a {_kind(above)}" not in OPTIONAL:
            yield Broken(file, _with(data, above, key, None), (*entry, f"key '{key}': "),
                         f"{file} {_path(steps)} taken out")  # fmt: skip
        for value in VALUES:
            if type(value) is not type(table[key]):
                other = copy.deepcopy(data)
                _at(other, above)[key] = value
                yield Broken(file, _written(other), (*entry, f"key '{key}'"),
                             f"{file} {_path(steps)} is {toml(value)}")  # fmt: skip


def _ways(data: Any, above: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """The path to each key: the keys and list indices that lead to it."""
    for key, value in data.items():
        yield (*above, key)
        inner = value if isinstance(value, list) else [value]
        for i, entry in enumerate(inner):
            if isinstance(entry, dict):
                yield from _ways(entry, (*above, key, i) if isinstance(value, list) else (*above, key))


def _at(data: Any, steps: list[str | int] | tuple[str | int, ...]) -> Any:
    for step in steps:
        data = data[step]
    return data


def _with(data: Any, above: list[str | int], key: Any, new: str | None) -> str:
    other = copy.deepcopy(data)
    table = _at(other, above)
    value = table.pop(key)
    if new is not None:
        table[new] = value
    return _written(other)


def _written(data: Any) -> str:
    return "\n".join(f"{key} = {toml(value)}" for key, value in data.items()) + "\n"


def _entry(above: list[str | int]) -> tuple[str, ...]:
    """How the message names the entry: `[[part]] 2`, or `[book]`."""
    names = ".".join(step for step in above if isinstance(step, str))
    if not names:
        return ()
    return (f"[[{names}]] {above[-1] + 1}",) if isinstance(above[-1], int) else (f"[{names}]",)


def _kind(above: list[str | int]) -> str:
    names = [step for step in above if isinstance(step, str)]
    return names[-1] if names else ""


def _path(steps: tuple[str | int, ...]) -> str:
    return ".".join(map(str, steps))
