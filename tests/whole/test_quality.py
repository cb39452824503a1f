"""Limits for the quality figures, and tests of the measures. The gold was made by eye (gold/README.md)."""

import json
import re
import sqlite3
from operator import lt
from pathlib import Path

import pytest

from extract.errors import BookError
from extract.model import Edit
from extract.text.textlayer import TextLayer
from kb.editorial.built import open_work
from kb.evaluation import Report, evaluate, retrieval
from kb.evaluation.alignment import score_links
from kb.evaluation.gold import rows
from kb.evaluation.letters import score_letters
from kb.evaluation.retrieval import PLAYERS, GoldQuestion, questions, rank_of, score_asked
from kb.evaluation.segments import score_references, score_units
from kb.questions.ask import Asked, Match, ask
from kb.read.store import open_store

GOLD = Path(__file__).parents[1] / "gold"
DOCUMENT = (Path(__file__).parents[2] / "docs" / "quality.md").read_text("utf-8")
# The rows of the table of questions in the document, in order.
SOURCES = ("disputes", "questions", "players", "parts", "paraphrases", "short")

# Highest character error rate allowed, in per cent: without the editor, and in the shipped edition. All limits in this
# file are close to the current figures, so that a regression shows; tighten them with every improvement.
CER = {
    "arnaud-1829": (0.18, 0.01),
    "deschapelles-1839": (0.17, 0.01),
    "drayson-1896": (0.01, 0.01),
    "pole-1895": (0.1, 0.01),
}
FIXED = {True: 53, False: 67}
# Least shares of questions with a law that decides first, and among the first three, by source.
ASKED = {
    "disputes": (0.93, 0.97),
    "questions": (0.88, 0.97),
    "players": (0.88, 0.97),
    "parts": (0.79, 0.92),
    "paraphrases": (0.85, 0.95),
    "short": (0.86, 0.96),
}
# Least share of laws among the first three passages if a question is searched for as words.
SEARCHED = {"disputes": 0.7, "questions": 0.64}


@pytest.fixture(scope="module")
def edited(library: Path) -> Report:
    with open_store(library) as conn:
        return evaluate(conn, GOLD)


@pytest.fixture(scope="module", params=[True, False], ids=["unaided", "edited"])
def alone(request: pytest.FixtureRequest) -> bool:
    """Whether the machine made the library alone, without the editor's files."""
    return bool(request.param)


@pytest.fixture(scope="module")
def report(request: pytest.FixtureRequest, alone: bool) -> Report:
    """The figures of a library; unaided, it has no questions, and none is asked."""
    if not alone:
        return request.getfixturevalue("edited")  # type: ignore[no-any-return]
    with open_store(request.getfixturevalue("unaided_library")) as conn, pytest.MonkeyPatch.context() as patch:
        patch.setattr(retrieval, "questions", lambda *_: ())
        return evaluate(conn, GOLD)


def test_few_letters_are_misread_and_no_right_word_is_harmed(alone: bool, report: Report) -> None:
    for book, (unaided, edited) in CER.items():
        score = report.text[book]
        assert score.figures["CER reading %"] <= (unaided if alone else edited), book
        assert score.read_letters <= score.scan_letters
    assert {book: score.harm for book, score in report.text.items() if score.harm} == {}
    assert report.text["all"].fixed >= FIXED[alone]


def test_units_are_found(report: Report) -> None:
    assert {name: units.missed for name, units in report.units.items() if units.missed} == {}
    assert report.pages[0] == report.pages[1] >= 157


def test_references_are_resolved(alone: bool, report: Report) -> None:
    for book, (precision, recall) in report.references.items():
        assert precision >= 0.999, book
        assert recall >= (0.98 if alone else 0.999), book


def test_pairs_of_provisions_are_linked(alone: bool, report: Report) -> None:
    links = report.links
    assert links.found[0] >= (190 if alone else 280)
    assert links.right[0] >= (0.84 if alone else 0.94) * links.right[1]
    assert links.agreed[0] >= (0.44 if alone else 0.83) * links.agreed[1]
    assert links.unwanted[0] <= (18 if alone else 5)


