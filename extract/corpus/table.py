"""Validated reading of the TOML files of the corpus: strict models, and one sentence for each fault.

A file is described by a `Table` (pydantic v2, strict: no text for a number, no unknown key). `read` returns it, or
raises a `BookError` with a line for each fault, which names the file, the line, the entry and the key, and says what to
do. Conditions that one entry alone does not decide (an id that occurs twice, a span of the scan) are left to check
functions, which raise a `Fault`.
"""

from __future__ import annotations

import difflib
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

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, Strict, ValidationError, model_validator
from pydantic_core import ErrorDetails, PydanticUndefined

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
_NAMES = ("id", "at", "start", "slug")

_MESSAGES = {
    "missing": "it is missing; write it",
    "union_tag_not_found": "it is missing; write it",
    "literal_error": "{shown} is not allowed here; write {expected}",
    "union_tag_invalid": "{shown} is not allowed here; write one of {expected_tags}",
    "string_type": "{shown} is not text; write it in quotation marks",
    "int_type": "{shown} is not a whole number; write digits without quotation marks",
    "int_from_float": "{shown} is not a whole number; write digits without a decimal point",
    "bool_type": "{shown} is neither true nor false; write one of these, without quotation marks",
    "string_too_short": "it is empty; fill it in, or delete it",
    "string_too_long": "it is longer than {max_length} characters; shorten it",
    "tuple_type": "{shown} is not a list; write its entries within [ ], or a table name within [[ ]]",
    "model_type": "{shown} is not a table; write its name within [ ], and keys and values below",
    "greater_than_equal": "{shown} is too small; the minimum is {ge}",
    "less_than_equal": "{shown} is too large; the maximum is {le}",
    "too_short": "it has {actual_length} entries; it needs at least {min_length}",
    "too_long": "it has {actual_length} entries; it may have at most {max_length}",
}


class Fault(ValueError):
    """A fault of an entry, and what to do; `where` is the path to it: `("part", 2, "series", 0, "slug")`."""

    def __init__(self, what: str, *where: str | int) -> None:
        super().__init__(what)
        self.where = where


