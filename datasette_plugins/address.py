"""The public URL of the library, with which permalinks begin; a client's headers cannot change it."""

from __future__ import annotations

from collections.abc import MutableMapping
from typing import Any
from urllib.parse import urlsplit

from datasette.app import Datasette
from datasette.utils import tilde_decode

from datasette_plugins import library

Scope = MutableMapping[str, Any]


def base(datasette: Datasette, scope: Scope) -> str:
    """Return the URL of the front page, without a trailing slash.

    Args:
        datasette: its plugin configuration `url` is the public URL, with the path of `base_url` if there is one.
        scope: the ASGI scope of a request. Without a configured URL its `server`, the listening socket, is used.
            Headers of the client (Host, X-Forwarded-*) would let anybody write links into our pages.
    """
    public = library.configured(datasette).get("url")
    if public:
        return str(public).rstrip("/")
    host, port = scope.get("server") or ("localhost", None)
    scheme = "https" if datasette.setting("force_https_urls") else "http"
    name = "localhost" if "/" in host else f"[{host}]" if ":" in host else host
    usual = port in (None, 443 if scheme == "https" else 80)
    return f"{scheme}://{name}{'' if usual else f':{port}'}{datasette.setting('base_url').rstrip('/')}"


def as_public(datasette: Datasette, scope: Scope) -> Scope:
    """The scope as if the request had been sent to the public URL, so that Datasette's own links begin with it too."""
    url = urlsplit(base(datasette, scope))
    headers = [(name, value) for name, value in scope["headers"] if name != b"host"]
    return {**scope, "scheme": url.scheme, "headers": [*headers, (b"host", url.netloc.encode())]}


def path(datasette: Datasette, scope: Scope) -> str:
    """The path of a request without base_url."""
    return "/" + str(scope["path"]).removeprefix(datasette.setting("base_url").rstrip("/")).removeprefix("/")


def first_segment(path: str) -> str:
    """The first segment of a path (without base_url), where Datasette's own pages have the name of a database."""
    return str(tilde_decode(path[1:].partition("/")[0].partition(".")[0]))
