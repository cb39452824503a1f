"""Limits for the quality figures, and tests of the measures. The gold was made by eye (gold/README.md)."""

import json
import re
import sqlite3
from operator import lt
from pathlib import Path

import pytest
from kb.dispute.adjudication import CLEARLY_UNRULED
from kb.dispute.hearing import correct_words, hear
from kb.dispute.index import index_of

from extract.errors import BookError
from extract.model import Edit
from extract.text.textlayer import TextLayer
from kb.desk.check import check
from kb.evaluation import Report, evaluate, retrieval
from kb.evaluation.alignment import score_links
from kb.evaluation.gold import rows
from kb.evaluation.letters import score_letters
from kb.evaluation.retrieval import PLAYERS, questions, score_search
from kb.evaluation.segments import score_references, score_units
from kb.read.domain import domain
from kb.read.store import open_store

GOLD = Path(__file__).parents[1] / "gold"
DOCUMENT = (Path(__file__).parents[2] / "docs" / "quality.md").read_text("utf-8")
# The rows of the table of disputes in the document, in order.
SOURCES = (
    "disputes", "questions", "held out", "players", "players, held out", "parts", "parts, held out",
    "paraphrases, held out", "short questions, held out", "cases",
)  # fmt: skip

# Highest character error rate allowed, in per cent: without the editor, and in the shipped edition. All limits in this
# file are close to the current figures, so that a regression shows; tighten them with every improvement.
CER = {
    "arnaud-1829": (0.12, 0.01),
    "deschapelles-1839": (0.05, 0.01),
    "drayson-1896": (0.01, 0.01),
    "pole-1895": (0.01, 0.01),
}
FIXED = {True: 60, False: 67}
# Least hit@1, hit@5 and mean reciprocal rank of disputes, by source; of those held out only the totals were looked at.
SETTLED = {
    "disputes": (0.92, 0.98, 0.94),
    "questions": (0.92, 0.98, 0.95),
    "held out": (0.90, 0.99, 0.94),
    "paraphrases, held out": (0.90, 0.96, 0.93),
    "short questions, held out": (0.88, 0.95, 0.91),
    "players": (0.92, 0.98, 0.95),
    "players, held out": (0.86, 0.98, 0.92),
    "parts": (0.80, 0.98, 0.88),
    "parts, held out": (0.80, 0.95, 0.87),
    "cases": (0.60, 0.90, 0.73),
}
# Least share of off-topic questions refused, and highest share of the others.
REFUSED, WRONGLY = 0.99, 0.01
# Least hit@5 of the search box on disputes in everyday words: unaided (no glosses, tellings or digests), and edited.
FOUND = {
    "arnaud-1829": (0.87, 0.99),
    "deschapelles-1839": (0.57, 0.89),
    "english-1864": (0.80, 0.99),
    "american-1893": (0.88, 0.99),
    "american-1894": (0.87, 0.99),
}
# Least hit@1 and hit@5 of the search box of the shipped edition on questions; those held out were not used for tuning.
ASKED = {
    "dispute": (0.85, 0.93),
    "dispute, all codes": (0.87, 0.90),
    "dispute, held out": (0.88, 0.98),
    "dispute, held out, all codes": (0.85, 0.95),
    "search": (0.96, 0.96),
    "search, all codes": (0.99, 0.99),
    "search, held out": (0.97, 0.98),
    "search, held out, all codes": (0.99, 0.99),
}


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
    """The figures of a library; unaided, only disputes are asked, as the other questions have no limits."""
    if not alone:
        return request.getfixturevalue("edited")  # type: ignore[no-any-return]
    with open_store(request.getfixturevalue("unaided_library")) as conn, pytest.MonkeyPatch.context() as patch:
        patch.setattr(retrieval, "questions", lambda *of: (q for q in questions(*of) if q.file == "disputes"))
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
    assert links.found[0] >= (203 if alone else 280)
    assert links.right[0] >= (0.83 if alone else 0.94) * links.right[1]
    assert links.agreed[0] >= (0.625 if alone else 0.84) * links.agreed[1]
    assert links.unwanted[0] <= (17 if alone else 5)


