"""A cache of finished answers, before anything else is asked: what a build has once told it tells again unchanged.

It stores what `httpcache` has given a tag and called public (RFC 9111), by all that such an answer depends on: the
socket that listens, the address as it was sent, and the coding. Each build's Datasette has a cache of its own.
"""

from __future__ import annotations

import asyncio
import threading
from collections import OrderedDict
from dataclasses import dataclass

from datasette_plugins.serving import content_coding, httpcache
from datasette_plugins.serving.gate import target
from datasette_plugins.serving.headers import App, Message, Receive, Scope, Send

MOST_BYTES = 24_000_000
# No answer is longer; the database itself, which is, is no page.
LONGEST = 1_000_000
# What an entry takes beside its body and address: headers, objects.
_OVERHEAD = 2_000
_OF_BODY = (b"content-type", b"content-length", b"content-encoding", b"content-disposition")

Header = tuple[bytes, bytes]
Key = tuple[object, bytes, bytes, str]


@dataclass(frozen=True, slots=True)
class Stored:
    """A finished answer of status 200."""

    headers: tuple[Header, ...]
    body: bytes
    tag: bytes

    def unchanged(self) -> tuple[Header, ...]:
        """The headers for a client that has it already."""
        return tuple((name, value) for name, value in self.headers if name not in _OF_BODY)


class PageCache:
    """Answers by request, bounded in bytes; which was not asked for longest is dropped first (LRU).

    Args:
        most: bytes of all entries together, with what they take beside their bodies.
    """

    def __init__(self, most: int = MOST_BYTES) -> None:
        self.size = 0
        self._most = most
        self._entries: OrderedDict[Key, Stored] = OrderedDict()
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._entries)

    def get(self, key: Key) -> Stored | None:
        """The answer to a request, if it is still there."""
        with self._lock:
            found = self._entries.get(key)
            if found:
                self._entries.move_to_end(key)
            return found

    def put(self, key: Key, stored: Stored) -> None:
        """Keep an answer."""
        with self._lock:
            if key not in self._entries:
                self._entries[key] = stored
                self.size += _size(key, stored)
            while self.size > self._most:
                self.size -= _size(*self._entries.popitem(last=False))


def _size(key: Key, stored: Stored) -> int:
    return len(stored.body) + len(key[1]) + len(key[2]) + _OVERHEAD


def wrap(app: App, cache: PageCache | None = None) -> App:
    """Answer from a cache what was answered before; HEAD is GET without the body.

    Args:
        app: what answers the first time.
        cache: its own if not given.
    """
    kept = PageCache() if cache is None else cache
    under_way: dict[Key, asyncio.Event] = {}

    async def asgi(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] not in ("GET", "HEAD"):
            await app(scope, receive, send)
            return
        if scope["method"] == "HEAD":
            scope, send = {**scope, "method": "GET"}, _bodiless(send)
        names = dict(scope["headers"])
        if b"cookie" in names or b"authorization" in names:
            await app(scope, receive, send)
            return
        key = (scope.get("server"), target(scope), scope["query_string"], content_coding.of_request(scope))
        stored = kept.get(key)
        if stored is None and key in under_way:
            # Others have just asked the same: it is made once.
            await under_way[key].wait()
            stored = kept.get(key)
        if stored:
            await _answer(stored, names.get(b"if-none-match"), send)
            return
        made = under_way.setdefault(key, asyncio.Event())
        try:
            await app(scope, receive, _Keeping(kept, key, made, send))
        finally:
            made.set()
            if under_way.get(key) is made:
                del under_way[key]

    return asgi


class _Keeping:
    """A `send` that keeps what it sends, if that may be kept; those who wait for it need not wait for this client."""

    def __init__(self, cache: PageCache, key: Key, made: asyncio.Event, send: Send) -> None:
        self._cache, self._key, self._made, self._send = cache, key, made, send
        self._headers: tuple[Header, ...] = ()
        self._tag = b""
        self._parts: list[bytes] = []

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self._headers = tuple((bytes(name).lower(), bytes(value)) for name, value in message["headers"])
            told = dict(self._headers)
            message = {**message, "headers": self._headers}
            if message["status"] == 200 and told.get(b"cache-control", b"").startswith(b"public"):
                self._tag = told.get(b"etag", b"")
        elif self._tag:
            self._parts.append(message.get("body", b""))
            if sum(map(len, self._parts)) > LONGEST:
                self._tag, self._parts = b"", []
            elif not message.get("more_body"):
                self._cache.put(self._key, Stored(self._headers, b"".join(self._parts), self._tag))
        if message["type"] == "http.response.body":
            self._made.set()
        await self._send(message)


async def _answer(stored: Stored, asked: bytes | None, send: Send) -> None:
    known = asked is not None and (asked.strip() == b"*" or stored.tag in httpcache.tags(asked))
    status, headers, body = (304, stored.unchanged(), b"") if known else (200, stored.headers, stored.body)
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def _bodiless(send: Send) -> Send:
    async def without(message: Message) -> None:
        await send({**message, "body": b""} if message["type"] == "http.response.body" else message)

    return without
