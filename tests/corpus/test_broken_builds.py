"""A build of a broken corpus: one sentence and status 2, and the older file is as it was."""

from __future__ import annotations

import contextlib
import hashlib
import io
import sys
from pathlib import Path

import pytest
from samples import CLUB, PREFACE, make_book, render
from small_corpus import FILES

from datasette_plugins.command import main

LAWS = [f"{n}. If a player revoke, his adversaries may take three tricks from him." for n in range(1, 9)]
PRINT = render(["WHIST LAWS", *LAWS], "lines")
HERE = f"at = {PRINT.index('revoke')}\n"
PASSAGE = f"[[passage]]\nstart = {PRINT.index('8.')}\nend = {len(PRINT.rstrip())}\n"
OLDER = b"SQLite format 3\x00 and the rest of an older knowledge base"
TYPO = f'[[reading]]\n{HERE}scan = "revoke"\nkind = "typo"\nreason = "r"\n'
LATE = [
    ("small-1850/errata.toml", f'{PASSAGE}kind = "footnote"\nof = "club-1850/law-99"\nreason = "r"\n',
     f"[[passage]] at {PRINT.index('8.')}, key 'of': the book has no unit 'club-1850/law-99'"),
    ("small-1850/errata.toml", f'{TYPO}cites = "club-1850/law-99"\n',
     f"[[reading]] at {PRINT.index('revoke')}, key 'cites': the book has no unit 'club-1850/law-99'"),
    ("small-1850/book.toml", PREFACE.format(sha256=hashlib.sha256(PRINT.encode()).hexdigest(), layout="lines")
     + CLUB.replace("WHIST LAWS", "CRICKET"), "[[part]] 1 'laws', key 'begins'"),
    ("small-1850/book.toml", CLUB, "key 'book': it is missing"),
    ("concordance.toml", FILES["concordance.toml"], "link 1: there is no unit"),
    ("topics/revoke.toml", "members = ['club-1850/law-99']\n", "key 'members': there is no unit 'club-1850/law-99'"),
    ("topics/revokes.toml", "members = []\n", "there is no topic 'revokes'"),
    ("thesaurus.toml", "[[concept]]\nid = 'a'\n", "[[concept]] 1 'a', key 'label': it is missing"),
    ("topics.toml", "[[topic]", "is not TOML"),
    ("library.toml", "[outcomes]\nunits = [['Pounds']]\n", "key 'units', entry 1, entry 1: 'Pounds' is no unit"),
]  # fmt: skip


def whist(*words: str | Path) -> tuple[int, str]:
    """The status of a command and what it says on standard error."""
    said = io.StringIO()
    with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stderr(said), pytest.raises(SystemExit) as ended:
        patch.setattr(sys, "argv", ["whist", *map(str, words)])
        main()
    return int(ended.value.code or 0), said.getvalue()


@pytest.mark.parametrize(("file", "text", "place"), LATE, ids=[place for _, _, place in LATE])
def test_a_build_of_a_broken_corpus_ends_with_status_2_and_leaves_the_older_file(
    tmp_path: Path, file: str, text: str, place: str
) -> None:
    make_book(tmp_path / "corpus" / "small-1850", PRINT, "lines", CLUB)
    broken = {name: FILES[name] for name in ("thesaurus.toml", "topics.toml")} | {file: text}
    for name, content in broken.items():
        (tmp_path / "corpus" / name).parent.mkdir(exist_ok=True)
        (tmp_path / "corpus" / name).write_text(content, encoding="utf-8")
    (tmp_path / "whist.db").write_bytes(OLDER)
    status, said = whist("build", "--corpus", tmp_path / "corpus", "--db", tmp_path / "whist.db")
    assert (status, said[:7], said.count("\n")) == (2, "whist: ", 1)
    assert file in said and place in said
    assert sorted(path.name for path in tmp_path.iterdir()) == ["corpus", "whist.db"]
    assert (tmp_path / "whist.db").read_bytes() == OLDER