def test_rows_of_answers_are_found(edited: Report) -> None:
    revoke = edited.answers["revoke"]
    assert revoke.found[0] >= 25
    assert revoke.cited[0] >= 0.98 * revoke.cited[1]
    # Less than all: a question of today that covers several of the gold is answered where one of them is not.
    assert revoke.silent[0] >= 0.8 * revoke.silent[1]


def test_disputes_are_settled(edited: Report) -> None:
    ranks = {source: (s.ranks.hit1, s.ranks.hit5, s.ranks.mrr) for source, s in edited.settled.items()}
    assert {source: ranks[source] for source, floor in SETTLED.items() if any(map(lt, ranks[source], floor))} == {}
    silence = [settled.silence for settled in edited.settled.values()]
    assert sum(s.true_silent[0] for s in silence) >= 0.7 * sum(s.true_silent[1] for s in silence)
    assert sum(s.false_silent[0] for s in silence) <= 0.04 * sum(s.false_silent[1] for s in silence)
    clarity = [settled.clarity for source, settled in edited.settled.items() if "held out" in source]
    assert sum(c.wrong[0] for c in clarity) >= 0.42 * sum(c.wrong[1] for c in clarity)
    assert sum(c.right[0] for c in clarity) <= 0.15 * sum(c.right[1] for c in clarity)


def test_only_off_topic_questions_are_refused(shipped: sqlite3.Connection) -> None:
    index = index_of(shipped)
    refused: dict[bool, list[bool]] = {True: [], False: []}
    for _, row in rows(GOLD, PLAYERS):
        corrected, _ = correct_words(index, row["query"], domain(shipped).terms)
        refused[row.get("beside", False)].append(not hear(index, corrected).findings)
    assert sum(refused[True]) >= REFUSED * len(refused[True])
    assert sum(refused[False]) <= WRONGLY * len(refused[False])
    for term in ("penalty", "lead", "shuffle", "a score"):  # a mere term of the game
        assert hear(index, term).findings


def test_only_questions_that_no_provision_decides_are_unruled(shipped: sqlite3.Connection) -> None:
    index = index_of(shipped)
    for query in ("When should I lead trumps from five?", "Who invented whist?", "How do I run a whist drive?"):
        ((_, found),) = hear(index, query).heard
        assert found.unruled and found.findings and found.undecided.keys() == index.of_code.keys()
    on_topic = [row["query"] for _, row in rows(GOLD, PLAYERS) if not row.get("beside")]
    assert [query for query in on_topic if index.matcher.read(query).unruled >= CLEARLY_UNRULED] == []


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
            ("cells that cite a right provision / rightly silent", revoke.cited, revoke.silent),
        )),
    ):  # fmt: skip
        assert rows[name][column] == " / ".join(f"{part} of {whole}" for part, whole in pairs), name
    disputes = [cells for cells in rows.values() if cells[0].replace(",", "").isdigit()]
    settled = dict(zip(SOURCES, disputes, strict=True))
    for source, cells in () if alone else settled.items():
        ranks, silence = report.settled[source].ranks, report.settled[source].silence
        assert int(cells[0].replace(",", "")) == ranks.queries
        for cell, figure in zip(cells[1:4], (ranks.hit1, ranks.hit5, ranks.mrr), strict=True):
            assert abs(float(cell) - figure) <= 0.00501, source
        if silence.true_silent[1]:
            reported, wrongly = (tuple(map(int, cell.replace(",", "").split(" of "))) for cell in cells[4:])
            assert (reported, wrongly) == (silence.true_silent, silence.false_silent)


def test_search_finds_what_decides_a_dispute(alone: bool, report: Report) -> None:
    assert report.disputes.keys() == FOUND.keys()
    assert {code: r.hit5 for code, r in report.disputes.items() if r.hit5 < FOUND[code][not alone]} == {}