def test_rows_of_answers_are_found(edited: Report) -> None:
    revoke = edited.answers["revoke"]
    assert revoke.found[0] >= 25
    assert revoke.cited[0] >= 0.97 * revoke.cited[1]
    # Less than all: a question of today that covers several of the gold is answered where one of them is not.
    assert revoke.silent[0] >= 0.8 * revoke.silent[1]


def test_law_that_decides_comes_first(edited: Report) -> None:
    assert edited.asked.keys() == ASKED.keys()
    shares = {source: (score.first, score.among_three) for source, score in edited.asked.items()}
    assert {source: found for source, found in shares.items() if any(map(lt, found, ASKED[source]))} == {}


def test_silence_is_told(edited: Report) -> None:
    told, of = (sum(score.silent[i] for score in edited.asked.values()) for i in (0, 1))
    wrongly, others = (sum(score.wrongly[i] for score in edited.asked.values()) for i in (0, 1))
    assert told >= 0.72 * of and wrongly <= 0.02 * others


def test_only_questions_on_other_subjects_are_refused(edited: Report, shipped: sqlite3.Connection) -> None:
    asked = {row["query"]: row.get("beside", False) for _, row in rows(GOLD, PLAYERS)}
    assert sum(asked.values()) == 12
    assert {query: beside for query, beside in asked.items() if bool(ask(shipped, query).told) != beside} == {}
    assert sum(score.told for score in edited.asked.values()) == 0
    for query in ("scorer made a mistake in the points", "my hearts fell on the floor", "I misheard the call"):
        assert ask(shipped, query).told == "", query


def test_questions_that_no_provision_decides_are_told_so(shipped: sqlite3.Connection) -> None:
    for query in ("When should I lead trumps from five?", "Who invented whist?", "How do I run a whist drive?"):
        assert ask(shipped, query).told == "unruled", query


def test_passages_that_decide_are_found_by_words(edited: Report) -> None:
    assert edited.searched.keys() == SEARCHED.keys()
    assert {s: score for s, score in edited.searched.items() if score.among_three < SEARCHED[s]} == {}


def test_tables_of_the_document_match_the_figures(alone: bool, report: Report) -> None:
    rows = {cells[0]: cells[1:] for line in DOCUMENT.splitlines() if (cells := line.strip("| ").split(" | "))[1:]}
    column = 0 if alone else 1
    for book in CER:
        score, cells = report.text[book].figures, rows[book]
        scanned, read = (cells[i].removesuffix(" %").split(" / ") for i in (0, 1 + column))
        assert [*map(float, scanned)] == [score["CER scan %"], score["WER scan %"]]
        assert [*map(float, read)] == [score["CER reading %"], score["WER reading %"]]
        unaided, edited, wrong = re.findall(r"\d+", cells[3])
        assert score["wrong words fixed"] == f"{(unaided, edited)[column]} of {wrong}"
    links, revoke = report.links, report.answers["revoke"]
    for name, *pairs in (
        ("pairs of the gold linked", links.found),
        ("links among these provisions that are right", links.right),
        ("relation agrees with the gold", links.agreed),
        ("links into a code without a counterpart", links.unwanted),
        *(() if alone else (
            ("questions on the revoke found", revoke.found),
            ("answers that cite a right provision / rightly silent", revoke.cited, revoke.silent),
        )),
    ):  # fmt: skip
        assert rows[name][column] == " / ".join(f"{part} of {whole}" for part, whole in pairs), name
    table = [cells for cells in rows.values() if cells[0].replace(",", "").isdigit()]
    for source, cells in () if alone else zip(SOURCES, table, strict=True):
        asked = report.asked[source]
        shown = (f"{asked.first:.2f}", f"{asked.among_three:.2f}", f"{asked.mrr:.2f}")
        numbers = (f"{asked.lists:,}", *shown, *(f"{told} of {of:,}" for told, of in (asked.silent, asked.wrongly)))
        assert (*cells,) == numbers, source


