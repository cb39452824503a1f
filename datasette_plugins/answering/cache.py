"""Finished responses, cached by their entity tags (RFC 9110, sections 8.8, 12.5.3 and 13).

All that a page or file depends on is known before it is made, and gives its tag. A client that already has the response
with this tag gets a 304; for others it is made once, compressed once, and cached. Permissions are checked before all
this.

Compressing each response would take 0.7 ms for a law and 5.6 ms for the table of the revoke, where a cached response
takes 0.6 ms through the socket. Datasette's own pages are compressed by the proxy, if at all.
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
MOST_BYTES = 8_000_000
"""The limit for all cached responses together."""
LONGEST = 1_000_000
"""Bytes of the longest response that is cached; no page is longer."""
LEAST = 1000
"""Bytes of the shortest text that is compressed; a shorter one hardly shrinks, and fits one packet as it is."""
_OVERHEAD = 2_000  # bytes of an entry besides its body: headers, tag, objects
_LEVEL = 4  # 8.8 kB for a law, in six tenths of the time of the level that gives 8.5 kB
_TEXTS = (
    "text/", "application/json", "application/ld+json", "application/xml", "application/javascript",
    "image/svg+xml", "application/x-bibtex", "application/x-research-info-systems", "application/vnd.",
)  # fmt: skip
_GZIP = re.compile(r"(?:^|,)\s*(?:x-)?gzip\s*(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))(?:;|,|$)", re.I)
_VARY = {"Vary": "Accept-Encoding"}
_FILES = Path(str(importlib.resources.files("datasette_plugins") / "static"))


class PageCache:
    """Responses by entity tag, limited in bytes.

    Args:
        most: bytes of all responses together, including their overhead.
    """

    def __init__(self, most: int = MOST_BYTES) -> None:
        self.answers: LRUCache[str, Response] = LRUCache(most, getsizeof=lambda made: len(made.body) + _OVERHEAD)
        self._under_way: dict[str, asyncio.Task[Response]] = {}

    async def get(self, tag: str, make: Callable[[], Awaitable[Response]]) -> Response:
        """Return the response with a tag; concurrent requests for it share one task, which no client can cancel.

        Args:
            make: makes the response if it is not cached; only a response of status 200 is cached.
        """
        if found := self.answers.get(tag):
            return found
        if tag not in self._under_way:
            self._under_way[tag] = asyncio.create_task(self._make(tag, make))
        # If one client gives up waiting, the others still get the response.
        return await asyncio.shield(self._under_way[tag])

    async def _make(self, tag: str, make: Callable[[], Awaitable[Response]]) -> Response:
        try:
            response = await make()
        finally:
            del self._under_way[tag]
        if response.status == 200 and len(response.body) <= LONGEST:
            self.answers[tag] = response
        return response


class _Unchanged(Response):  # type: ignore[misc]  # Datasette is not typed
    """A 304 response; it has no headers about the body, since caches would apply them to the body they have."""

    async def asgi_send(self, send: Send) -> None:
        headers = [(name.lower().encode(), value.encode()) for name, value in self.headers.items()]
        await send({"type": "http.response.start", "status": 304, "headers": headers})
        await send({"type": "http.response.body", "body": b""})


@library.cached_on_it
def cache_of(_: Datasette) -> PageCache:
    """The cache of a Datasette; created on first use."""
    return PageCache()


async def respond(
    datasette: Datasette, request: Request, seed: str | None, control: str, make: Callable[[], Awaitable[Response]]
) -> Response:
    """Answer a request, from the cache if possible.

    Args:
        seed: all that the response depends on besides its URL; None if that is not known, and then nothing is cached.
        control: the `Cache-Control` header of a successful response.
        make: makes the response.
    """
    headers = request.headers
    zipped = accepts_gzip(headers.get("accept-encoding", ""))
    if request.actor or "cookie" in headers or "authorization" in headers:
        return _finished(await make(), zipped, {})  # Datasette marks it as private for caches
    if seed is None:
        return _finished(await make(), zipped, {"Cache-Control": control})
    parts = (seed, address.base(datasette, request.scope), request.scope["path"], request.query_string, str(zipped))
    tag = '"' + hashlib.sha256("\0".join(parts).encode()).hexdigest()[:32] + '"'
    cache_headers = {"Cache-Control": control, "ETag": tag}
    unchanged = _Unchanged("", 304, SECURITY | cache_headers | _VARY)
    if_none_match = headers.get("if-none-match", "")
    # Only a response that exists was ever sent with its tag, so a matching tag is enough; `*` needs the response. Tags
    # are compared weakly, since a proxy that compresses makes them weak.
    if tag in [each.strip().removeprefix("W/") for each in if_none_match.split(",")]:
        return unchanged

    async def finish() -> Response:
        return _finished(await make(), zipped, cache_headers)

    response = await cache_of(datasette).get(tag, finish)
    return unchanged if if_none_match.strip() == "*" and response.status == 200 else response


async def static_file(request: Request, datasette: Datasette) -> Response:
    """Serve one of our static files; if its URL names the version of the software, it may be cached for ever.

    Raises:
        NotFound: there is no file of this name.
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
    """Whether an `Accept-Encoding` header names gzip and does not refuse it."""
    return _GZIP.search(accepted) is not None


def _finished(response: Response, zipped: bool, cache_headers: dict[str, str]) -> Response:
    """A response ready to be sent: with security and cache headers, and a text compressed if `zipped`."""
    body = response.body.encode() if isinstance(response.body, str) else response.body
    if response.status != 200:
        cache_headers = {} if response.status < 400 else {"Cache-Control": "no-store"}
    if response.content_type.startswith(_TEXTS):
        cache_headers = cache_headers | _VARY
        if zipped and len(body) >= LEAST:
            # Without a timestamp, so that the same page gives the same bytes.
            body = gzip.compress(body, _LEVEL, mtime=0)
            cache_headers = cache_headers | {"Content-Encoding": "gzip"}
    headers = response.headers | SECURITY | cache_headers | {"Content-Length": str(len(body))}
    return Response(body, response.status, headers, response.content_type)
