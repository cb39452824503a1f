"""A terminal for tests: a command is run under a pseudo-terminal and answered as a user would, by what it shows."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import struct
import sys
import termios
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

_LONGEST = 60.0  # seconds that a command may take to show what is waited for
_AT_REST = 0.2  # seconds after a question is shown until the command waits for the answer
_RUN = "import sys; from datasette_plugins.command import main; sys.argv[0] = 'whist'; main()"


@dataclass(frozen=True, slots=True)
class Seen:
    """What a command showed on the terminal, and the status with which it ended."""

    text: str
    status: int


def on_terminal(
    words: Sequence[str],
    answers: Sequence[tuple[str, str | int]],
    *,
    columns: int = 80,
    environment: Mapping[str, str],
) -> Seen:
    """Run `whist` with some words on a terminal.

    Args:
        words: the command and its arguments.
        answers: pairs of what the command must show first, and what is typed then: keys, or the number of a signal.
        columns: the width of the terminal.
        environment: variables beside those of the test.
    Raises:
        AssertionError: what an answer waits for is not shown, or the command does not end; it is killed.
    """
    child, terminal = pty.fork()
    if child == 0:
        os.environ.update(environment)
        os.execv(sys.executable, [sys.executable, "-c", _RUN, *words])
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    try:
        return _attend(child, terminal, answers)
    except BaseException:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        raise
    finally:
        os.close(terminal)


def _attend(child: int, terminal: int, answers: Sequence[tuple[str, str | int]]) -> Seen:
    """Answer a command until it ends; if it does not, or does not ask, it is left running."""
    shown, at = "", 0
    for waited, typed in answers:
        until = time.monotonic() + _LONGEST
        while waited not in shown[at:]:
            more = _read(terminal, until)
            assert more, f"{waited!r} is not shown; after it came {shown[at:]!r}"
            shown += more
        at = shown.index(waited, at) + len(waited)
        time.sleep(_AT_REST)
        if isinstance(typed, int):
            os.kill(child, typed)
        else:
            os.write(terminal, typed.encode())
    until = time.monotonic() + _LONGEST
    while more := _read(terminal, until):
        shown += more
    assert time.monotonic() < until, f"the command goes on after the last answer; it has shown {shown[at:]!r}"
    _, status = os.waitpid(child, 0)
    return Seen(shown.replace("\r\n", "\n"), os.waitstatus_to_exitcode(status))


def _read(terminal: int, until: float) -> str:
    """What is shown next; nothing if the command has ended, or shows nothing more in time."""
    if not select.select([terminal], [], [], max(0.0, until - time.monotonic()))[0]:
        return ""
    try:
        return os.read(terminal, 65536).decode("utf-8", "replace")
    except OSError:  # the other side is closed
        return ""
