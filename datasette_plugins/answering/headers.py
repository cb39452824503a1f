"""The security headers: of the site's own pages, and in `whist serve` of every answer, tables, redirects and errors."""

from __future__ import annotations

import base64
import hashlib
import importlib.resources
import re
from collections.abc import Awaitable, Callable, MutableMapping
from functools import cache
from typing import Any

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

CSP = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
Headers = tuple[tuple[bytes, bytes], ...]

SECURITY = {
    "content-security-policy": CSP,
    "x-content-type-options": "nosniff",
    "referrer-policy": "strict-origin-when-cross-origin",
    "cross-origin-opener-policy": "same-origin",
    # Everything is public, and can only be read: pages of any origin may. On redirects and errors too, for a browser
    # gives a script neither without it.
    "access-control-allow-origin": "*",
}
RAW: Headers = tuple((name.encode(), value.encode()) for name, value in SECURITY.items())
NO_STORE = (b"cache-control", b"no-store")
_INLINE = re.compile(r"<script>(.*?)</script>", re.S)


@cache
def back_room_csp() -> str:
    """The policy for Datasette's own pages, as strict as they bear.

    Their inline scripts are known and named by their hashes. Their styles stand inline and in style attributes made of
    column names, which no hash can name: styles, and only they, may be inline. One picture is a data: address.
    """
    templates = importlib.resources.files("datasette") / "templates"
    scripts = {
        script.replace("{{ datasette_allow_facet }}", allowed)
        for name in ("_close_open_menus.html", "_codemirror_foot.html", "table.html")
        for script in _INLINE.findall((templates / name).read_text("utf-8"))
        for allowed in ("true", "false")
    }
    hashes = [base64.b64encode(hashlib.sha256(s.encode()).digest()).decode() for s in sorted(scripts)]
    named = " ".join(f"'sha256-{h}'" for h in hashes)
    return (
        CSP.replace("script-src 'self'", f"script-src 'self' {named}")
        .replace("style-src 'self'", "style-src 'self' 'unsafe-inline'")
        .replace("img-src 'self'", "img-src 'self' data:")
    )


def wrap(app: App) -> App:
    """Set the headers on whatever an application answers; what is set already stays, and no cache keeps an error.

    HEAD is GET without the body.
    """

    async def asgi(scope: Scope, receive: Receive, send: Send) -> None:
        if scope.get("method") == "HEAD":
            scope, send = {**scope, "method": "GET"}, _bodiless(send)
        await app(scope, receive, _adding(send, lambda status: (*RAW, NO_STORE) if status >= 400 else RAW))

    return asgi


def for_back_room(send: Send) -> Send:
    """A `send` that gives Datasette's own pages the policy they need; errors are our pages and need none."""
    policy = ((b"content-security-policy", back_room_csp().encode()),)
    return _adding(send, lambda status: policy if status == 200 else ())


def _adding(send: Send, headers: Callable[[int], Headers]) -> Send:
    async def adding(message: Message) -> None:
        if message["type"] == "http.response.start":
            given = list(message.get("headers", []))
            names = {name.lower() for name, _ in given}
            message = {
                **message,
                "headers": given + [(k, v) for k, v in headers(message["status"]) if k not in names],
            }
        await send(message)

    return adding


def _bodiless(send: Send) -> Send:
    async def without(message: Message) -> None:
        await send({**message, "body": b""} if message["type"] == "http.response.body" else message)

    return without