class Table(BaseModel):
    """A table of a TOML file. It is immutable, converts no value to another type, and accepts no unknown key."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    @model_validator(mode="before")
    @classmethod
    def _known(cls, data: Any) -> Any:
        for key in data if isinstance(data, dict) else ():
            if key not in cls.model_fields:
                near = difflib.get_close_matches(key, cls.model_fields, 1)
                hint = f"did you mean {near[0]!r}?" if near else f"allowed here: {', '.join(cls.model_fields)}"
                raise Fault(f"unknown key; {hint}", key)
        return data


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
        """Return the message for a fault: `x/book.toml, line 9: [[part]] 3 'rules', key 'expect': 0 is too small.`"""
        return _sentence(f"{self.path}, line {self.line(where)}", self.data, where, what)

    def model(self, kind: type[_TABLE], *checks: Callable[[_TABLE], None]) -> _TABLE:
        """Return the contents of the file; arguments and errors as for `read`."""
        try:
            table = kind.model_validate(self.data)
            for check in checks:
                check(table)
        except ValidationError as error:
            raise BookError("\n".join(self.said(what, *where) for where, what in _faults(error))) from error
        except Fault as fault:
            raise BookError(self.said(str(fault), *fault.where)) from fault
        return table


def source(path: Path) -> Source:
    """Open a TOML file; a missing one has no data (a broken link is a fault).

    Raises:
        BookError: the file cannot be read as TOML.
    """
    return Source(path, *read_toml(path)) if is_there(path) else Source(path)


def read(path: Path, kind: type[_TABLE], *checks: Callable[[_TABLE], None]) -> _TABLE:
    """Read a TOML file.

    Args:
        path: the file.
        kind: the model of its top table.
        checks: functions that check further conditions and raise a `Fault`.
    Raises:
        BookError: the file cannot be read or is invalid; the message has a line for each fault, with file, line, entry
            and key.
    """
    return Source(path, *read_toml(path)).model(kind, *checks)


def read_if_there(path: Path, kind: type[_TABLE], *checks: Callable[[_TABLE], None]) -> _TABLE:
    """Read a TOML file as `read` does; a missing file has no entries (a broken link is a fault)."""
    return read(path, kind, *checks) if is_there(path) else kind()


def is_there(path: Path) -> bool:
    """Whether a path exists, even as a broken link."""
    return path.exists() or path.is_symlink()


def require_unique(entries: Iterable[_T], of: Callable[[_T], Hashable], *where: str | int, key: str) -> None:
    """Raise a `Fault` at the first entry for which `of` returns the same value as for an earlier one."""
    seen: dict[Hashable, int] = {}
    for i, entry in enumerate(entries):
        first = seen.setdefault(of(entry), i)
        if first != i:
            raise Fault(f"entry {first + 1} has the same value; change one of them", *where, i, key)


def _faults(error: ValidationError) -> Iterator[tuple[Place, str]]:
    """Yield the path to each faulty value, and the message; without what pydantic says only because of another fault.

    A list without its faulty entries may be too short, and a value that was not accepted is undefined.
    """
    every = error.errors(include_url=False)
    above = {detail["loc"][:n] for detail in every for n in range(len(detail["loc"]))}
    for detail in every:
        if detail["loc"] not in above and detail["input"] is not PydanticUndefined:
            yield _place_and_message(detail)


def _place_and_message(error: ErrorDetails) -> tuple[tuple[str | int, ...], str]:
    """The path to the faulty value and the message, from an error of pydantic's."""
    where, context, kind = error["loc"], error.get("ctx", {}), error["type"]
    inner = context.get("error")
    if isinstance(inner, Fault):
        return (*where, *inner.where), str(inner)
    if kind.startswith("union_tag"):
        where = (*where, str(context["discriminator"]).strip("'"))
    found = context.get("tag", error["input"])
    if isinstance(inner, ValueError):
        return where, f"{shown(found)} {inner}"
    return where, _MESSAGES.get(kind, "{shown} is not allowed here; correct it").format(shown=shown(found), **context)


def _sentence(path: str, data: Mapping[str, Any], where: Iterable[str | int], what: str) -> str:
    """Compose an error message.

    `corpus/x/book.toml, line 9: [[part]] 3 'rules', key 'expect': 1000000 is too large; the maximum is 9999.`
    """
    places: list[str] = []
    table = ""
    here: Any = data
    steps = list(where)
    for step, after in zip_longest(steps, steps[1:]):
        if isinstance(step, int):
            here = here[step] if isinstance(here, list) else None
            if isinstance(here, dict):
                places[-1] = f"[[{table}]] {step + 1}{_name(here)}"
            else:
                places.append(f"entry {step + 1}")
        elif not (isinstance(after, str) and isinstance(here, dict) and step in _kinds(here)):
            if places and places[-1].startswith("key "):
                places[-1] = f"[{table}]"  # the key names a table, and the fault is inside it
            here = here.get(step) if isinstance(here, dict) else None
            table = f"{table}.{step}".strip(".")
            places.append(f"key {shown(step)}")
    # A table that only holds the next one is not named.
    inner = [*places[1:], ""]
    places = [p for p, within in zip(places, inner, strict=False) if p.startswith("[[") or not within.startswith("[")]
    at = f" {', '.join(places)}:" if places else ""
    return printable(f"{path}:{at} {what}{'' if what.endswith(('?', '.')) else '.'}")


def _kinds(entry: Mapping[str, Any]) -> tuple[Any, ...]:
    """The tags that pydantic inserts into the path to a fault, for the kind of an entry; the default kind is `ocr`."""
    return entry.get("grammar"), entry.get("kind"), "ocr"


def _name(entry: Mapping[str, Any]) -> str:
    """How an error message identifies an entry: by its id or its offset."""
    key = next((k for k in _NAMES if isinstance(entry.get(k), (str, int))), None)
    if key is None:
        return ""
    return f" at {shown(entry[key])}" if key in ("at", "start") else f" {shown(entry[key])}"


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
