"""No corpus file can break the build: each fault is reported in one sentence, and an older build stays."""

import hashlib
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from samples import CLUB, PREFACE, make_book, render
from small_corpus import AT, FILES, SCAN, broken_keys, read_all, write
from terminal import whist

from extract.corpus.book import load_books
from extract.corpus.toml import read_toml
from extract.errors import BookError

BOOK, ERRATA, OTHER = "small-1850/book.toml", "small-1850/errata.toml", "other-1860/book.toml"
THESAURUS, TOPICS, CONCORDANCE = "thesaurus.toml", "topics.toml", "concordance.toml"
ANSWERS, TEXTS, TITLES = "topics/revoke.toml", "read.toml", "titles.toml"


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("corpus")
    write(folder)
    return folder


def error_of(corpus: Path, path: Path) -> str:
    """The error for a corpus with a fault at a path: sentences that begin with the path, each on a line of its own."""
    with pytest.raises(BookError) as caught:
        read_all(corpus)
    message = str(caught.value)
    for sentence in message.split("\n"):
        assert sentence.startswith(str(path)) and sentence.endswith((".", "?"))
        assert sentence.isprintable()
        assert len(sentence.removeprefix(str(path))) < 500
    return message


def refusal(corpus: Path, file: str, content: str | bytes) -> str:
    """The error for a corpus in which one file has other content."""
    path = corpus / file
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    try:
        return error_of(corpus, path)
    finally:
        path.write_text(FILES[file], encoding="utf-8")


def test_accepts_other_folders_and_symbolic_links_to_files(tmp_path: Path) -> None:
    write(tmp_path)
    (tmp_path / ".git").mkdir()
    (tmp_path / "notes").mkdir()
    (tmp_path / BOOK).rename(tmp_path / ".git" / "book.toml")
    (tmp_path / BOOK).symlink_to(tmp_path / ".git" / "book.toml")
    read_all(tmp_path)
    assert [book.id for book in load_books(tmp_path)] == ["small-1850", "other-1860"]


@pytest.mark.parametrize("file", [BOOK, ERRATA, THESAURUS, TOPICS, CONCORDANCE, ANSWERS, TEXTS, TITLES])
def test_reports_misspelt_missing_and_mistyped_keys(corpus: Path, file: str) -> None:
    for text, entry, key in broken_keys(file):
        message = refusal(corpus, file, text)
        assert entry in message and key in message, text


