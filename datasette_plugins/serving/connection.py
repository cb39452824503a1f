"""One HTTP/1.1 connection: uvicorn's, with bounds on patience and the security headers on its own answers."""

from __future__ import annotations

import asyncio

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from datasette_plugins.answering.headers import RAW

# Seconds a client has to send a whole request head: it may not hold a connection by sending nothing, or one letter a
# minute.
PATIENCE = 15.0


class Connection(H11Protocol):
    """The connection of `whist serve`."""

    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for the first request."""
        super().connection_made(transport)
        self._await_request()

    def on_response_complete(self) -> None:
        """Begin to wait for the next request."""
        super().on_response_complete()
        self._await_request()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop waiting."""
        if self._deadline:
            self._deadline.cancel()
        super().connection_lost(exc)

    def send_400_response(self, msg: str) -> None:
        """Refuse what is not HTTP; no application sees it, so the headers are set here."""
        head = [(b"content-type", b"text/plain; charset=utf-8"), (b"connection", b"close"), *RAW]
        body = f"{msg}\n".encode()
        for event in (h11.Response(status_code=400, headers=head), h11.Data(data=body), h11.EndOfMessage()):
            self.transport.write(self.conn.send(event) or b"")
        self.transport.close()

    def _await_request(self) -> None:
        if self._deadline:
            self._deadline.cancel()
        self._deadline = self.loop.call_later(PATIENCE, self._give_up)

    def _give_up(self) -> None:
        if self.cycle is None or self.cycle.response_complete:
            self.transport.close()
