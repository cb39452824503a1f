"""The gate: corrects, redirects or refuses requests before Datasette sees them.

Datasette has its own ways of decoding paths, reading the Host header and handling methods, some of which end in a
server error. Behind the gate there are only GET requests for paths that it can answer.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from urllib.parse import quote, unquote, unquote_to_bytes

from datasette.app import Datasette
from datasette.plugins import pm
from datasette.utils.asgi import Response

from datasette_plugins import address, library
from datasette_plugins.answering.headers import App, Receive, Scope, Send, for_back_room
from datasette_plugins.endpoint import PermanentRedirect
from datasette_plugins.routes import MISSING, is_own
from datasette_plugins.serving.errors import Failure, respond

ALLOWED = "GET, HEAD, OPTIONS"
# In bytes. No link of the library comes near these limits; some paragraphs may be pasted into a form, a book may not.
LONGEST_PATH, LONGEST_QUERY = 1000, 8000
_BAD_ESCAPE = re.compile(rb"%(?![0-9A-Fa-f]{2})")
_UNREADABLE = re.compile(r"[\x00-\x1f\x7f\ufffd]")
_ABSOLUTE = re.compile(rb"^https?://[^/]*", re.I)


def judge(
    method: str, target: bytes, query: bytes, tables: frozenset[str], others: Sequence[str | re.Pattern[str]] = ()
) -> str | PermanentRedirect | Failure | None:
    """Decide what to do with a request.

    Args:
        method: the method, such as GET.
        target: the path as it was sent, percent-encoded, without base_url.
        query: the query string.
        tables: the first path segments of Datasette's own pages.
        others: the patterns of the paths of other plugins' pages.
    Returns:
        The decoded path of a page of the site; the path to redirect to; an error response; or None if Datasette is to
        answer for the path as it was sent.
    """
    if method not in ("GET", "HEAD"):
        return Failure(405, "The library is read-only.", (("Allow", ALLOWED),))
    if len(target) > LONGEST_PATH or len(query) > LONGEST_QUERY:
        return Failure(414, "This address is too long; if you sent a text, send it in shorter parts.")
    path = unquote_to_bytes(target).decode(errors="replace")
    if _BAD_ESCAPE.search(target) or _UNREADABLE.search(path) or not path.startswith("/"):
        return Failure(400, "This address cannot be read: a character in it is badly encoded.")
    tidy = "/" + "/".join(filter(None, path.split("/")))
    for candidate in (tidy, tidy.lower()):
        if is_own(candidate):
            return candidate if candidate == path else PermanentRedirect(candidate)
    if path in library.static_paths() or any(re.match(pattern, path) for pattern in others):
        return None
    if address.first_segment(tidy) in tables:
        return None if path == tidy else PermanentRedirect(tidy)
    return MISSING + path


def wrap(datasette: Datasette, app: App) -> App:
    """Put the gate in front of the application of a Datasette."""
    others = of_other_plugins(datasette)

    async def asgi(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await app(scope, receive, send)
            return
        await datasette.invoke_startup()
        scope = address.as_public(datasette, scope)
        prefix = datasette.setting("base_url").rstrip("/")
        sent, query = target(scope).removeprefix(prefix.encode()), scope["query_string"]
        if scope["method"] == "OPTIONS":
            await Response("", 204, {"Allow": ALLOWED}).asgi_send(send)
            return
        verdict = judge(scope["method"], sent, query, library.routes(datasette), others)
        if isinstance(verdict, Failure):
            await (await respond(datasette, scope["path"], verdict)).asgi_send(send)
        elif isinstance(verdict, PermanentRedirect):
            where = prefix + quote(verdict.path, safe="/~") + ("?" + query.decode("latin-1") if query else "")
            await Response.redirect(where, status=301).asgi_send(send)
        elif verdict is not None:
            await app({**scope, "path": prefix + verdict, "raw_path": None}, receive, send)
        else:
            raw = _for_datasette(sent, datasette.setting("base_url"))
            await app({**scope, "path": unquote(raw), "raw_path": raw}, receive, for_back_room(send))

    return asgi


def of_other_plugins(datasette: Datasette) -> list[str | re.Pattern[str]]:
    """The patterns of the routes of all other plugins; their pages are left to them."""
    registered = pm.subset_hook_caller("register_routes", [sys.modules["datasette_plugins"]])
    return [pattern for routes in registered(datasette=datasette) for pattern, _ in routes]


def target(scope: Scope) -> bytes:
    """The path as it was sent, without the scheme and host of the absolute form (RFC 9112, section 3.2.2)."""
    raw: bytes = scope.get("raw_path") or quote(scope["path"]).encode()
    return _ABSOLUTE.sub(b"", raw.partition(b"?")[0], count=1) or b"/"


def _for_datasette(target: bytes, base_url: str) -> bytes:
    """Escape a path (without base_url) that still begins like base_url, or Datasette would strip its beginning too."""
    if base_url == "/" or not target.startswith(base_url.encode()):
        return target
    return b"/~%02X" % target[1] + target[2:]