# (file, its text, the text put in its place, entry and key, part of the error)
FAULTS: list[tuple[str, str, str, str, str]] = [
    # numbers out of range or of another type
    (BOOK, "expect = 8", "expect = 1000000000000", "series 1, expect", "less than or equal to 9999"),
    (BOOK, '[[part]]\nid = "title"', '[[habit]]\nread = "("\nprinted = ","\nreason = "r"\n[[part]]\nid = "title"',
     "habit 1, read", "not a regular expression"),
    (BOOK, "expect = 8", "expect = 0", "series 1, expect", "greater than or equal to"),
    (BOOK, "expect = 8", "expect = 0x" + "f" * 9000, "expect", "less than or equal to"),
    (BOOK, "expect = 8", "expect = inf", "expect", "valid integer"),
    (BOOK, "expect = 8", 'expect = "8"', "expect", "valid integer, not '8'"),
    (BOOK, "expect = 8", "expect = { n = 8 }", "expect", "valid integer, not a table"),
    (BOOK, "expect = 8", "expect = true", "expect", "valid integer, not true"),
    (BOOK, "alone = false", 'alone = "no"', "alone", "valid boolean"),
    (BOOK, "year = 1850", "year = 1850-01-01", "book, year", "not the date or time 1850-01-01"),
    (BOOK, "expect = 8", "expect = 1000000000", "expect", "less than or equal to"),
    (BOOK, "chapter = 5", "chapter = 0", "series 2, chapter", "greater than or equal to"),
    (BOOK, "year = 1850", "year = 185", "book, year", "greater than or equal to 1450"),
    (BOOK, 'short = "Club laws"\nyear = 1850', 'short = "Club laws"\nyear = -1850', "code 1, year", ""),
    (ERRATA, f"at = {AT['p1ain']}", "at = -1", "reading 1, at", "greater than or equal to"),
    (ERRATA, f"at = {AT['p1ain']}", f"at = {len(SCAN) + 5}", "reading 1", "correct `at`"),
    # ids
    *((BOOK, 'id = "laws"', f'id = "{bad}"', "part 2", "is not a valid id")
      for bad in ("../laws", "la\\u0000ws", "", "laws-", "a--b", "läws", "a" * 65)),
    (BOOK, 'id = "club-1850"', 'id = "Club"', "code 1", "is not a valid id"),
    (BOOK, 'slug = "case"', 'slug = "a b"', "slug", "is not a valid id"),
    (THESAURUS, 'id = "revoke"', 'id = "../x"', "concept 1", "is not a valid id"),
    (TOPICS, 'id = "penalties"', 'id = "a/b"', "topic 2", "is not a valid id"),
    *((BOOK, 'prefix = "a"\n[[part]]', f'prefix = "{bad}"\n[[part]]', "series 2, prefix", "small")
      for bad in ("A", "abcdefghi")),
    # ids given twice
    (BOOK, 'id = "cases"', 'id = "laws"', "part 3, id", "entry 2 has the same"),
    (BOOK, '[[part]]\nid = "title"', '[[code]]\nid = "club-1850"\ntitle = "T"\nshort = "T"\nyear = 1850\n'
     'authority = "n"\n[[part]]\nid = "title"', "code 2, id", "entry 1 has the same"),
    (BOOK, 'slug = "case"', 'slug = "law"\ncode = "club-1850"', "part 3, series 1", "'laws'"),
    (OTHER, 'id = "other-code"', 'id = "small-1850"', "[[code]] 1 'small-1850', key 'id'", "small-1850 has the same"),
    (THESAURUS, 'id = "penalty"', 'id = "revoke"', "concept 2, id", "entry 1 has the same"),
    (TOPICS, 'id = "penalties"', 'id = "revoke"', "topic 2, id", "entry 1 has the same"),
    (TOPICS, '["revoke", "penalty"]', '["revoke", "revoke"]', "topic 1, concepts", "twice"),
    # values that contradict others
    (BOOK, 'code = "club-1850"', 'code = "pub-1850"', "series 1, code", "has the id 'pub-1850'"),
    (BOOK, 'explains = "club-1850/law-"', 'explains = "pub-1850/law-"', "part 4, explains", ""),
    (BOOK, 'explains = "club-1850/law-"', 'explains = "law-"', "part 4, explains", "of a unit id"),
    (BOOK, 'begins = "CASES"', 'begins = ""', "part 3, begins", "only the first part"),
    (BOOK, 'begins = "CASES"', 'begins = " "', "part 3, begins", "blank"),
    (BOOK, 'target = "club-1850/law-{n}"', 'target = "pub-1850/law-{n}"', "series 1, target", ""),
    (BOOK, 'within = "club-1850/law"', 'within = "pub-1850/law"', "series 1, within", "this book"),
    (TOPICS, '"revoke", "penalty"', '"revoke", "forfeit"', "topic 1, concepts", "'forfeit'"),
    (TOPICS, '["revoke", "penalty"]', "[]", "topic 1, concepts", "at least 1 item"),
    (THESAURUS, 'broader = "revoke"', 'broader = "forfeit"', "concept 2, broader", "'forfeit'"),
    (THESAURUS, 'broader = "revoke"', 'broader = "penalty"', "concept 2, broader", "itself"),
    (CONCORDANCE, 'b = "other-code/law-1"', 'b = "club-1850/law-7"', "link 1, b", "two codes"),
    (CONCORDANCE, 'b = "other-code/law-1"', 'b = "other-code/../law-7"', "link 1, b", "not the id of a unit"),
    (CONCORDANCE, '"other-code", "third-code"]', '"club-1850"]', "closed 1, codes", "its own code"),
    (CONCORDANCE, '["other-code", "third-code"]', "[]", "closed 1, codes", "at least 1 item"),
    (ANSWERS, '"club-1850/law-1", "other-code/law-1"]', '"club-1850/law-1", "club-1850/law-1"]',
     "members", "twice"),
    (CONCORDANCE, "least = 0.9", "least = 1.5", "twins 1, least", "less than or equal to"),
    (ANSWERS, '"Three points."', f'"{"three " * 18}points"', "question 1, answer, club-1850, summary", "18 words"),
    (ANSWERS, 'silent = ["other-code"]', 'silent = ["club-1850"]', "question 1, answer, club-1850", "in `silent`"),
    (ANSWERS, 'rule = "A"', 'rule = "B"', "rule", "does not contain B"),
    (ANSWERS, 'rule = "A"', 'rule = "a"', "rule", "letter of a rule"),
    (ANSWERS, '{ A = "three points" }', '{ A = "three points", B = "four" }', "B", "no code has rule B"),
    (ANSWERS, 'id = "claim"', 'id = "penalty"', "question 2, id", "entry 1 has the same"),
    (ANSWERS, '[{ unit = "club-1850/law-1", words', '[] # ', "rests_on", "at least 1 item"),
    (ANSWERS, "{ other-code = {", "{ club-1850 = {", "question 1, near, club-1850", "only a silent code"),
    (ANSWERS, "It bans a revoke only.", "no" + " no" * 18, "question 1, near, other-code, why", "18 words"),
    (ANSWERS, 'no = "penalty"\n', "", "distinction 1, answers", "at least 2 items"),
    (ANSWERS, 'shown = ["penalty"]', "shown = []", "distinction 1, shown", "at least 1 item"),
    (TITLES, "Three tricks for a revoke", "What a player who revokes must pay", "titles", "longer than 6 words"),
    (TITLES, '"club-1850/law-1"', '"law 1"', "titles, law 1", "is not the id of a unit"),
    (TEXTS, '"club-1850/law-2" = "He must pay four."', '"law 2" = "x"', "read, law 2", "is not the id of a unit"),
    (CONCORDANCE, '"equivalent"', '"alike"', "link 1, relation", "not 'alike'"),
    # unknown words
    (BOOK, 'grammar = "cases"', 'grammar = "case"', "part 3", "Input tag 'case'"),
    (BOOK, 'kind = "law"', 'kind = "lawn"', "series 1, kind", "'lawn' is not a known kind"),
    (ERRATA, 'kind = "ocr"', 'kind = "ocd"', "reading 1", "Input tag 'ocd'"),
    # keys that the grammar or the kind does not have
    (BOOK, 'grammar = "definitions"', 'grammar = "definitions"\nslug = "d"', "part 6, slug", ""),
    (BOOK, 'grammar = "table"', 'grammar = "table"\nsplit = ["x"]', "part 7, split", "Extra inputs"),
    (BOOK, 'grammar = "paragraphs"', 'grammar = "paragraphs"\nexpect = 4', "part 8", "Extra inputs"),
    (BOOK, 'slug = "comment"', 'slug = "comment"\ncode = "club-1850"', "series 1, code", ""),
    (BOOK, 'slug = "rules"', 'slug = "rules"\nexpect = 4', "series 1, expect", "Extra inputs"),
    (BOOK, 'split = ["Decision"]', "", "part 3, split", "Field required"),
    (BOOK, 'split = ["Decision"]', "split = []", "part 3, split", "at least 1 item"),
    (BOOK, 'split = ["Decision"]', 'split = [""]', "part 3, split 1", "blank"),
    (BOOK, 'split = ["Decision"]', 'split = ["Decision", 3]', "part 3, split 2", "valid string"),
    (BOOK, '[[part.series]]\nlabel = "Section {n}."\nkind = "constitution_section"\nslug = "rules"\n', "",
     "part 5, series", "write two"),
    (BOOK, 'label = "Article {I}."\nkind = "section"', 'label = "Article {I}."\nkind = "law"',
     "part 5, series 1, kind", "section"),
    (ERRATA, 'read = "plain"', 'read = "plain"\nmeant = "plan"', "reading 1", "Extra inputs"),
    (ERRATA, 'meant = "two"', 'read = "two"', "reading 2", "Extra inputs"),
    (ERRATA, 'guess = "editor"', "slip = true", "reading 3", "Extra inputs"),
    # labels, and words that become patterns
    *((BOOK, 'label = "Case {n}."', f'label = "{bad}"', "part 3, series 1, label", "")
      for bad in ("Case.", "{n}{n}.", "{N}.", "{n}.|", "{n}.|{I}.", "{n}.|ordinal", "", "a" * 499 + "{n}", "{n}\\n")),
    *((BOOK, '"{I}.", "ordinal"', f'"{bad}"', "series 1, subdivisions 1", "number goes")
      for bad in ("x", "{n}{I}")),
    *((BOOK, 'label = "Laws {list}."', f'label = "{bad}"', "part 4, series 1", "{list}")
      for bad in ("Laws {n}.", "{list}.", "Laws {list}.|L. {list}.")),
    *((BOOK, 'words = ["Section"]', f'words = ["{bad}"]', "series 2, words 1", "")
      for bad in ("(a+)+", "", "Law 1", "a" * 501)),
    (BOOK, 'words = ["Section"]', "words = []", "series 2, words", "at least 1 item"),
    *((BOOK, 'ditto = ["idem", "„"]', f'ditto = ["{bad}"]', "citations, ditto 1", "")
      for bad in ("(a+)+", "--")),
    *((BOOK, 'target = "club-1850/law-{n}"', f'target = "{bad}"', "series 1, target", "")
      for bad in ("club-1850/law", "club-1850/{x}-{n}", "club-1850/law-{n}-{n}", "law-{n}", "../law-{n}",
                  "club-1850/.*-{n}")),
    *((THESAURUS, '"fail *3 follow|followed suit"', f'"{bad}"', "concept 1, patterns 1", "")
      for bad in ("a *x b", "*3 a", "a *3", "a *9 b *9 c", "a|", "", "a (b")),
    (THESAURUS, 'label = "Penalty"', 'label = "--"', "concept 2, label", "contains no word"),
    (THESAURUS, '"renege"', '"Revoke"', "concept 1", "given twice"),
    # spans and readings
    (ERRATA, f"at = {AT['p1ain']}", f"at = {AT['p1ain'] + 1}", "reading 1", f"these words are at {AT['p1ain']}"),
    (ERRATA, 'scan = "p1ain"', 'scan = "p1ane"', "reading 1", "these words are not nearby"),
    (ERRATA, 'scan = "p1ain"', 'scan = ""', "reading 1", "scan"),
    (ERRATA, 'scan = "in part"', 'scan = "in whole"', "note 1", "correct `at`"),
    (ERRATA, 'read = "plain"', 'read = "p1ain"', "reading 1", "is what the scan has"),
    (ERRATA, 'meant = "two"', 'meant = "three"', "reading 2", "is what the scan has"),
    (ERRATA, 'guess = "odd"', 'guess = "odds"', "doubt 1", "is what the scan has"),
    (ERRATA, '[[doubt]]', '[[confirmed]]\nat = 0\nscan = "qq"\nreason = "r"\n[[doubt]]', "confirmed 1",
     "correct `at`"),
    (ERRATA, 'read = "plain"', 'read = "pla\\u0007in"', "reading 1", "invisible character"),
    (ERRATA, 'read = "plain"', 'read = "pla\\u202Ein"', "reading 1", "invisible character"),
    (ERRATA, '[[doubt]]', f'[[reading]]\nat = {AT["p1ain"] + 1}\nscan = "1"\nread = "l"\nreason = "again"\n[[doubt]]',
     "reading 4", "overlap"),
    (ERRATA, f"end = {AT['wholly'] + 6}", f"end = {AT['wholly']}", "passage 1", "end"),
    (ERRATA, f"end = {AT['wholly'] + 6}", f"end = {len(SCAN) + 1}", "passage 1", "beyond the end of the scan"),
    (ERRATA, f"start = {AT['wholly']}", f"start = {AT['wholly'] - 1}", "passage 1", "correct `start`"),
    (ERRATA, "[[passage]]", f'[[passage]]\nstart = {AT["wholly"] + 2}\nend = {AT["wholly"] + 4}\nkind = "footnote"\n'
     'reason = "r"\n[[passage]]', "passage 1", "overlap"),
    (ERRATA, 'of = "club-1850/law-2"', 'of = "law 2"', "passage 1", "not the id of a unit"),
    (ERRATA, 'cites = "club-1850/law-2"', 'cites = "law 2"', "reading 2", "not the id of a unit"),
    *((ERRATA, 'folio = "2"', f'folio = "{bad}"', "page 2, folio", "is not a page number")
      for bad in ("two", "02", "iiii", "II", "", "²", "99999999999")),
    (ERRATA, 'folio = "2"', 'folio = "1"', "page 2", "comes before it"),
    (ERRATA, 'folio = "1"', 'folio = "3"', "page 2", "page 3"),
    (ERRATA, 'folio = "2"', 'folio = "ii"', "page 2", "comes before it"),
    (ERRATA, f'at = {AT["revoke"]}\nfolio', f'at = {AT["revoke"] + 1}\nfolio', "page 2", "correct `at`"),
    # text shown on pages
    (BOOK, 'title = "A Small Book"', 'title = ""', "book, title", "blank"),
    (BOOK, 'title = "A Small Book"', 'title = "A\\u2028Small Book"', "book, title", "invisible character"),
    (BOOK, 'title = "A Small Book"', 'title = """A\nSmall Book"""', "book, title", "invisible character"),
    (BOOK, 'title = "A Small Book"', f'title = "{"a" * 501}"', "book, title", "at most 500 characters"),
    (BOOK, 'note = "The first."', 'note = "\\u001B[2J"', "code 1, note", "invisible character"),
    (THESAURUS, 'note = "Not ', 'note = "\\u0000Not ', "concept 1, note", "invisible character"),
    (BOOK, 'sha256 = "', 'sha256 = "0', "book, sha256", "SHA-256"),
    # tables of another type
    (BOOK, "[book]", "[[book]]", "book: ", "valid dictionary"),
    (BOOK, '[[code]]', "[code]", "code: ", "valid tuple"),
]  # fmt: skip


