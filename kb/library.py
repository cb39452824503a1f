"""A knowledge base as an object: ask it, look up a law, compare the codes on a topic.

The commands are thin over it, and so may be a notebook or another program. What it needs is imported on use, so that
`import kb` costs nothing.
"""

from __future__ import annotations

import os
from collections.abc import Collection
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kb.questions.ask import Asked
    from kb.questions.questions import Question
    from kb.read.rows import RelatedRow, TopicRow, UnitRow

LONGEST = 20_000
"""Characters of a text that are read as a question."""


@dataclass(frozen=True, slots=True)
class Law:
    """A provision, or any other unit of a book.

    Attributes:
        unit: its id, text, printed page and place in the book.
        citation: how to cite it, in a line.
        related: the provisions of other codes on the same matter, earlier codes first.
    """

    unit: UnitRow
    citation: str
    related: tuple[RelatedRow, ...]

    @property
    def id(self) -> str:
        """Its id, which is also its address: `english-1864/law-72`."""
        return self.unit.id

    @property
    def text(self) -> str:
        """Its reading text."""
        return self.unit.text


@dataclass(frozen=True, slots=True)
class Comparison:
    """A topic, and its questions with the answers of all codes."""

    topic: TopicRow
    questions: tuple[Question, ...]


class Library:
    """An open knowledge base, for the thread that opens it; close it, or use it in a `with` statement.

    Attributes:
        conn: its connection, for SQL of one's own.
    """

    def __init__(self, path: Path) -> None:
        """Open the file that `whist build` wrote.

        Raises:
            DatabaseError: the file is missing, damaged, or from another version of `whist build`.
        """
        from kb.read.store import open_store

        self._open = ExitStack()
        self.conn = self._open.enter_context(open_store(path))

    @property
    def years(self) -> dict[str, int]:
        """The year of each code, by its id, oldest first."""
        from kb.read.queries import codes

        return {code.id: code.year for code in codes(self.conn)}

    def ask(self, text: str, code: str | Collection[str] = ()) -> Asked:
        """Find the questions that a text asks, with their answers.

        Args:
            text: what happened and what is asked, in free text.
            code: only the answers of this code, or of these, by id or year.
        Raises:
            QueryError: there is no such code.
        """
        from kb.questions.ask import ask
        from kb.read.queries import codes_named

        codes = [code] if isinstance(code, str) else code
        return ask(self.conn, text[:LONGEST]).within(codes_named(self.conn, codes))

    def law(self, cited: str) -> Law:
        """Look up a provision, or any other unit.

        Args:
            cited: its id, its address or a citation: `1864 law 72`.
        Raises:
            UnknownIdError: nothing is cited so, or several units are; the message names the nearest.
        """
        from kb.cite import formats, writing
        from kb.read.queries import related

        unit = self.unit(cited)
        citation = formats.plain(writing.cited(self.conn, unit))
        return Law(unit, citation, tuple(related(self.conn, unit.id)))

    def unit(self, cited: str) -> UnitRow:
        """As `law`, without its citation and what is related to it."""
        from extract.errors import UnknownIdError
        from kb.cite.resolve import resolve
        from kb.read import nearest

        meant = resolve(self.conn, cited)
        if len(meant.units) == 1 and not meant.note:
            return meant.units[0]
        if meant.note and not meant.units:
            there = "; ".join(f"{first.id} to {last.id}" for first, last in meant.ends)
            raise UnknownIdError(meant.note + (f" There are {there}." if there else ""))
        near = [unit.id for unit in meant.units] or nearest.ids(self.conn, cited)
        hint = f"did you mean {', '.join(near[:5])}?" if near else "`whist search` finds provisions by their words."
        raise UnknownIdError(f"There is no provision {cited!r}; {hint}")

    def compare(self, topic: str) -> Comparison:
        """Compare the codes on a topic, question by question.

        Args:
            topic: its id, the last part of the address of its page: `revoke`.
        Raises:
            UnknownIdError: there is no such topic; the message names those that there are.
        """
        from extract.errors import UnknownIdError
        from kb.comparison.topics import find_topic, topics
        from kb.questions.questions import questions, shown_under

        found = find_topic(self.conn, topic)
        if found is None:
            known = ", ".join(each.id for each in topics(self.conn))
            raise UnknownIdError(f"There is no topic {topic!r}; the topics are: {known}.")
        every = questions(self.conn)
        return Comparison(found, tuple(every[i] for i in shown_under(self.conn).get(found.id, ())))

    def close(self) -> None:
        """Close the file."""
        self._open.close()

    def __enter__(self) -> Library:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._open.__exit__(kind, error, traceback)


def open_library(path: str | os.PathLike[str] = "whist.db") -> Library:
    """Open a knowledge base.

    Args:
        path: the file that `whist build` wrote.
    Raises:
        DatabaseError: the file is missing, damaged, or from another version of `whist build`.
    """
    return Library(Path(path))
