"""Content codings (RFC 9110, sections 8.4 and 12.5.3): texts are sent compressed to whoever reads gzip."""

from __future__ import annotations

import gzip
from functools import lru_cache

from datasette_plugins.serving.headers import App, Message, Receive, Scope, Send

# A shorter text would hardly get shorter, and fits one packet as it is.
LEAST = 1000
_LEVEL = 6
_TEXTS = (
    b"text/", b"application/json", b"application/ld+json", b"application/xml", b"application/javascript",
    b"image/svg+xml", b"application/x-bibtex", b"application/x-research-info-systems", b"application/vnd.",
)  # fmt: skip


@lru_cache(maxsize=256)
def chosen(accepted: bytes | None) -> str:
    """The coding for an `Accept-Encoding`: `gzip`, or "" for none."""
    weights: dict[bytes, float] = {}
    for part in (accepted or b"").lower().split(b","):
        name, _, parameter = part.partition(b";")
        key, _, value = parameter.partition(b"=")
        try:
            weights[name.strip()] = float(value) if key.strip() == b"q" else 1.0
        except ValueError:
            weights[name.strip()] = 0.0
    rest = weights.get(b"*", 0.0)
    zipped = weights.get(b"gzip", weights.get(b"x-gzip", rest))
    return "gzip" if zipped > 0 and zipped >= weights.get(b"identity", 0.0) else ""


def of_request(scope: Scope) -> str:
    """The coding that the client of a request can read, see `chosen`."""
    return chosen(b",".join(value for name, value in scope["headers"] if name == b"accept-encoding") or None)


def wrap(app: App) -> App:
    """Compress the texts that an application answers; what is no text passes as it comes."""

    async def asgi(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await app(scope, receive, send)
            return
        coding = of_request(scope)
        start: Message | None = None
        parts: list[bytes] = []

        async def coded(message: Message) -> None:
            nonlocal start
            if message["type"] == "http.response.start" and _is_text(message):
                start = message
            elif start is None:
                await send(message)
            else:
                parts.append(message.get("body", b""))
                if not message.get("more_body"):
                    headers, body = _coded(start, b"".join(parts), coding)
                    await send({**start, "headers": headers})
                    await send({"type": "http.response.body", "body": body})

        await app(scope, receive, coded)

    return asgi


def _is_text(message: Message) -> bool:
    headers = {name.lower(): value for name, value in message.get("headers", [])}
    return headers.get(b"content-type", b"").startswith(_TEXTS) and b"content-encoding" not in headers


def _coded(start: Message, body: bytes, coding: str) -> tuple[list[tuple[bytes, bytes]], bytes]:
    """The headers and body of a text as it is sent."""
    vary = [v for name, v in start["headers"] if name.lower() == b"vary"]
    kept = [(k, v) for k, v in start["headers"] if k.lower() not in (b"vary", b"content-length")]
    if coding and len(body) >= LEAST:
        # Without the time, so that the same page is the same bytes.
        body = gzip.compress(body, _LEVEL, mtime=0)
        kept.append((b"content-encoding", coding.encode()))
    return [*kept, (b"vary", b", ".join([*vary, b"Accept-Encoding"])), (b"content-length", b"%d" % len(body))], body