@pytest.mark.parametrize(("file", "old", "new", "place", "expected"), FAULTS)
def test_reports_a_fault_with_its_place(corpus: Path, file: str, old: str, new: str, place: str, expected: str) -> None:
    text = FILES[file]
    assert old in text
    message = refusal(corpus, file, text.replace(old, new, 1))
    assert place in message and expected in message


# Files that are not TOML

NOT_TOML = [
    (b"", "is empty"),
    (b"\xef\xbb\xbf", "book"),
    (b"x = oops\n", "line 1, column 5"),
    (b"\x00" * 50, "is not TOML"),
    ('x = "é"\n'.encode("latin-1"), "is not UTF-8"),
    ("x = “so”\n".encode(), "use straight quotation marks"),
    (b"x = " + b"9" * 5000, "is not TOML"),
    (b"x = " + b"[" * 100_000, "nested too deep"),
    (b"a." * 100_000 + b"a = 1\n", "joined by full stops"),
    (b"[" + b'"a" . ' * 100_000 + b"a]\n", "joined by full stops"),
    (b"#" * (2 * 2**20 + 1), "the limit is 2,097,152"),
]


def test_text_may_have_many_full_stops(tmp_path: Path) -> None:
    file = tmp_path / "errata.toml"
    file.write_text(f'read = "{"A. " * 40}"\n', encoding="utf-8")
    assert read_toml(file)[0] == {"read": "A. " * 40}


