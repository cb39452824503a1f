"""The files that pages need: style, scripts, letters, pictures."""

from __future__ import annotations

import asyncio
import importlib.resources
import mimetypes
from pathlib import Path

from datasette.app import Datasette
from datasette.utils.asgi import NotFound, Request, Response

from datasette_plugins import library
from datasette_plugins.serving import httpcache

ROOT = Path(str(importlib.resources.files("datasette_plugins") / "static"))


async def file(request: Request, datasette: Datasette) -> Response:
    """One of the files; under an address that changes with the software it may be kept for ever.

    Raises:
        NotFound: there is none of this name.
    """
    path = ROOT / request.url_vars["file"]
    if not (path.resolve().is_relative_to(ROOT.resolve()) and path.is_file()):
        raise NotFound(f"There is no file {request.url_vars['file']}")

    async def read() -> Response:
        kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
        return Response(await asyncio.to_thread(path.read_bytes), content_type=kind)

    control = httpcache.FOR_EVER if library.software() in request.query_string else httpcache.PUBLIC
    return await httpcache.respond(datasette, request, library.software(), control, read)