def test_search_finds_what_answers_a_question(edited: Report) -> None:
    found = {name: (ranks.hit1, ranks.hit5) for name, ranks in edited.questions.items()}
    assert found.keys() == ASKED.keys()
    assert {name: found[name] for name in ASKED if any(map(lt, found[name], ASKED[name]))} == {}


def test_every_law_case_and_decision_occurs_once(shipped: sqlite3.Connection) -> None:
    checks = {c.book_id: c for c in check(shipped)}
    assert all(c.sound and c.ledger.balanced for c in checks.values())
    found = {(n.work, n.kind, n.series): (n.count, n.last) for c in checks.values() for n in c.numberings}
    assert {k: v for k, v in found.items() if k[1] != "commentary"} == {
        ("arnaud-1829", "law", ""): (26, 26),
        ("arnaud-1829", "definition", ""): (32, 0),
        ("deschapelles-1839", "law", ""): (139, 139),
        ("deschapelles-1839", "law", "A"): (9, 9),
        ("deschapelles-1839", "law", "B"): (8, 8),
        ("deschapelles-1839", "law", "C"): (5, 5),
        ("english-1864", "law", ""): (91, 91),
        ("english-1864", "etiquette", ""): (8, 8),
        ("english-1864", "dummy", ""): (3, 3),
        ("american-1893", "law", ""): (40, 40),
        ("american-1893", "etiquette", ""): (9, 9),
        ("american-1894", "law", ""): (39, 39),
        ("drayson-1896", "case", ""): (154, 154),
        ("drayson-1896", "decision", ""): (154, 0),
        ("drayson-1896", "test", ""): (25, 25),
    }


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


def test_everyday_words_do_not_occur_in_the_library(shipped: sqlite3.Connection) -> None:
    index = index_of(shipped)
    assert index.everyday
    assert [word for word in index.everyday if index.words.rarity(word) or index.questions.rarity(word)] == []


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
    conn.execute("create table link (a, b, relation, status)")
    conn.executemany("insert into link values (?, ?, ?, ?)", [
        ("a/law-1", "b/law-1", "broader", "proposed"),
        ("a/law-2", "b/law-2/i", "differs", "proposed"),
        ("a/law-1", "b/law-2", "differs", "proposed"),
        ("a/law-3", "b/law-3", "differs", "rejected"),
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


def test_held_out_questions_are_counted_apart_and_codes_without_an_answer_skipped(
    tmp_path: Path,
) -> None:
    def ask(question: str, code: str) -> list[str]:
        return {"a": ["a/law-1"], "b": ["b/law-9"], "": ["b/law-9", "b/law-2"]}[code]

    answers = {"a": ["a/law-1"], "b": ["b/law-2"], "c": [], "d": ["d/def-revoke"]}
    write(
        tmp_path, "questions.jsonl",
        {"query": "q", "kind": "search", "answers": answers},
        {"query": "q", "kind": "search", "held_out": True, "answers": {"a": ["a/law-1"]}},
    )  # fmt: skip
    scores = score_search(ask, questions(tmp_path, ["a/law-1", "b/law-2"]), "questions")
    assert (scores["search"].queries, scores["search"].hit1, scores["search"].hit5) == (2, 0.5, 0.5)
    assert (scores["search, all codes"].hit1, scores["search, all codes"].hit5) == (0.0, 1.0)
    assert scores["search, held out"].queries == 1


@pytest.mark.parametrize("line", ["{", "[]", "3"])
def test_reports_the_line_of_invalid_gold(tmp_path: Path, line: str) -> None:
    (tmp_path / "units.x.jsonl").write_text(f'{{"id": "1"}}\n{line}\n', encoding="utf-8")
    with pytest.raises(BookError, match="line 2"):
        list(rows(tmp_path, "units.*.jsonl"))


def test_rejects_folder_without_gold(shipped: sqlite3.Connection, tmp_path: Path) -> None:
    with pytest.raises(BookError, match="no gold files"):
        evaluate(shipped, tmp_path)