NUMBERS = """
with numbered as (
    select substr(id, 1, instr(id, '/') - 1) as work, kind, cast(ltrim(number, 'abc') as int) as n,
    case when number glob '[abc]*' then substr(number, 1, 1) end as series from unit
    where kind in ('law', 'definition', 'etiquette', 'dummy', 'case', 'decision', 'test') and continues is null
)
select work, kind, count(*), max(n) from numbered group by work, kind, series order by work, kind, max(n) desc
"""


def test_nothing_waits_and_every_law_case_and_decision_occurs_once(shipped: sqlite3.Connection, corpus: Path) -> None:
    assert open_work(shipped, corpus) == []
    assert shipped.execute(NUMBERS).fetchall() == [
        ("american-1893", "etiquette", 9, 9),
        ("american-1893", "law", 40, 40),
        ("american-1894", "law", 39, 39),
        ("arnaud-1829", "definition", 32, None),
        ("arnaud-1829", "law", 26, 26),
        ("deschapelles-1839", "law", 139, 139),
        ("deschapelles-1839", "law", 9, 9),
        ("deschapelles-1839", "law", 8, 8),
        ("deschapelles-1839", "law", 5, 5),
        ("drayson-1896", "case", 154, 154),
        ("drayson-1896", "decision", 154, None),
        ("drayson-1896", "test", 25, 25),
        ("english-1864", "dummy", 3, 3),
        ("english-1864", "etiquette", 8, 8),
        ("english-1864", "law", 91, 91),
    ]


# The measures themselves, on libraries so small that the right figure is obvious.

SCAN = "Law 1. Tbe dealer may look. Law 2. He must follow suit."


def write(folder: Path, name: str, *found: object) -> None:
    (folder / name).write_text("".join(json.dumps(row) + "\n" for row in found), encoding="utf-8")


def test_counts_fixed_and_harmed_words(tmp_path: Path) -> None:
    edits = (Edit(7, 10, "Tbe", "The", "ocr", "rule", 1.0, ""), Edit(22, 26, "look", "lock", "ocr", "rule", 1.0, ""))
    write(tmp_path, "ocr.x.jsonl", {"start": 7, "end": 27, "raw": SCAN[7:27], "gold": "The dealer may look."})
    score = score_letters({"x": TextLayer(SCAN, edits)}, tmp_path)["x"]
    assert (score.wrong, score.fixed, score.harm, score.scan_letters, score.read_letters) == (1, 1, ["look."], 1, 1)
    assert score.figures["WER reading %"] == 25.0


def test_units_match_by_text_and_id_and_references_by_place_and_target(tmp_path: Path) -> None:
    conn = sqlite3.connect(":memory:")
    conn.execute("create table unit (id, book_id, kind, role, raw_start, raw_end, page)")
    conn.execute("create table citation (book_id, raw_start, raw_end, target_id)")
    conn.execute("insert into unit values ('x/law-1', 'x', 'law', 'provision', 0, 27, '5')")
    conn.execute("insert into unit values ('x/law-3', 'x', 'law', 'provision', 28, 55, '5')")
    conn.execute("insert into citation values ('x', 0, 5, 'x/law-1'), ('x', 0, 5, 'x/law-9')")
    gold = {"kind": "law", "page": 5}
    write(
        tmp_path, "units.x.jsonl",
        {"id": "x/law-1", "start": 0, "end": 28, **gold},  # white space does not count
        {"id": "x/law-2", "start": 28, "end": 55, **gold},
        {"id": "x/law-3", "sure": False},
    )  # fmt: skip
    write(
        tmp_path, "citations.x.jsonl",
        {"start": 2, "end": 6, "targets": ["x/law-1"]}, {"start": 9, "end": 12, "targets": ["x/law-2"]},
    )  # fmt: skip
    units, pages = score_units(conn, {"x": TextLayer(SCAN, ())}, tmp_path)
    assert (units["x law"].found, units["x law"].missed, pages) == (1, ["x/law-2"], (1, 1))
    assert score_references(conn, {"x": TextLayer(SCAN, ())}, tmp_path) == {"x": (0.5, 0.5)}