@pytest.mark.parametrize(("content", "message"), NOT_TOML, ids=[str(content[:20]) for content, _ in NOT_TOML])
def test_rejects_files_that_are_not_toml(corpus: Path, content: bytes, message: str) -> None:
    assert message in refusal(corpus, BOOK, content)


# Paths that are not regular files


NO_FILES: dict[str, tuple[Callable[[Path], object], str]] = {
    "a pipe": (os.mkfifo, "not a regular file"),
    "a folder": (Path.mkdir, "not a regular file"),
    "a device": (lambda path: path.symlink_to("/dev/zero"), "not a regular file"),
    "a link to nowhere": (lambda path: path.symlink_to("nowhere"), "cannot be read"),
    "a link to itself": (lambda path: path.symlink_to(path.name), "cannot be read"),
}


@pytest.mark.parametrize(
    ("file", "what"),
    [
        *((BOOK, what) for what in NO_FILES),
        *((file, "a link to nowhere") for file in (ERRATA, THESAURUS, TOPICS, CONCORDANCE, ANSWERS, TEXTS, TITLES)),
    ],
)
def test_rejects_paths_that_are_not_regular_files_without_waiting(tmp_path: Path, file: str, what: str) -> None:
    write(tmp_path)
    (tmp_path / file).unlink()
    make, message = NO_FILES[what]
    make(tmp_path / file)
    assert message in error_of(tmp_path, tmp_path / file)


