"""The folder of the cache: where it is, whom it trusts, how large it grows."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from kb.build.cache import PLACE, Cache, open_cache


def test_what_was_used_longest_ago_goes_first(tmp_path: Path) -> None:
    cache = Cache(tmp_path, limit=3000)
    for i in range(4):
        cache.put(f"edition-{i}", random.Random(i).randbytes(900))
        os.utime(tmp_path / f"edition-{i}", (i, i))
    assert cache.get("edition-0") is not None  # used again
    (tmp_path / ".old.part").write_bytes(bytes(100))
    os.utime(tmp_path / ".old.part", (0, 0))
    (tmp_path / ".new.part").write_bytes(bytes(100))
    cache.trim()
    assert sorted(p.name for p in tmp_path.iterdir()) == [".new.part", "edition-0", "edition-2", "edition-3"]


@pytest.mark.parametrize(("mode", "trusted"), [(0o700, True), (0o755, True), (0o777, False), (0o770, False)])
def test_a_folder_into_which_others_write_is_no_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mode: int, trusted: bool
) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine").chmod(mode)
    monkeypatch.setenv(PLACE, str(tmp_path / "mine"))
    assert (open_cache() is not None) == trusted


def test_where_the_cache_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv(PLACE, "")
    assert open_cache() is None
    monkeypatch.delenv(PLACE)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    assert (made := open_cache()) and made.folder == tmp_path / ".cache" / "whist"
    assert made.folder.stat().st_mode & 0o777 == 0o700
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "x"))
    assert (made := open_cache(fresh=True)) and made.folder == tmp_path / "x" / "whist" and not made.reads
    (tmp_path / "file").write_bytes(b"")
    monkeypatch.setenv(PLACE, str(tmp_path / "file" / "deeper"))
    assert open_cache() is None


@pytest.mark.parametrize(("said", "limit"), [("", 2**30), ("5000", 5_000_000_000), ("much", 2**30), ("0", 0)])
def test_how_large_the_cache_may_be(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, said: str, limit: int) -> None:
    monkeypatch.setenv(PLACE, str(tmp_path))
    monkeypatch.setenv("WHIST_CACHE_SIZE", said)
    assert (made := open_cache()) and made.limit == limit
