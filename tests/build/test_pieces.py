"""Pieces of the work on a book that an edited reading does not touch: kept, they give the same edition to the byte."""

from __future__ import annotations

import shutil
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
def test_furniture_and_letters_come_back_as_they_were(corpus: Path, cache: Cache, book_id: str, layout: Layout) -> None:
    scan = read_scan(corpus / book_id / "scan.txt")[:60_000]
    furniture = FURNITURE[layout](scan)
    letters = decide_letters(scan, furniture.edits, layout=layout)
    assert furniture.edits and furniture.pages and letters.decisions and letters.suggestions
    for kind, found in ((Furniture, furniture), (Letters, letters)):
        assert cache.recall(kind, (scan,), lambda found=found: found) == found
        assert cache.recall(kind, (scan,), _no_longer) == found


def test_a_piece_is_known_by_what_it_is_made_of_and_by_which_code(
    cache: Cache, monkeypatch: pytest.MonkeyPatch
) -> None:
    def made(*made_of: str) -> str:
        return cache.recall(str, made_of, lambda: f"{made_of} by {fingerprint.of_extract()}")

    first = made("a text")
    assert cache.recall(str, ("a text",), _no_longer) == first
    assert len({first, made("another text"), made("a ", "text")}) == 3
    monkeypatch.setattr(fingerprint, "of_extract", lambda: "other code")
    assert made("a text") != first


def test_a_worker_uses_no_folder_that_is_not_the_users_own(folder: Path, tmp_path: Path, cache: Cache) -> None:
    book, elsewhere = load_book(folder), Cache(tmp_path / "nowhere")
    assert cached_edition(BookJob(book, False, elsewhere)) == cached_edition(BookJob(book, False))
    assert not elsewhere.folder.exists()
    cache.folder.chmod(0o777)
    cached_edition(BookJob(book, False, cache))
    assert not [*cache.folder.iterdir()]