# Folders


@pytest.mark.parametrize("name", ["Small-1850", "a" * 65, "small\n1850", os.fsdecode(b"\xff")])
def test_rejects_folder_names_that_are_not_ids(tmp_path: Path, name: str) -> None:
    write(tmp_path)
    (tmp_path / "small-1850").rename(tmp_path / name)
    with pytest.raises(BookError, match="the name of a book's folder is its id; rename it") as caught:
        load_books(tmp_path)
    assert str(caught.value).isprintable()


def test_rejects_a_missing_corpus(tmp_path: Path) -> None:
    with pytest.raises(BookError, match="missing cannot be read as a folder of books"):
        load_books(tmp_path / "missing")


@pytest.mark.parametrize("left", ["scan.txt", "errata.toml"])
def test_rejects_a_book_without_book_toml(tmp_path: Path, left: str) -> None:
    (tmp_path / "small-1850").mkdir()
    (tmp_path / "small-1850" / left).touch()
    with pytest.raises(BookError, match=rf"small-1850 has {left} but no book\.toml"):
        load_books(tmp_path)


LAWS = [f"{n}. If a player revoke, his adversaries may take three tricks from him." for n in range(1, 9)]
PRINT = render(["WHIST LAWS", *LAWS], "lines")
PASSAGE = f"[[passage]]\nstart = {PRINT.index('8.')}\nend = {len(PRINT.rstrip())}\n"
OLDER = b"SQLite format 3\x00 and the rest of an older knowledge base"
TYPO = f'[[reading]]\nat = {PRINT.index("revoke")}\nscan = "revoke"\nkind = "typo"\nreason = "r"\n'
LATE = [
    ("small-1850/errata.toml", f'{PASSAGE}kind = "footnote"\nof = "club-1850/law-99"\nreason = "r"\n',
     f"[[passage]] at {PRINT.index('8.')}, key 'of': the book has no unit 'club-1850/law-99'"),
    ("small-1850/errata.toml", f'{TYPO}cites = "club-1850/law-99"\n',
     f"[[reading]] at {PRINT.index('revoke')}, key 'cites': the book has no unit 'club-1850/law-99'"),
    ("small-1850/book.toml", PREFACE.format(sha256=hashlib.sha256(PRINT.encode()).hexdigest(), layout="lines")
     + CLUB.replace("WHIST LAWS", "CRICKET"), "[[part]] 1 'laws', key 'begins'"),
    ("concordance.toml", FILES["concordance.toml"], "link 1: there is no unit 'other-code/law-1'"),
    ("topics/revoke.toml", "members = ['club-1850/law-99']\n", "line 1: members 1: there is no unit"),
    ("topics/revokes.toml", "members = []\n", "there is no topic 'revokes'"),
    ("topics.toml", "[[topic]", "is not TOML"),
    ("topics/revoke.toml", "members = 3\n", "members: Input should be a valid tuple, not 3"),
]  # fmt: skip


@pytest.mark.parametrize(("file", "text", "place"), LATE, ids=[place for _, _, place in LATE])
def test_failed_build_reports_the_place_and_keeps_the_older_file(
    tmp_path: Path, file: str, text: str, place: str
) -> None:
    make_book(tmp_path / "corpus" / "small-1850", PRINT, "lines", CLUB)
    broken = {name: FILES[name] for name in ("thesaurus.toml", "topics.toml")} | {file: text}
    for name, content in broken.items():
        (tmp_path / "corpus" / name).parent.mkdir(exist_ok=True)
        (tmp_path / "corpus" / name).write_text(content, encoding="utf-8")
    (tmp_path / "whist.db").write_bytes(OLDER)
    error = whist("build", "--corpus", tmp_path / "corpus", "--db", tmp_path / "whist.db").exception
    assert isinstance(error, BookError) and file in str(error) and place in str(error)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["corpus", "whist.db"]
    assert (tmp_path / "whist.db").read_bytes() == OLDER
