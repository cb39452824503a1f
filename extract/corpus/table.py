"""Validated reading of the TOML files of the corpus: strict models, and one sentence for each fault.

A file is described by a `Table` (pydantic v2, strict: no text for a number, no unknown key). `read` returns it, or
raises a `BookError` with a line for each fault, which names the file, the line, the entry and the key, and says what is
wrong: in pydantic's words, or in those of a `Fault`. Conditions that one entry alone does not decide (an id that occurs
twice, a span of the scan) are left to a check, which yields a `Fault` for each that does not hold.
"""

from __future__ import annotations

import re
import reprlib
import unicodedata
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, time
from functools import cached_property
from itertools import zip_longest
from pathlib import Path
from typing import Annotated, Any, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, Strict, ValidationError
from pydantic_core import PydanticUndefined

from extract.corpus.toml import Place, lines_of, read_toml
from extract.errors import BookError, printable

_TABLE = TypeVar("_TABLE", bound="Table")
_T = TypeVar("_T")
_HUGE = 10**18
# Control and format characters, surrogates, private characters, line separators: they hide or reorder a page's text.
_INVISIBLE = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp"})
_ID = r"[a-z0-9]+(?:-[a-z0-9]+)*"
_SHORT_ID = rf"(?!.{{65}}){_ID}"  # used as the name of a folder and in URLs
WORK_ID = r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*-\d{4}"
"""The id of a code or book: words joined by hyphens, and a year. URL paths of pages begin with it."""
_UNIT_ID = rf"{_ID}(?:/{_ID})+"
_NO_VALUE = ("missing", "extra_forbidden", "union_tag_not_found")  # messages that need no value beside them


class Fault(ValueError):
    """A fault of an entry, and what to do; `where` is the path to it: `("part", 2, "series", 0, "slug")`."""

    def __init__(self, what: str, *where: str | int) -> None:
        super().__init__(what)
        self.where = where


