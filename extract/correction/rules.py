"""A rule of correction as a row: its name, an example, and the function that applies it and says what it is for.

The rules of a kind stand in a tuple, in the order in which they are tried; the first that answers is taken. So they
can be listed, weighed (`kb.evaluation.ablation`) and switched off by name.
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
    """What one scan reads for what is printed, again and again: declared in its book.toml, with the reason.

    `where`: after a word of which it may be the end (`hand^`), by itself, or alone in a quotation that is open.
    """

    read: str
    printed: str
    where: Place
    reason: str


class Named(Protocol):
    """What a rule answers: a dataclass that bears the rule's name."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    @property
    def rule(self) -> str: ...


F = TypeVar("F", covariant=True)
P = ParamSpec("P")
R = TypeVar("R", bound=Named)


@dataclass(frozen=True, slots=True)
class Rule(Generic[F]):
    """One rule: its name, an example of what it does alone (`w«li|h»ich`: read, printed), and how it is applied.

    `habits` and `notes` (their spans in the example as read) are those that the example takes for granted; `about` says
    what the rule is for, by default the sentence that the function opens with.
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
        """The example as a scan has it."""
        return _CHANGE.sub(r"\1", self.example)

    @property
    def after(self) -> str:
        """The example as it is read."""
        return _CHANGE.sub(r"\2", self.example)


def active(rules: Iterable[Rule[F]], without: Set[str]) -> tuple[Rule[F], ...]:
    """The rules that are not switched off, in their order."""
    return tuple(rule for rule in rules if rule.name not in without)


def first(rules: Sequence[Rule[Callable[P, R | None]]], *args: P.args, **kwargs: P.kwargs) -> R | None:
    """What the first rule that knows a place makes of it, with the rule's name; None if none does."""
    for rule in rules:
        found = rule.apply(*args, **kwargs)
        if found is not None:
            return replace(found, rule=rule.name)
    return None
