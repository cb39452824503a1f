"""Conditional requests and headers for the site's own pages, as an ASGI wrapper (RFC 9110, sections 8.8 and 13)."""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from datasette.app import Datasette

from datasette_plugins import library
from datasette_plugins.routes import is_own

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

CSP = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
SECURITY = (
    (b"content-security-policy", CSP.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"strict-origin-when-cross-origin"),
)
PUBLIC = b"public, max-age=300, stale-while-revalidate=86400"
FOR_EVER = b"public, max-age=31536000, immutable"


def wrap(datasette: Datasette) -> Callable[[App], App]:
    """Make the wrapper for one Datasette."""

    def wrapper(app: App) -> App:
        async def asgi(scope: Scope, receive: Receive, send: Send) -> None:
            path = _path(datasette, scope)
            if scope["type"] != "http" or not (is_own(path) or _is_static(path)):
                await app(scope, receive, send)
                return
            headers = dict(scope["headers"])
            shared = b"cookie" not in headers and b"authorization" not in headers
            tag = _tag(datasette, scope, headers) if shared and is_own(path) else None
            if tag and scope["method"] in ("GET", "HEAD") and _matches(headers.get(b"if-none-match", b""), tag):
                answer = [
                    *SECURITY,
                    (b"etag", tag),
                    (b"cache-control", PUBLIC),
                    (b"vary", b"Cookie, Authorization"),
                ]
                await send({"type": "http.response.start", "status": 304, "headers": answer})
                await send({"type": "http.response.body", "body": b""})
                return

            async def with_headers(message: Message) -> None:
                if message["type"] == "http.response.start":
                    extra = list(SECURITY)
                    if message["status"] == 200 and shared:
                        version = library.software().encode() in scope["query_string"]
                        extra.append((b"cache-control", FOR_EVER if _is_static(path) and version else PUBLIC))
                        extra += [(b"etag", tag)] if tag else []
                    names = {name for name, _ in extra}
                    kept = [(k, v) for k, v in message.get("headers", []) if k.lower() not in names]
                    message = {**message, "headers": kept + extra}
                await send(message)

            await app(scope, receive, with_headers)

        return asgi

    return wrapper


def _path(datasette: Datasette, scope: Scope) -> str:
    path, base = str(scope.get("path", "")), str(datasette.setting("base_url"))
    return "/" + path[len(base) :] if base != "/" and path.startswith(base) else path


def _is_static(path: str) -> bool:
    return path.startswith(f"/-/static-plugins/{library.static_name()}/")


def _tag(datasette: Datasette, scope: Scope, headers: dict[bytes, bytes]) -> bytes | None:
    """The entity tag: data, software, and all of the request that a page depends on (it prints its own address)."""
    of = library.known(datasette)
    if of is None or of.seed is None:
        return None
    address = b"\0".join(
        (
            scope.get("scheme", "http").encode(),
            headers.get(b"host", b""),
            scope["path"].encode(),
            scope["query_string"],
        )
    )
    return b'"' + hashlib.sha256(of.seed.encode() + b"\0" + address).hexdigest()[:32].encode() + b'"'


def _matches(asked: bytes, tag: bytes) -> bool:
    """Whether If-None-Match names the tag; compared weakly, since a proxy that compresses makes tags weak."""
    return asked.strip() == b"*" or tag in (t.strip().removeprefix(b"W/") for t in asked.split(b","))
