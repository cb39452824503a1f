"""`whist add` on a real terminal: questions, defaults by Return, nonsense asked again, and a user who goes away."""

from __future__ import annotations

import re
import signal
from pathlib import Path

import pytest
from terminal import Seen, on_terminal

LAWS = "".join(
    f"THE LAWS OF {game}\n\n" + "".join(f"{n}. If a player {fault}, he loses {n} points.\n\n" for n in range(1, 21))
    for game, fault in (("WHIST", "revoke"), ("LOO", "misdeal"))
)
ALL: list[tuple[str, str | int]] = [
    ("Title", "\r"), ("Year", "1875\r"), ("Author", "\r"), ("Id", "\r"), ("Take", "\r"), ("Take", "\r"),
]  # fmt: skip


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    (tmp_path / "hand.txt").write_text(LAWS, encoding="utf-8")
    folder = tmp_path / "corpus"
    folder.mkdir()
    return folder


def add(corpus: Path, answers: list[tuple[str, str | int]], columns: int = 80, **environment: str) -> Seen:
    words = ["add", str(corpus.parent / "hand.txt"), "--corpus", str(corpus)]
    return on_terminal(words, answers, columns=columns, environment={"COLUMNS": "", **environment})


def test_return_takes_what_is_proposed_and_a_second_time_nothing_is_asked(corpus: Path) -> None:
    seen = add(corpus, ALL, NO_COLOR="1", TERM="xterm")
    assert seen.status == 0 and "hand-whist-1875: {n}.: 20 of 20" in seen.text
    assert not re.search(r"\x1b\[(?:\d+;)*[34]\dm", seen.text)
    plan = corpus / "hand-1875" / "book.toml"
    changed = plan.read_text(encoding="utf-8").replace('title = "The laws of loo"', 'title = "Of loo"')
    plan.write_text(changed, encoding="utf-8")
    again = add(corpus, [])
    assert again.status == 0 and '-title = "Of loo"' in again.text
    assert plan.read_text(encoding="utf-8") == changed, "what the editor changed is kept"


def test_nonsense_is_asked_again_and_a_code_can_be_left_out(corpus: Path) -> None:
    (corpus / "other-1875").mkdir()
    answers: list[tuple[str, str | int]] = [
        ("Title", "  \r"), ("but blanks", ""), ("Title", "Of Games\r"),
        ("Year", "last\r"), ("no year", "\r"), ("Year", "99\r"), ("Year", "1875\r"),
        ("Author", "Hoyle, Edmond\r"), ("Id", "Not An Id!\r"), ("no id", "other-1875\r"), ("of another book", "\r"),
        ("Take", "perhaps\r"), ("y or n.", "n\r"), ("Take", "y\r"),
    ]  # fmt: skip
    assert add(corpus, answers).status == 0
    plan = (corpus / "hoyle-1875" / "book.toml").read_text(encoding="utf-8")
    assert 'title = "Of Games"' in plan and 'family = "Hoyle"' in plan
    assert plan.count("[[code]]") == 1 and "The laws of loo" in plan


@pytest.mark.parametrize(
    ("leaving", "status"), [("\x03", 130), ("\x04", 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
)
def test_who_goes_away_leaves_nothing_behind(corpus: Path, leaving: str | int, status: int) -> None:
    seen = add(corpus, [("Title", "\r"), ("Year", leaving)])
    assert seen.status == status and seen.text.rstrip().endswith("whist: stopped.")
    assert "Traceback" not in seen.text
    assert list(corpus.iterdir()) == []


def test_a_narrow_plain_terminal_that_is_resized_sees_plain_lines(corpus: Path) -> None:
    resized: list[tuple[str, str | int]] = [("Title", signal.SIGWINCH), (":", "\r"), *ALL[1:]]
    seen = add(corpus, resized, columns=40, TERM="dumb", NO_COLOR="1")
    assert seen.status == 0 and "\x1b" not in seen.text, seen.text
