"""Conditional requests for the site's own pages and files, as an ASGI wrapper (RFC 9110, sections 8.8 and 13)."""

from __future__ import annotations

import hashlib
from collections.abc import Callable

from datasette.app import Datasette

from datasette_plugins import address, library
from datasette_plugins.routes import is_own
from datasette_plugins.serving import content_coding
from datasette_plugins.serving.headers import App, Message, Receive, Scope, Send, unkept

PUBLIC = b"public, max-age=300, stale-while-revalidate=86400"
FOR_EVER = b"public, max-age=31536000, immutable"
VARY = (b"vary", b"Cookie, Authorization, Accept-Encoding")


def wrap(datasette: Datasette) -> Callable[[App], App]:
    """Make the wrapper for one Datasette; it expects paths as the gate has put them right."""

    def wrapper(app: App) -> App:
        async def asgi(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["type"] != "http":
                await app(scope, receive, send)
                return
            path = address.path(datasette, scope)
            own, static = is_own(path), library.is_static(path)
            if own and library.edited(datasette):
                # The editor builds and looks again; and what only he may see, no cache shall show another day.
                await app(scope, receive, unkept(send))
                return
            headers = dict(scope["headers"])
            if b"cookie" in headers or b"authorization" in headers or not (own or static):
                await app(scope, receive, send)
                return
            tag = _tag(datasette, scope) if own else _tag_of_file(scope)
            asked = headers.get(b"if-none-match", b"")
            # Only a page that exists was ever given its tag, so a tag that fits needs no look at the page; `*` does.
            if tag and tag in tags(asked):
                await _unchanged(send, tag)
                return
            unchanged = False

            async def tagged(message: Message) -> None:
                nonlocal unchanged
                if message["type"] == "http.response.start" and message["status"] == 200:
                    if unchanged := tag is not None and asked.strip() == b"*":
                        await _unchanged(send, tag or b"")
                        return
                    version = library.software().encode() in scope["query_string"]
                    extra = [(b"cache-control", FOR_EVER if static and version else PUBLIC)]
                    extra += [(b"etag", tag)] if tag else []
                    names = {name for name, _ in extra}
                    kept = [(k, v) for k, v in message.get("headers", []) if k.lower() not in names]
                    message = {**message, "headers": kept + extra}
                if not unchanged:
                    await send(message)

            await app(scope, receive, tagged)

        return asgi

    return wrapper


def _tag(datasette: Datasette, scope: Scope) -> bytes | None:
    """The entity tag: data, software, the public address of the page, which it prints, and its coding."""
    knowledge = library.known(datasette)
    if knowledge is None or knowledge.seed is None:
        return None
    parts = (knowledge.seed, address.base(datasette, scope), scope["path"], scope["query_string"].decode("latin-1"))
    return _digest(*parts, content_coding.of_request(scope))


def _tag_of_file(scope: Scope) -> bytes:
    """The entity tag of a static file, which changes with the software only."""
    return _digest(library.software(), scope["path"], content_coding.of_request(scope))


def _digest(*parts: str) -> bytes:
    return b'"' + hashlib.sha256("\0".join(parts).encode()).hexdigest()[:32].encode() + b'"'


def tags(asked: bytes) -> list[bytes]:
    """The tags of If-None-Match, to be compared weakly, since a proxy that compresses makes tags weak."""
    return [tag.strip().removeprefix(b"W/") for tag in asked.split(b",")]


async def _unchanged(send: Send, tag: bytes) -> None:
    answer = [(b"etag", tag), (b"cache-control", PUBLIC), VARY]
    await send({"type": "http.response.start", "status": 304, "headers": answer})
    await send({"type": "http.response.body", "body": b""})
