"""Security headers of the site's own pages; in `whist serve` of every response: tables, redirects and errors too."""

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
    # Everything is public and read-only, so pages of any origin may read it. Redirects and errors have the header too,
    # since without it a browser shows them to no script.
    "access-control-allow-origin": "*",
}
RAW: Headers = tuple((name.encode(), value.encode()) for name, value in SECURITY.items())
NO_STORE = (b"cache-control", b"no-store")
_INLINE = re.compile(r"<script>(.*?)</script>", re.S)


@cache
def back_room_csp() -> str:
    """The content security policy for Datasette's own pages, as strict as they permit.

    Their inline scripts are known and allowed by hash. Their styles are inline and in style attributes made of column
    names, which no hash can cover: styles, and only styles, may be inline. One picture is a data: URL.
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
    """Add the headers to every response of an application, `no-store` to errors; headers already set stay.

    HEAD is handled as GET; the server leaves out the body.
    """

    async def asgi(scope: Scope, receive: Receive, send: Send) -> None:
        if scope.get("method") == "HEAD":
            scope = {**scope, "method": "GET"}
        await app(scope, receive, _adding(send, lambda status: (*RAW, NO_STORE) if status >= 400 else RAW))

    return asgi


def for_back_room(send: Send) -> Send:
    """Wrap `send` to set the policy that Datasette's own pages need; error pages are ours and do not need it."""
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
