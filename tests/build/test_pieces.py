"""Pieces of the work on a book that an edited reading does not touch: kept, they give the same edition to the byte."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from extract import edition as stages
from extract.corpus.book import load_book
from extract.correction.letters import Letters, decide_letters
from extract.edition import FURNITURE, make_edition
from extract.pages.furniture import Furniture
from extract.text.source import Layout, read_scan
from kb.build import fingerprint
from kb.build.cache import Cache
from kb.build.editions import BookJob, cached_edition

LAYOUTS: tuple[tuple[str, Layout], ...] = (
    ("deschapelles-1839", "lines"),
    ("arnaud-1829", "markdown"),
    ("pole-1895", "single-line"),
)


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    """An empty cache of the user's own."""
    (tmp_path / "cache").mkdir(mode=0o700)
    return Cache(tmp_path / "cache")


@pytest.fixture
def folder(tmp_path: Path, corpus: Path) -> Path:
    """A copy of a short book that has many readings of the editor."""
    for name in ("library.toml", "terms.txt"):
        shutil.copy(corpus / name, tmp_path)
    shutil.copytree(corpus / "arnaud-1829", tmp_path / "arnaud-1829")
    return tmp_path / "arnaud-1829"


def _drop_readings(folder: Path, every: int) -> None:
    """Take every so many readings out of the editor's file."""
    path = folder / "errata.toml"
    head, *entries = path.read_text(encoding="utf-8").split("\n[[")
    kept = [entry for i, entry in enumerate(entries) if i % every or not entry.startswith("reading")]
    assert len(kept) < len(entries)
    path.write_text("\n[[".join([head, *kept]), encoding="utf-8")


def _no_longer(*_: object, **__: object) -> Any:
    raise AssertionError("a piece is made again")


def _keep_from_making_pieces(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(stages, "FURNITURE", dict.fromkeys(FURNITURE, _no_longer))
    patch.setattr(stages, "decide_letters", _no_longer)


def test_an_edited_reading_gives_the_bytes_of_an_edition_made_without_pieces(
    folder: Path, cache: Cache, monkeypatch: pytest.MonkeyPatch
) -> None:
    as_it_was = cached_edition(BookJob(load_book(folder), False, cache))
    assert as_it_was == cached_edition(BookJob(load_book(folder), False))
    for every in (11, 7):
        _drop_readings(folder, every)
        anew = cached_edition(BookJob(load_book(folder), False))
        with monkeypatch.context() as patch:
            _keep_from_making_pieces(patch)
            with_pieces = cached_edition(BookJob(load_book(folder), False, cache))
        assert with_pieces == anew != as_it_was


def test_an_edition_without_the_editor_has_the_same_pieces(
    folder: Path, cache: Cache, monkeypatch: pytest.MonkeyPatch
) -> None:
    book = load_book(folder)
    alone = make_edition(book, unaided=True)
    make_edition(book, recall=cache.recall)
    _keep_from_making_pieces(monkeypatch)
    assert make_edition(book, unaided=True, recall=cache.recall) == alone


@pytest.mark.parametrize(("book_id", "layout"), LAYOUTS)
def test_furniture_comes_back_as_it_was(corpus: Path, cache: Cache, book_id: str, layout: Layout) -> None:
    scan = read_scan(corpus / book_id / "scan.txt")
    found = FURNITURE[layout](scan)
    assert found.edits and found.pages
    assert cache.recall(Furniture, (scan,), lambda: found) == found
    assert cache.recall(Furniture, (scan,), _no_longer) == found


def test_letters_come_back_as_they_were(folder: Path, cache: Cache) -> None:
    scan = read_scan(load_book(folder).scan_path)
    found = decide_letters(scan, FURNITURE["markdown"](scan).edits, layout="markdown")
    assert found.decisions and found.suggestions
    assert cache.recall(Letters, (scan,), lambda: found) == found
    assert cache.recall(Letters, (scan,), _no_longer) == found


def _made_again(cache: Cache, made_of: Sequence[str] = ("a text",)) -> bool:
    """Whether a piece that was made of one text is made again."""
    asked: list[str] = []

    def make(what: str) -> Callable[[], str]:
        return lambda: asked.append(what) or what

    cache.recall(str, ("a text",), make("first"))
    cache.recall(str, made_of, make("second"))
    return "second" in asked


def test_a_piece_is_known_by_what_it_is_made_of(cache: Cache) -> None:
    assert not _made_again(cache)
    assert _made_again(cache, ("another text",))
    assert _made_again(cache, ("a ", "text"))


def test_other_code_makes_its_own_pieces(cache: Cache, monkeypatch: pytest.MonkeyPatch) -> None:
    found = [cache.recall(str, ("a text",), lambda: "old")]
    monkeypatch.setattr(fingerprint, "of_extract", lambda: "other code")
    found.append(cache.recall(str, ("a text",), lambda: "new"))
    assert found == ["old", "new"]


def test_a_worker_uses_no_folder_that_is_not_the_users_own(folder: Path, tmp_path: Path, cache: Cache) -> None:
    book, elsewhere = load_book(folder), Cache(tmp_path / "nowhere")
    assert cached_edition(BookJob(book, False, elsewhere)) == cached_edition(BookJob(book, False))
    assert not elsewhere.folder.exists()
    cache.folder.chmod(0o777)
    cached_edition(BookJob(book, False, cache))
    assert not [*cache.folder.iterdir()]
