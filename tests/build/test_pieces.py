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
from kb.build import fingerprint, serialisation
from kb.build.cache import Cache
from kb.build.editions import BookJob, do_work, pieces

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
    as_it_was = do_work(BookJob(load_book(folder), False, None, cache=cache)).edition
    assert as_it_was == do_work(BookJob(load_book(folder), False, None)).edition
    for every in (11, 7):
        _drop_readings(folder, every)
        anew = do_work(BookJob(load_book(folder), False, None)).edition
        with monkeypatch.context() as patch:
            _keep_from_making_pieces(patch)
            with_pieces = do_work(BookJob(load_book(folder), False, None, cache=cache)).edition
        assert with_pieces == anew != as_it_was


def test_an_edition_without_the_editor_has_the_same_pieces(
    folder: Path, cache: Cache, monkeypatch: pytest.MonkeyPatch
) -> None:
    book = load_book(folder)
    alone = serialisation.written(make_edition(book, unaided=True))
    make_edition(book, recall=pieces(cache))
    _keep_from_making_pieces(monkeypatch)
    assert serialisation.written(make_edition(book, unaided=True, recall=pieces(cache))) == alone


@pytest.mark.parametrize(("book_id", "layout"), LAYOUTS)
def test_furniture_comes_back_as_it_was(corpus: Path, cache: Cache, book_id: str, layout: Layout) -> None:
    scan = read_scan(corpus / book_id / "scan.txt")
    found = FURNITURE[layout](scan)
    assert found.edits and found.pages
    assert pieces(cache)(Furniture, (layout, scan), lambda: found) == found
    assert pieces(cache)(Furniture, (layout, scan), _no_longer) == found


def test_letters_come_back_as_they_were(folder: Path, cache: Cache) -> None:
    scan = read_scan(load_book(folder).scan_path)

    def decide() -> Letters:
        return decide_letters(scan, FURNITURE["markdown"](scan).edits, layout="markdown")

    found = decide()
    assert found.decisions and found.suggestions
    assert pieces(cache)(Letters, ("a scan",), decide) == found
    assert pieces(cache)(Letters, ("a scan",), _no_longer) == found


def _made_again(cache: Cache, made_of: Sequence[str] = ("a text",)) -> bool:
    """Whether a piece that was made of one text is made again."""
    asked: list[str] = []

    def make(what: str) -> Callable[[], Any]:
        return lambda: asked.append(what) or [what]

    pieces(cache)(list, ("a text",), make("first"))
    pieces(cache)(list, made_of, make("second"))
    return "second" in asked


def test_a_piece_is_known_by_what_it_is_made_of(cache: Cache) -> None:
    assert not _made_again(cache)
    assert _made_again(cache, ("another text",))
    assert _made_again(cache, ("a ", "text"))


def test_other_code_makes_its_own_pieces(cache: Cache, monkeypatch: pytest.MonkeyPatch) -> None:
    found = [pieces(cache)(list, ("a text",), lambda: ["old"])]
    monkeypatch.setattr(fingerprint, "of_extract", lambda: "other code")
    found.append(pieces(cache)(list, ("a text",), lambda: ["new"]))
    assert found == [["old"], ["new"]]


def test_a_folder_into_which_others_may_write_keeps_no_pieces(cache: Cache) -> None:
    cache.folder.chmod(0o777)
    assert _made_again(cache) and not [*cache.folder.iterdir()]


def test_a_worker_on_another_machine_has_no_such_folder(folder: Path, tmp_path: Path) -> None:
    book, elsewhere = load_book(folder), Cache(tmp_path / "nowhere")
    assert do_work(BookJob(book, False, None, cache=elsewhere)) == do_work(BookJob(book, False, None))
    assert not elsewhere.folder.exists()
