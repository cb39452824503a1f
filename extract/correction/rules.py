"""Correction rules: each has a name, an example, and a function that applies it and describes its purpose.

The rules of one kind are kept in a tuple, in the order in which they are tried; `first` takes the first result. So
they can be listed and switched off by name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence, Set
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Generic, Literal, ParamSpec, Protocol, TypeVar

from extract.model import Span

_CHANGE = re.compile(r"«(.*?)\|(.*?)»", re.S)

Place = Literal["after a word", "by itself", "in a quotation"]


@dataclass(frozen=True, slots=True)
class Habit:
    """An OCR error that one scan makes again and again, declared in its book.toml with the reason.

    `where`: after a word, possibly as the end of its token (`hand^`); by itself; or alone in an open quotation.
    """

    read: str
    printed: str
    where: Place
    reason: str


class Named(Protocol):
    """The result of a rule: a dataclass with the rule's name."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    @property
    def rule(self) -> str: ...


F = TypeVar("F", covariant=True)
P = ParamSpec("P")
R = TypeVar("R", bound=Named)


@dataclass(frozen=True, slots=True)
class Rule(Generic[F]):
    """A rule: its name, an example of what it does alone (`w«li|h»ich`: as read, as printed), and how it is applied.

    `habits` and `notes` (spans in the example as read) are the ones that the example presupposes. `about` says what
    the rule is for; by default it is the first line of the function's docstring.
    """

    name: str
    example: str
    apply: F
    habits: tuple[Habit, ...] = ()
    notes: tuple[Span, ...] = ()
    about: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "about", self.about or (self.apply.__doc__ or "").partition("\n")[0])

    @property
    def before(self) -> str:
        """The example as OCR reads it."""
        return _CHANGE.sub(r"\1", self.example)

    @property
    def after(self) -> str:
        """The example as corrected."""
        return _CHANGE.sub(r"\2", self.example)


def active(rules: Iterable[Rule[F]], without: Set[str]) -> tuple[Rule[F], ...]:
    """The rules that are not switched off, in order."""
    return tuple(rule for rule in rules if rule.name not in without)


def first(rules: Sequence[Rule[Callable[P, R | None]]], *args: P.args, **kwargs: P.kwargs) -> R | None:
    """Return the result of the first rule that has one, with the rule's name filled in; None if no rule has one."""
    for rule in rules:
        result = rule.apply(*args, **kwargs)
        if result is not None:
            return replace(result, rule=rule.name)
    return None
