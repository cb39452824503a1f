"""The editor's commands on a small library: check, judge, and what is missing in the books."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from databases import build_database
from editorial.judged import CODES, CONCORDANCE, FILES, TEXTS
from samples import LAWS_PLAN, make_book, render
from terminal import refusal, whist

from kb.editorial.judging import written

TOPICS = '[[topic]]\nid = "revoke"\nlabel = "The revoke"\nnote = ""\nconcepts = ["revoke"]\n'
THESAURUS = '[[concept]]\nid = "revoke"\nlabel = "revoke"\nnote = ""\nvariants = ["revokes"]\n'


def make(corpus: Path, *without: str) -> Path:
    """Write the books of the small library, without the laws named, and the editor's files; and build it."""
    numbered = {unit_id: f"{unit_id[-1]}. {text}" for unit_id, text in TEXTS.items() if unit_id not in without}
    for code, year, short, book in CODES:
        laws = [text for unit_id, text in numbered.items() if unit_id.startswith(f"{code}/")]
        head = f'[[code]]\nid = "{code}"\ntitle = "Laws"\nshort = "{short}"\nyear = {year}\nauthority = "it"\n'
        plan = f'{head}{LAWS_PLAN}code = "{code}"\n'
        make_book(corpus / book, render(["WHIST LAWS", *laws], "lines"), "lines", plan)
    files = {"topics.toml": TOPICS, "thesaurus.toml": THESAURUS, "read.toml": written(numbered)}
    for name, text in (FILES | files).items():
        (corpus / name).parent.mkdir(exist_ok=True)
        (corpus / name).write_text(text, encoding="utf-8")
    return build_database(corpus, corpus / "whist.db")


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The small library, built."""
    folder = tmp_path_factory.mktemp("corpus")
    make(folder)
    return folder


@contextmanager
def changed(corpus: Path, name: str, *changes: tuple[str, str]) -> Iterator[None]:
    """Replace words in a file for a while."""
    before = text = (corpus / name).read_text("utf-8")
    for was, put in changes:
        assert was in text
        text = text.replace(was, put)
    (corpus / name).write_text(text, encoding="utf-8")
    yield
    (corpus / name).write_text(before, encoding="utf-8")


def test_check_lists_what_waits_and_ends_with_its_number(corpus: Path) -> None:
    check = ("check", "--db", corpus / "whist.db", "--corpus", corpus)
    result = whist(*check)
    assert (result.exit_code, result.output) == (0, "Nothing to do.\n")
    assert (whist(*check, "--json").exit_code, json.loads(whist(*check, "--json").output)) == (0, [])
    with changed(corpus, "read.toml", ("lose three", "lose four")):
        result, (first, *_) = whist(*check), json.loads(whist(*check, "--json").output)
    assert result.exit_code == 1
    assert f"{corpus / 'concordance.toml'}:7: stale: o-1850/law-1 has changed since it was judged" in result.output
    assert "    1. A player who revokes shall lose [-four-]{+three+} tricks." in result.output
    assert (first["kind"], first["line"]) == ("stale", 7)


def test_faults_of_the_files_are_told_before_anything_else(corpus: Path) -> None:
    faults = ("lose three", "lose ten"), ('silent = ["n-1890"', 'silent = ["m-1890"')
    with changed(corpus, "topics/revoke.toml", *faults):
        said = refusal("check", "--db", corpus / "whist.db", "--corpus", corpus).splitlines()
    assert len(said) == 2 and "did you mean n-1890" in said[0] and "'lose three tricks.'" in said[1]


def test_knowledge_base_of_other_books_is_refused(corpus: Path, tmp_path: Path) -> None:
    for command in ("check", "judge"):
        assert f"was not built from {tmp_path}" in refusal(command, "--db", corpus / "whist.db", "--corpus", tmp_path)


def test_judge_lists_pairs_and_keeps_texts(corpus: Path) -> None:
    judge = ("judge", "--db", corpus / "whist.db", "--corpus", corpus)
    assert whist(*judge).output == "Nothing is left to judge.\n"
    assert "there is no topic 'revokes'; did you mean revoke?" in refusal(*judge, "revokes")
    assert "No entry rests on 'o-1850/law-9'" in refusal(*judge, "--keep-texts", "--again", "o-1850/law-9")
    judged = CONCORDANCE[CONCORDANCE.index("[[link]]") : CONCORDANCE.index("[[unused]]")]
    with changed(corpus, "concordance.toml", (judged, "")), changed(corpus, "read.toml", ("lose three", "lose four")):
        found = whist(*judge, "revoke").output
        assert whist(*judge, "--keep-texts").exit_code == 0
        kept = (corpus / "read.toml").read_text("utf-8")
        assert whist(*judge, "--keep-texts", "--again", "o-1850/law-1").exit_code == 0
        again = (corpus / "read.toml").read_text("utf-8")
    assert 'a = "o-1850/law-1"\nb = "n-1890/law-1"\nrelation = "differs" # ' in found
    assert ": 3 against 2; both mention revoke" in found
    assert "lose four tricks" in kept and "lose three tricks" in again


def test_gaps_in_the_books_are_listed(tmp_path: Path) -> None:
    make(tmp_path)
    with (tmp_path / "book-1891" / "book.toml").open("a") as file:
        file.write("expect = 4\n")
    (tmp_path / "book-1850").rename(tmp_path / "book")
    database = build_database(tmp_path, tmp_path / "whist.db")
    address, numbers, *more = whist("check", "--db", database, "--corpus", tmp_path).output.splitlines()
    assert address.startswith(f"{tmp_path / 'book' / 'book.toml'}: gap: book: its pages cannot be opened")
    assert numbers.startswith(f"{tmp_path / 'book-1891' / 'scan.txt'}") and "c-1891 Law 3, 4: missing" in numbers
    assert more == []
