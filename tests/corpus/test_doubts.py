"""The editor's decisions on doubtful words become entries of errata.toml."""

import re
import shutil
import sqlite3
import tomllib
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from terminal import whist

from extract.corpus.errata import read_errata
from extract.model import Span
from kb.doubts import reading


@given(scan=st.text(min_size=1), read=st.text(min_size=1), reason=st.text(min_size=1), at=st.integers(0, 10**7))
def test_any_text_of_a_scan_can_be_written(scan: str, read: str, reason: str, at: int) -> None:
    (entry,) = tomllib.loads(reading(at, scan, read, reason))["reading"]
    assert entry == {"at": at, "scan": scan, "read": read, "reason": reason}


def test_answers_to_suggestions_become_readings_and_confirmed_words(
    tmp_path: Path, tiny_corpus: Path, tiny_database: Path
) -> None:
    corpus, library = shutil.copytree(tiny_corpus, tmp_path / "corpus"), tmp_path / "library.db"
    scan = (corpus / "club-1850" / "scan.txt").read_text("utf-8")
    words = [(m.start(), m.end(), m[0]) for m in re.finditer(r"[a-z]{5,}", scan)][:5]
    with sqlite3.connect(shutil.copy(tiny_database, library)) as conn:
        # The last word comes first, as the likeliest error.
        conn.executemany("insert into suggestion values (?, 'club-1850', ?, ?, ?, 'new', ? / 9.0, 'misread', 'rule')",
                         [(n, *word, n) for n, word in enumerate(words)])  # fmt: skip
    whist("suggest", "club-1850", "--ask", "--corpus", corpus, "--db", library, said="y\nr\nn\ne\nother\nq\n")
    errata = read_errata(corpus / "club-1850" / "errata.toml", scan)
    assert ([(e.raw_start, e.after) for e in errata.edits], errata.confirmed) == (
        [(words[1][0], "other"), (words[4][0], "new")],
        (Span(*words[3][:2]),),
    )
