"""Answers that are told again unchanged: entity tags and conditional requests (RFC 9110, sections 8.8 and 13).

What a page or file depends on is known before it is made: its tag. Whoever has what the tag names is told so; for
others it is made once and kept. Whether somebody may see a page is asked before all this.
"""

from __future__ import annotations

import asyncio
import hashlib
import importlib.resources
import mimetypes
from collections.abc import Awaitable, Callable
from pathlib import Path

from datasette.app import Datasette
from datasette.utils.asgi import NotFound, Request, Response

from datasette_plugins import address, library
from datasette_plugins.answering import content_coding, page_cache
from datasette_plugins.answering.headers import SECURITY, Send
from datasette_plugins.answering.page_cache import Made

PUBLIC = "public, max-age=300, stale-while-revalidate=86400"
FOR_EVER = "public, max-age=31536000, immutable"
NO_STORE = "no-store"
_FILES = Path(str(importlib.resources.files("datasette_plugins") / "static"))


async def respond(
    datasette: Datasette, request: Request, seed: str | None, control: str, make: Callable[[], Awaitable[Response]]
) -> Response:
    """Answer a request, from what was made before if that can be.

    Args:
        seed: all that the answer depends on besides its address; none if that is not known, and nothing is kept.
        control: what caches are told of a good answer.
        make: makes the answer.
    """
    headers = request.headers
    coding = content_coding.chosen(headers.get("accept-encoding", "").encode("latin-1"))
    if request.actor or "cookie" in headers or "authorization" in headers:
        return _response(_finished(await make(), coding, {}))  # Datasette tells caches that it is private
    if seed is None:
        return _response(_finished(await make(), coding, {"Cache-Control": control}))
    scope = request.scope
    tag = _digest(seed, address.base(datasette, scope), scope["path"], request.query_string, coding)
    told = {"Cache-Control": control, "ETag": tag}
    unchanged = _Unchanged("", 304, SECURITY | told | content_coding.VARY)
    asked = headers.get("if-none-match", "")
    # Only what exists was ever given its tag, so a tag that fits needs no look at it; `*` does.
    if tag in tags(asked):
        return unchanged

    async def finish() -> Made:
        return _finished(await make(), coding, told)

    made = await page_cache.of(datasette).get(tag, finish)
    return unchanged if asked.strip() == "*" and made.status == 200 else _response(made)


async def static_file(request: Request, datasette: Datasette) -> Response:
    """One of the files; under an address that changes with the software it may be kept for ever.

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


def _finished(response: Response, coding: str, told: dict[str, str]) -> Made:
    """An answer as it is sent: coded, with what caches are told of it."""
    body, coded = content_coding.coded(response.body, response.content_type, coding)
    if response.status != 200:
        kept = response.status < 400 and told.get("Cache-Control") != NO_STORE
        told = {} if kept else {"Cache-Control": NO_STORE}
    headers = response.headers | coded | SECURITY | told
    return Made(response.status, response.content_type, tuple(headers.items()), body)


def _response(made: Made) -> Response:
    return Response(made.body, made.status, dict(made.headers), made.content_type)


class _Unchanged(Response):  # type: ignore[misc]  # Datasette is not typed
    """That a client has it already; it says nothing of the body, or caches would believe it of theirs."""

    async def asgi_send(self, send: Send) -> None:
        headers = [(name.lower().encode(), value.encode()) for name, value in self.headers.items()]
        await send({"type": "http.response.start", "status": 304, "headers": headers})
        await send({"type": "http.response.body", "body": b""})


def _digest(*parts: str) -> str:
    return '"' + hashlib.sha256("\0".join(parts).encode()).hexdigest()[:32] + '"'


def tags(asked: str) -> list[str]:
    """The tags of If-None-Match, to be compared weakly, since a proxy that compresses makes tags weak."""
    return [tag.strip().removeprefix("W/") for tag in asked.split(",")]
