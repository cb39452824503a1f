"""`whist add` on a real terminal: questions, defaults by Return, nonsense asked again, and a user who goes away."""

from __future__ import annotations

import os
import pty
import re
import select
import signal
import sys
import termios
import time
from pathlib import Path

import pytest

Answers = list[tuple[str, str | int]]
LONGEST = 60.0  # seconds that a command may take to show what is waited for
AT_REST = 0.2  # seconds after a question is shown until the command waits for the answer
RUN = "import sys; from datasette_plugins.command import main; sys.argv[0] = 'whist'; main()"
LAWS = "".join(
    f"THE LAWS OF {game}\n\n" + "".join(f"{n}. If a player {fault}, he loses {n} points.\n\n" for n in range(1, 21))
    for game, fault in (("WHIST", "revoke"), ("LOO", "misdeal"))
)
ALL: Answers = [
    ("Title", "\r"), ("Year", "1875\r"), ("Author", "\r"), ("Id", "\r"), ("Take", "\r"), ("Take", "\r"),
]  # fmt: skip


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    (tmp_path / "hand.txt").write_text(LAWS, encoding="utf-8")
    folder = tmp_path / "corpus"
    folder.mkdir()
    return folder


def add(corpus: Path, answers: Answers, columns: int = 80, **environment: str) -> tuple[int, str]:
    """Add the scan on a terminal; the status and what was shown.

    Args:
        corpus: the folder of the books.
        answers: pairs of what the command must show first, and what is typed then: keys, or the number of a signal.
        columns: the width of the terminal.
        environment: variables beside those of the test.
    Raises:
        AssertionError: what an answer waits for is not shown, or the command does not end; it is killed.
    """
    words = ["-c", RUN, "add", str(corpus.parent / "hand.txt"), "--corpus", str(corpus)]
    child, terminal = pty.fork()
    if child == 0:
        os.execve(sys.executable, [sys.executable, *words], os.environ | {"COLUMNS": ""} | environment)
    termios.tcsetwinsize(terminal, (24, columns))
    try:
        shown = attend(child, terminal, answers)
    except BaseException:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        raise
    finally:
        os.close(terminal)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), shown.replace("\r\n", "\n")


def attend(child: int, terminal: int, answers: Answers) -> str:
    """Answer a command until it ends; if it does not, or does not ask, it is left running."""
    shown, at = "", 0
    for waited, typed in answers:
        until = time.monotonic() + LONGEST
        while waited not in shown[at:]:
            more = read(terminal, until)
            assert more, f"{waited!r} is not shown; after it came {shown[at:]!r}"
            shown += more
        at = shown.index(waited, at) + len(waited)
        time.sleep(AT_REST)
        if isinstance(typed, int):
            os.kill(child, typed)
        else:
            os.write(terminal, typed.encode())
    until = time.monotonic() + LONGEST
    while more := read(terminal, until):
        shown += more
    assert time.monotonic() < until, f"the command goes on after the last answer; it has shown {shown[at:]!r}"
    return shown


def read(terminal: int, until: float) -> str:
    """What is shown next; nothing if the command has ended, or shows nothing more in time."""
    if not select.select([terminal], [], [], max(0.0, until - time.monotonic()))[0]:
        return ""
    try:
        return os.read(terminal, 65536).decode("utf-8", "replace")
    except OSError:  # the other side is closed
        return ""


def test_return_takes_what_is_proposed_and_a_second_time_nothing_is_asked(corpus: Path) -> None:
    status, seen = add(corpus, ALL, NO_COLOR="1", TERM="xterm")
    assert status == 0 and "hand-whist-1875: {n}.: 20 of 20" in seen
    assert not re.search(r"\x1b\[(?:\d+;)*[34]\dm", seen)
    plan = corpus / "hand-1875" / "book.toml"
    changed = plan.read_text(encoding="utf-8").replace('title = "The laws of loo"', 'title = "Of loo"')
    plan.write_text(changed, encoding="utf-8")
    status, again = add(corpus, [])
    assert status == 0 and '-title = "Of loo"' in again
    assert plan.read_text(encoding="utf-8") == changed, "what the editor changed is kept"


def test_nonsense_is_asked_again_and_a_code_can_be_left_out(corpus: Path) -> None:
    (corpus / "other-1875").mkdir()
    answers: Answers = [
        ("Title", "  \r"), ("but blanks", ""), ("Title", "Of Games\r"),
        ("Year", "last\r"), ("no year", "\r"), ("Year", "99\r"), ("Year", "1875\r"),
        ("Author", "Hoyle, Edmond\r"), ("Id", "Not An Id!\r"), ("no id", "other-1875\r"), ("of another book", "\r"),
        ("Take", "perhaps\r"), ("y or n.", "n\r"), ("Take", "y\r"),
    ]  # fmt: skip
    assert add(corpus, answers)[0] == 0
    plan = (corpus / "hoyle-1875" / "book.toml").read_text(encoding="utf-8")
    assert 'title = "Of Games"' in plan and 'family = "Hoyle"' in plan
    assert plan.count("[[code]]") == 1 and "The laws of loo" in plan


@pytest.mark.parametrize(
    ("leaving", "status"), [("\x03", 130), ("\x04", 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
)
def test_who_goes_away_leaves_nothing_behind(corpus: Path, leaving: str | int, status: int) -> None:
    ended, seen = add(corpus, [("Title", "\r"), ("Year", leaving)])
    assert ended == status and seen.rstrip().endswith("whist: stopped.")
    assert "Traceback" not in seen
    assert list(corpus.iterdir()) == []


def test_a_narrow_plain_terminal_that_is_resized_sees_plain_lines(corpus: Path) -> None:
    resized: Answers = [("Title", signal.SIGWINCH), (":", "\r"), *ALL[1:]]
    status, seen = add(corpus, resized, columns=40, TERM="dumb", NO_COLOR="1")
    assert status == 0 and "\x1b" not in seen, seen