class Table(BaseModel):
    """A table of a TOML file. It is immutable, converts no value to another type, and accepts no unknown key."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


@dataclass(frozen=True)
class Source:
    """A TOML file: its data, and where they stand."""

    path: Path
    data: Mapping[str, Any] = field(default_factory=dict)
    text: str = ""

    @cached_property
    def _lines(self) -> Mapping[Place, int]:
        return lines_of(self.text)

    def line(self, where: Place) -> int:
        """Return the line of a value, or of the nearest key or table above it that begins a line; 1 without any."""
        return next((self._lines[where[:n]] for n in range(len(where), 0, -1) if where[:n] in self._lines), 1)

    def said(self, what: str, *where: str | int) -> str:
        """Return the message for a fault: `x/book.toml, line 9: part 3, expect: 0 is too small.`"""
        where = _untagged(self.data, where)
        place = ", ".join(_steps(where))
        end = "" if what.endswith(("?", ".")) else "."
        return printable(f"{self.path}, line {self.line(where)}: {place and f'{place}: '}{what}{end}")

    def model(self, kind: type[_TABLE], check: Callable[[_TABLE], Iterable[Fault]] = lambda table: ()) -> _TABLE:
        """Return the contents of the file; arguments and errors as for `read`."""
        try:
            table = kind.model_validate(self.data)
        except ValidationError as error:
            faults = [*_faults(error)]
            raise BookError("\n".join(self.said(what, *where) for where, what in faults)) from error
        if told := [self.said(str(fault), *fault.where) for fault in check(table)]:
            raise BookError("\n".join(told))
        return table


def source(path: Path) -> Source:
    """Open a TOML file; a missing one has no data (a broken link is a fault).

    Raises:
        BookError: the file cannot be read as TOML.
    """
    return Source(path, *read_toml(path)) if is_there(path) else Source(path)


def read(path: Path, kind: type[_TABLE], check: Callable[[_TABLE], Iterable[Fault]] = lambda table: ()) -> _TABLE:
    """Read a TOML file.

    Args:
        path: the file.
        kind: the model of its top table.
        check: checks further conditions, and yields what does not hold.
    Raises:
        BookError: the file cannot be read or is invalid; the message has a line for each fault, with file, line, entry
            and key.
    """
    return Source(path, *read_toml(path)).model(kind, check)


def read_if_there(
    path: Path, kind: type[_TABLE], check: Callable[[_TABLE], Iterable[Fault]] = lambda table: ()
) -> _TABLE:
    """Read a TOML file as `read` does; a missing file has no entries (a broken link is a fault)."""
    return read(path, kind, check) if is_there(path) else kind()


def is_there(path: Path) -> bool:
    """Whether a path exists, even as a broken link."""
    return path.exists() or path.is_symlink()


def repeated(entries: Iterable[_T], of: Callable[[_T], Hashable], *where: str | int, key: str) -> Iterator[Fault]:
    """Yield a fault for each entry for which `of` returns the same value as for an earlier one."""
    seen: dict[Hashable, int] = {}
    for i, entry in enumerate(entries):
        first = seen.setdefault(of(entry), i)
        if first != i:
            yield Fault(f"entry {first + 1} has the same value; change one of them", *where, i, key)


def _faults(error: ValidationError) -> Iterator[tuple[Place, str]]:
    """Yield the path to each faulty value, and the message; without what pydantic says only because of another fault.

    A list without its faulty entries may be too short, and a value that was not accepted is undefined.
    """
    every = error.errors(include_url=False)
    above = {detail["loc"][:n] for detail in every for n in range(len(detail["loc"]))}
    for detail in every:
        inner, where = detail.get("ctx", {}).get("error"), detail["loc"]
        if where in above or detail["input"] is PydanticUndefined:
            continue
        if isinstance(inner, Fault):
            yield (*where, *inner.where), str(inner)
        elif isinstance(inner, ValueError):
            yield where, f"{shown(detail['input'])} {inner}"
        else:
            value = "" if detail["type"] in _NO_VALUE else f", not {shown(detail['input'])}"
            yield where, f"{detail['msg']}{value}"


def _untagged(data: Any, where: Place) -> Place:
    """The path to a value without the kind that pydantic inserts for an entry of a union."""
    path: list[str | int] = []
    here = data
    for step, after in zip_longest(where, where[1:]):
        entry = here if isinstance(here, dict) and path and isinstance(path[-1], int) else {}
        tag = entry and step in (entry.get("grammar"), entry.get("kind", "ocr"))
        if step == "[key]" or (tag and (isinstance(after, str) or step not in entry)):
            continue
        path.append(step)
        known = isinstance(here, dict) or (isinstance(here, list) and isinstance(step, int) and step < len(here))
        here = (here.get(step) if isinstance(here, dict) else here[step]) if known else None
    return tuple(path)


def _steps(where: Place) -> list[str]:
    """The path as words: `part 3`, `series 1`, `expect`."""
    steps: list[str] = []
    for step in where:
        if isinstance(step, int):
            steps[-1:] = [f"{steps[-1]} {step + 1}"]
        else:
            steps.append(step)
    return steps


def shown(value: object) -> str:
    """A short representation of any value for an error message."""
    match value:
        case dict():
            return "a table"
        case list() | tuple():
            return "a list"
        case bool():
            return str(value).lower()
        case int() if abs(value) >= _HUGE:
            return "a number of more than 18 digits"
        case date() | datetime() | time():
            return f"the date or time {value}"
    short = reprlib.Repr()
    short.maxstring = 60
    return short.repr(value)


# Types of values


def _visible(text: str, layout: str = "\n\t") -> str:
    if any(unicodedata.category(c) in _INVISIBLE for c in text if not c.isprintable() and c not in layout):
        raise ValueError("has an invisible character; delete it")
    return text


def _line(text: str) -> str:
    if not _visible(text, "") or text != text.strip():
        raise ValueError("is blank, or begins or ends with a blank; write only the words, on one line")
    return text


def is_id(text: str) -> bool:
    """Whether a text is a valid id of a book, a code or a part: `english-1864`."""
    return re.fullmatch(_SHORT_ID, text) is not None


def is_work_id(text: str) -> bool:
    """Whether a text is a valid id of a book or code that has pages: it ends in a year."""
    return is_id(text) and re.fullmatch(WORK_ID, text) is not None


def matching(pattern: str, told: str) -> AfterValidator:
    """A validator for texts of a pattern; `told` follows the value in the error message: `is not an id; write ...`."""
    regex = re.compile(pattern)

    def match(text: str) -> str:
        if not regex.fullmatch(text):
            raise ValueError(told)
        return text

    return AfterValidator(match)


Many = Annotated[tuple[_T, ...], Strict(False)]  # a TOML list as a tuple; its entries stay strict
Line = Annotated[str, Field(max_length=500), AfterValidator(_line)]  # words on one line
LineOrNone = Annotated[str, Field(max_length=500), AfterValidator(lambda text: text and _line(text))]
Prose = Annotated[str, Field(max_length=5_000), AfterValidator(_visible)]  # a note of several lines, may be empty
Id = Annotated[
    str, matching(_SHORT_ID, "is not a valid id; write up to 64 small letters and digits, with hyphens between words")
]
KindId = Annotated[str, matching("[a-z]+(?:_[a-z]+)*", "is not a valid kind; write small letters and underscores")]
UnitId = Annotated[
    str, matching(_UNIT_ID, "is not the id of a unit; copy it from the address of its page (`club-1850/rule-7/ii`)")
]
UnitIdStart = Annotated[  # `english-1864/law-`
    str, matching(f"{_UNIT_ID}-?", "is not the beginning of a unit id; write a code or book, a slash, and more")
]
Year = Annotated[int, Field(ge=1450, le=2100)]
Count = Annotated[int, Field(ge=1, le=9999)]  # a number in a numbering
