"""The HTTP server: it listens, serves the knowledge base, and stops without interrupting a response."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import threading
from pathlib import Path

import uvicorn

from datasette_plugins.serving.front import BuildSwapper
from extract.errors import WhistError

# Seconds that open requests have to finish when the server is stopped.
GRACE = 10


def listen(host: str, port: int) -> socket.socket:
    """Bind the port before anything else, so that no URL is announced that does not work.

    Args:
        host, port: the address.
    Raises:
        WhistError: the address cannot be bound.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        server = socket.create_server((host, port), family=family)
    except (OSError, UnicodeError) as error:
        raise WhistError(
            f"{host_and_port(host, port)} is taken or not allowed; choose another --port or --host."
        ) from error
    # Python's server sockets do not state TCP as their protocol, and only if they do, asyncio sets TCP_NODELAY, which
    # sends short responses at once; otherwise each waits 40 ms for the client's delayed acknowledgement.
    return socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP, fileno=server.detach())


def host_and_port(host: str, port: int) -> str:
    """A host and port as they are written in a URL."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def serve(database: Path | str, listening: socket.socket, url: str | None = None) -> None:
    """Serve a knowledge base until SIGINT or SIGTERM; then open requests may finish, and the process exits with 0.

    Args:
        database: the file `whist build` has written; if a new one replaces it, the new one is served.
        listening: a bound socket.
        url: the public URL of the front page, see `instance`.
    Raises:
        DatabaseError: the file cannot be served.
    """
    _stay_on_one_processor(listening.getsockname()[1])
    config = uvicorn.Config(
        BuildSwapper(database, url=url),
        http="h11",
        ws="none",
        lifespan="on",
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=GRACE,
    )
    if threading.current_thread() is threading.main_thread():
        # uvicorn stops gracefully and then sends itself the signal again; by default that ends in a traceback or worse.
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, _exit)
    uvicorn.Server(config).run(sockets=[listening])


def _stay_on_one_processor(port: int) -> None:
    """Run all threads on one processor, which is another one for the next port.

    Only one thread runs Python at a time, and passing the interpreter lock from one processor to another costs a
    third of the responses (`tests/bench/load.py --fresh`).
    """
    if hasattr(os, "sched_setaffinity"):  # Linux
        allowed = sorted(os.sched_getaffinity(0))
        with contextlib.suppress(OSError):  # a sandbox may forbid it
            os.sched_setaffinity(0, {allowed[port % len(allowed)]})


def _exit(number: int, frame: object) -> None:
    raise SystemExit(0)