def test_links_are_scored_by_provision_paragraph_and_relation(tmp_path: Path) -> None:
    conn = sqlite3.connect(":memory:")
    conn.execute("create table link (a, b, relation)")
    conn.executemany("insert into link values (?, ?, ?)", [
        ("a/law-1", "b/law-1", "broader"),
        ("a/law-2", "b/law-2/i", "differs"),
        ("a/law-1", "b/law-2", "differs"),
    ])  # fmt: skip
    write(
        tmp_path, "alignment.jsonl",
        {"a": "b/law-1", "b": "a/law-1", "relation": "narrower"},
        {"a": "a/law-2", "b": "b/law-2", "relation": "differs"},
        {"a": "a/law-3", "b": "b/law-3", "relation": "differs"},
        {"a": "a/law-4", "b": "b/def-x", "relation": "differs", "outside_laws": True},
    )  # fmt: skip
    write(tmp_path, "alignment_none.jsonl", {"a": "b/law-1", "code": "a"}, {"a": "a/law-3", "code": "b"})
    score = score_links(conn, tmp_path)
    assert (score.found, score.exact, score.right, score.agreed) == ((2, 3), (1, 3), (2, 3), (1, 1))
    assert score.unwanted == (1, 2)


def test_questions_of_the_gold_have_a_row_for_each_code_and_part(tmp_path: Path) -> None:
    answers = {"a": ["a/law-1/ii"], "b": [], "c": ["c/def-revoke"]}
    write(
        tmp_path, "players.jsonl",
        {"query": "one", "answers": answers}, {"query": "beside", "beside": True},
        {"query": "two", "parts": [{"a": ["a/law-1"]}, {"a": ["a/law-2"]}]},
    )  # fmt: skip
    assert [*questions(tmp_path, ["a/law-1", "a/law-2"])] == [
        GoldQuestion("players", "one", "a", frozenset({"a/law-1"})),
        GoldQuestion("players", "one", "b", frozenset()),
        GoldQuestion("parts", "two", "a", frozenset({"a/law-1"}), 0),
        GoldQuestion("parts", "two", "a", frozenset({"a/law-2"}), 1),
    ], "what is outside the laws decides nothing"


@pytest.mark.parametrize(("ids", "rank"), [(["a/law-2/i", "a/law-2", "a/law-1/ii"], 2), (["a/law-1"], 1), ([], 0)])
def test_rank_counts_provisions_not_paragraphs(ids: list[str], rank: int) -> None:
    assert rank_of(ids, {"a/law-1"}) == rank


def test_parts_are_scored_apart_and_silence_by_the_first_question(
    shipped: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    penalty, silent = Match("revoke/penalty", 1.0), Match("revoke/on-purpose", 0.5, 1)
    asked = {"two": Asked("two", {}, ((penalty,), (silent, penalty)), ""), "off": Asked("off", {}, (), "off-topic")}
    monkeypatch.setattr(retrieval, "ask", lambda _, text: asked[text])
    code, law = "deschapelles-1839", frozenset({"deschapelles-1839/art-94"})
    score = score_asked(shipped, [
        GoldQuestion("parts", "two", code, law, 0), GoldQuestion("parts", "two", code, frozenset(), 1),
        GoldQuestion("parts", "two", code, law, 1), GoldQuestion("parts", "off", code, law),
    ])["parts"]  # fmt: skip
    assert (score.lists, score.silent, score.wrongly, score.told) == (3, (1, 1), (1, 3), 1)
    assert (score.first, score.among_three) == (0.0, 0.667)


@pytest.mark.parametrize("line", ["{", "[]", "3"])
def test_reports_the_line_of_invalid_gold(tmp_path: Path, line: str) -> None:
    (tmp_path / "units.x.jsonl").write_text(f'{{"id": "1"}}\n{line}\n', encoding="utf-8")
    with pytest.raises(BookError, match="line 2"):
        list(rows(tmp_path, "units.*.jsonl"))


def test_rejects_folder_without_gold(shipped: sqlite3.Connection, tmp_path: Path) -> None:
    with pytest.raises(BookError, match="no gold files"):
        evaluate(shipped, tmp_path)
