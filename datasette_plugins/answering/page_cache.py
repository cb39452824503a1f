"""Finished answers of a build by their entity tags, which name all that an answer depends on."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from cachetools import LRUCache
from datasette.app import Datasette

MOST_BYTES = 16_000_000
# No answer is longer; the database itself, which is, is no page.
LONGEST = 1_000_000
# What an entry takes beside its body: headers, tag, objects.
_OVERHEAD = 2_000
# Where a Datasette keeps its own.
_PAGES = "whist_pages"


@dataclass(frozen=True, slots=True)
class Made:
    """A finished answer."""

    status: int
    content_type: str
    headers: tuple[tuple[str, str], ...]
    body: bytes


class PageCache:
    """Answers by tag, bounded in bytes.

    Args:
        most: bytes of all answers together, with what they take beside their bodies.
    """

    def __init__(self, most: int = MOST_BYTES) -> None:
        self.answers: LRUCache[str, Made] = LRUCache(most, getsizeof=lambda made: len(made.body) + _OVERHEAD)
        self._under_way: dict[str, asyncio.Task[Made]] = {}

    async def get(self, tag: str, make: Callable[[], Awaitable[Made]]) -> Made:
        """The answer with a tag; what several ask for at once is made once, and does not wait for any client.

        Args:
            make: makes it if it is not there; only an answer of status 200 is cached.
        """
        if found := self.answers.get(tag):
            return found
        if tag not in self._under_way:
            self._under_way[tag] = asyncio.create_task(self._make(tag, make))
        # Who gives up waiting does not take it from the others.
        return await asyncio.shield(self._under_way[tag])

    async def _make(self, tag: str, make: Callable[[], Awaitable[Made]]) -> Made:
        try:
            made = await make()
        finally:
            del self._under_way[tag]
        if made.status == 200 and len(made.body) <= LONGEST:
            self.answers[tag] = made
        return made


def of(datasette: Datasette) -> PageCache:
    """The answers that a Datasette keeps."""
    found: PageCache | None = getattr(datasette, _PAGES, None)
    if found is None:
        found = PageCache()
        setattr(datasette, _PAGES, found)
    return found
