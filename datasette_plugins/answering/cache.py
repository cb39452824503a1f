"""Finished answers, cached by their entity tags (RFC 9110, sections 8.8, 12.5.3 and 13).

What a page or file depends on is known before it is made: its tag. Whoever has what the tag names is told so; for
others it is made once, compressed once, and cached. Whether somebody may see a page is asked before all this.

Compressing at each visit would take 0.7 ms for a law and 5.6 ms for the table of the revoke, where a cached answer
takes 0.6 ms through the socket. Datasette's own pages are compressed by the proxy, if by anybody.
"""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import importlib.resources
import mimetypes
import re
from collections.abc import Awaitable, Callable
from pathlib import Path

from cachetools import LRUCache
from datasette.app import Datasette
from datasette.utils.asgi import NotFound, Request, Response

from datasette_plugins import address, library
from datasette_plugins.answering.headers import SECURITY, Send

PUBLIC = "public, max-age=300, stale-while-revalidate=86400"
FOR_EVER = "public, max-age=31536000, immutable"
NO_STORE = "no-store"
MOST_BYTES = 8_000_000
"""Of all cached answers together."""
LONGEST = 1_000_000
"""No page is longer."""
LEAST = 1000
"""Bytes; a shorter text would hardly get shorter, and fits one packet as it is."""
_OVERHEAD = 2_000  # bytes of an entry beside its body: headers, tag, objects
_LEVEL = 4  # 8.8 kB for a law, in six tenths of the time that 8.5 kB take
_TEXTS = (
    "text/", "application/json", "application/ld+json", "application/xml", "application/javascript",
    "image/svg+xml", "application/x-bibtex", "application/x-research-info-systems", "application/vnd.",
)  # fmt: skip
_GZIP = re.compile(r"(?:^|,)\s*(?:x-)?gzip\s*(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))(?:;|,|$)", re.I)
_VARY = {"Vary": "Accept-Encoding"}
_CACHE = "whist_cache"  # where a Datasette keeps its own
_FILES = Path(str(importlib.resources.files("datasette_plugins") / "static"))


class PageCache:
    """Answers by tag, bounded in bytes.

    Args:
        most: bytes of all answers together, with what they take beside their bodies.
    """

    def __init__(self, most: int = MOST_BYTES) -> None:
        self.answers: LRUCache[str, Response] = LRUCache(most, getsizeof=lambda made: len(made.body) + _OVERHEAD)
        self._under_way: dict[str, asyncio.Task[Response]] = {}

    async def get(self, tag: str, make: Callable[[], Awaitable[Response]]) -> Response:
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

    async def _make(self, tag: str, make: Callable[[], Awaitable[Response]]) -> Response:
        try:
            made = await make()
        finally:
            del self._under_way[tag]
        if made.status == 200 and len(made.body) <= LONGEST:
            self.answers[tag] = made
        return made


class _Unchanged(Response):  # type: ignore[misc]  # Datasette is not typed
    """That a client has it already; it says nothing of the body, or caches would believe it of theirs."""

    async def asgi_send(self, send: Send) -> None:
        headers = [(name.lower().encode(), value.encode()) for name, value in self.headers.items()]
        await send({"type": "http.response.start", "status": 304, "headers": headers})
        await send({"type": "http.response.body", "body": b""})


def cache_of(datasette: Datasette) -> PageCache:
    """The answers that a Datasette has cached."""
    found: PageCache | None = getattr(datasette, _CACHE, None)
    if found is None:
        found = PageCache()
        setattr(datasette, _CACHE, found)
    return found


async def respond(
    datasette: Datasette, request: Request, seed: str | None, control: str, make: Callable[[], Awaitable[Response]]
) -> Response:
    """Answer a request, from what was made before if that can be.

    Args:
        seed: all that the answer depends on besides its address; none if that is not known, and nothing is cached.
        control: what caches are told of a good answer.
        make: makes the answer.
    """
    headers = request.headers
    zipped = accepts_gzip(headers.get("accept-encoding", ""))
    if request.actor or "cookie" in headers or "authorization" in headers:
        return _finished(await make(), zipped, {})  # Datasette tells caches that it is private
    if seed is None:
        return _finished(await make(), zipped, {"Cache-Control": control})
    parts = (seed, address.base(datasette, request.scope), request.scope["path"], request.query_string, str(zipped))
    tag = '"' + hashlib.sha256("\0".join(parts).encode()).hexdigest()[:32] + '"'
    told = {"Cache-Control": control, "ETag": tag}
    unchanged = _Unchanged("", 304, SECURITY | told | _VARY)
    asked = headers.get("if-none-match", "")
    # Only what exists was ever given its tag, so a tag that fits needs no look at it; `*` does. They are compared
    # weakly, since a proxy that compresses makes tags weak.
    if tag in [each.strip().removeprefix("W/") for each in asked.split(",")]:
        return unchanged

    async def finish() -> Response:
        return _finished(await make(), zipped, told)

    made = await cache_of(datasette).get(tag, finish)
    return unchanged if asked.strip() == "*" and made.status == 200 else made


async def static_file(request: Request, datasette: Datasette) -> Response:
    """One of the files; under an address that changes with the software it may be cached for ever.

    Raises:
        NotFound: there is none of this name.
    """
    path = _FILES / request.url_vars["file"]
    if not (path.resolve().is_relative_to(_FILES.resolve()) and path.is_file()):
        raise NotFound(f"There is no file {request.url_vars['file']}")

    async def read() -> Response:
        kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
        return Response(await asyncio.to_thread(path.read_bytes), content_type=kind)

    control = FOR_EVER if library.software() in request.query_string else PUBLIC
    return await respond(datasette, request, library.software(), control, read)


def accepts_gzip(accepted: str) -> bool:
    """Whether an `Accept-Encoding` names gzip and does not refuse it."""
    return _GZIP.search(accepted) is not None


def _finished(response: Response, zipped: bool, told: dict[str, str]) -> Response:
    """An answer as it is sent: a text compressed if that is wanted, with what caches are told of it."""
    body = response.body.encode() if isinstance(response.body, str) else response.body
    if response.status != 200:
        kept = response.status < 400 and told.get("Cache-Control") != NO_STORE
        told = {} if kept else {"Cache-Control": NO_STORE}
    if response.content_type.startswith(_TEXTS):
        told = told | _VARY
        if zipped and len(body) >= LEAST:
            # Without the time, so that the same page is the same bytes.
            body = gzip.compress(body, _LEVEL, mtime=0)
            told = told | {"Content-Encoding": "gzip"}
    headers = response.headers | SECURITY | told | {"Content-Length": str(len(body))}
    return Response(body, response.status, headers, response.content_type)
