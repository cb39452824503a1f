"""What the editor says of provisions, from his files to the tables: answers, verdicts, glosses, digests, the gate."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from samples import LAWS_PLAN, make_book, render

from datasette_plugins.command import cli
from extract.errors import BookError
from kb.build.database import build
from kb.collation.quoted import carried_over, deciding_span
from kb.editorial.completeness import completeness
from kb.editorial.consistency import contradictions
from kb.editorial.provisions import stale, written

PENALTY = "A player who revokes shall lose three tricks."
CLAIM = "A revoke must be claimed before the cards are cut."
SEATS = "The lowest cut chooses the seats."
BOOKS = {
    "old-1850": ("old", [PENALTY, CLAIM]),
    "new-1890": ("new", ["Whoever revokes forfeits two tricks to the other side.", SEATS]),
    "copy-1891": (
        "copy",
        ["Whoever revokes forfeits two tricks to the other side.", SEATS.replace("chooses", "choose")],
    ),
}
TOPICS = '[[topic]]\nid = "revoke"\nlabel = "The revoke"\nnote = ""\nconcepts = ["revoke"]\n'
THESAURUS = '[[concept]]\nid = "revoke"\nlabel = "revoke"\nnote = ""\n'
VOCABULARY = (
    'mode = [{ term = "must", note = "is bound to" }]\neffect = [{ term = "tricks-taken", note = "tricks go over" }]\n'
)


def law(n: int, text: str) -> str:
    return f"{n}. {text}"


CONCORDANCE = """
[[twins]]
a = "new"
b = "copy"
least = 0.9
reason = "one text, printed twice"
[[link]]
a = "old/law-1"
b = "new/law-1"
relation = "differs"
reason = "three tricks, against two"
[[closed]]
provision = "old/law-2"
codes = ["new"]
[[closed]]
provision = "new/law-2"
codes = ["old"]
[[unused]]
provision = "new/law-2"
reason = "no question is asked about seats"
[[unused]]
provision = "copy/law-2"
reason = "no question is asked about seats"
"""
ANSWERS = """
members = ["old/law-1", "old/law-2", "new/law-1", "new/law-2"]
[[facet]]
id = "penalty"
label = "What does a revoke cost?"
rules = { A = "three tricks", B = "two tricks" }
[facet.cell.old]
rule = "A"
summary = "Three tricks."
value = { effect = ["3 tricks-taken"] }
rests_on = [{ unit = "old/law-1", words = "lose three tricks" }]
[facet.cell.new]
rule = "B"
summary = "Two tricks."
rests_on = [{ unit = "new/law-1", words = "forfeits two tricks" }]
[[facet]]
id = "claim"
label = "Until when may it be claimed?"
rules = { A = "until the next cut" }
silent = ["new"]
[facet.cell.old]
rule = "A"
summary = "Until the cards are cut."
rests_on = [{ unit = "old/law-2", words = "before the cards are cut" }]
"""
GLOSSES = """
[[gloss]]
provision = "new/law-1"
words = "A revoke costs two tricks."
"""
FILES = {
    "topics.toml": TOPICS,
    "thesaurus.toml": THESAURUS,
    "vocabulary.toml": VOCABULARY,
    "concordance.toml": CONCORDANCE,
    "topics/revoke.toml": ANSWERS,
    "glosses.toml": GLOSSES,
    "read.toml": written(
        {f"{code}/law-{n}": law(n, text) for code, texts in BOOKS.values() for n, text in enumerate(texts, 1)}
    ),
}
Build = Callable[..., Path]


@pytest.fixture
def make(tmp_path: Path) -> Build:
    """Builds the small library: some files otherwise, some laws otherwise (by book and number from 0)."""

    def made(files: dict[str, str] | None = None, laws: dict[tuple[str, int], str] | None = None) -> Path:
        corpus = tmp_path / "corpus"
        for book, (code, texts) in BOOKS.items():
            texts = [(laws or {}).get((book, i), text) for i, text in enumerate(texts)]
            scan = render(["WHIST LAWS", *(law(n, text) for n, text in enumerate(texts, 1))], "lines")
            head = f'[[code]]\nid = "{code}"\ntitle = "Laws"\nshort = "{code}"\nyear = {book[-4:]}\nauthority = "it"\n'
            make_book(corpus / book, scan, "lines", f'{head}{LAWS_PLAN}code = "{code}"\n')
        for name, text in (FILES | (files or {})).items():
            (corpus / name).parent.mkdir(exist_ok=True)
            (corpus / name).write_text(text, encoding="utf-8")
        target = tmp_path / "whist.db"
        with ThreadPoolExecutor(2) as threads:
            build(corpus, target, executor=threads, progress=lambda _: None)
        return target

    return made


@pytest.fixture
def db(make: Build) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(make())) as conn:
        yield conn


def rows(conn: sqlite3.Connection, sql: str) -> list[Any]:
    return conn.execute(sql).fetchall()


def whist(*words: str | Path) -> Result:
    return CliRunner().invoke(cli, [str(word) for word in words])


def test_answers_come_into_the_cells_and_those_of_twins_are_taken_over(db: sqlite3.Connection) -> None:
    assert rows(db, "select facet_id, code_id, summary, cites, twin from cell order by facet_id desc, code_id") == [
        ("revoke/penalty", "copy", "Two tricks.", '["copy/law-1"]', "new"),
        ("revoke/penalty", "new", "Two tricks.", '["new/law-1"]', None),
        ("revoke/penalty", "old", "Three tricks.", '["old/law-1"]', None),
        ("revoke/claim", "copy", "", "[]", "new"),
        ("revoke/claim", "new", "", "[]", None),
        ("revoke/claim", "old", "Until the cards are cut.", '["old/law-2"]', None),
    ]


def test_the_course_of_a_rule_is_told_with_the_years_that_rule_and_those_that_are_silent(
    db: sqlite3.Connection,
) -> None:
    assert rows(db, "select id, verdict from facet order by seq") == [
        ("revoke/penalty", "three tricks (1850) -> two tricks (from 1890)"),
        ("revoke/claim", "until the next cut (1850 alone); silent: 1890, 1891"),
    ]
    assert rows(db, "select code_id, rule, brief from cell where facet_id = 'revoke/penalty' order by code_id") == [
        ("copy", "B", "two tricks"),
        ("new", "B", "two tricks"),
        ("old", "A", "three tricks"),
    ]


CLAIMS = """
[[facet]]
id = "seats"
label = "Who sits where?"
also = ["revoke"]
rules = { A = "opposite" }
silent = ["new"]
[facet.cell.old]
rule = "A"
summary = "Partners sit opposite."
rests_on = [{ unit = "old/law-2", words = "before the cards are cut" }]
"""


def test_a_question_is_asked_once_and_shown_under_other_topics_after_their_own(make: Build) -> None:
    with closing(sqlite3.connect(make({"topics.toml": SECOND, "topics/claims.toml": CLAIMS}))) as conn:
        assert rows(conn, "select topic_id, facet_id from facet_topic order by topic_id, seq") == [
            ("claims", "claims/seats"),
            ("revoke", "revoke/penalty"),
            ("revoke", "revoke/claim"),
            ("revoke", "claims/seats"),
        ]
        assert rows(conn, "select count(*) from cell where facet_id = 'claims/seats'") == [(3,)]


@pytest.mark.parametrize("also", ["claims", "revoked"])
def test_a_question_can_only_be_shown_under_another_topic_with_answers(make: Build, also: str) -> None:
    wrong = CLAIMS.replace('["revoke"]', f'["{also}"]')
    with pytest.raises(BookError, match=f"claims.toml: facet 'seats': '{also}' is no other topic with answers"):
        make({"topics.toml": SECOND, "topics/claims.toml": wrong})


def test_a_typed_value_is_json(db: sqlite3.Connection) -> None:
    ((value,),) = rows(db, "select value from cell where value is not null")
    assert json.loads(value) == {"effect": ["3 tricks-taken"]}


def test_deciding_words_stand_at_their_place_in_the_scan(db: sqlite3.Connection) -> None:
    found = rows(
        db,
        """select d.code_id, d.words, substr(s.text, d.raw_start + 1, d.raw_end - d.raw_start)
                        from deciding d join unit u on u.id = d.unit_id join scan s on s.book_id = u.book_id""",
    )
    assert {code for code, _, _ in found} == {"old", "new", "copy"}
    for _, words, scanned in found:
        assert words == " ".join(scanned.split())


def test_everything_is_judged(db: sqlite3.Connection) -> None:
    assert completeness(db).whole
    assert list(stale(db)) == []


SECOND = TOPICS + TOPICS.replace('"revoke"\nlabel = "The revoke"', '"claims"\nlabel = "Claims"')


def test_the_machine_drafts_the_topics_that_the_editor_has_left_and_no_other(make: Build) -> None:
    with closing(sqlite3.connect(make({"topics.toml": SECOND}))) as conn:
        told = rows(conn, "select topic_id, source, count(*) from cell group by 1, 2")
        assert told == [("claims", "machine", 4), ("revoke", "editor", 6)]
        for words, scanned in rows(
            conn,
            """select d.words, substr(s.text, d.raw_start + 1, d.raw_end - d.raw_start) from deciding d
            join unit u on u.id = d.unit_id join scan s on s.book_id = u.book_id where d.facet_id like 'claims/%'""",
        ):
            assert words == " ".join(scanned.split())


def test_drafts_neither_open_nor_answer_a_question_of_the_editors(make: Build) -> None:
    left = {"topics.toml": SECOND, "topics/revoke.toml": ANSWERS[: ANSWERS.index('[[facet]]\nid = "claim"')]}
    with closing(sqlite3.connect(make(left))) as conn:
        open_ = completeness(conn)
        assert rows(conn, "select 1 from cell where source = 'machine' and cites like '%old/law-2%'")
        assert open_.unanswered == () and open_.unused == ("old/law-2",)


GENERAL = '[asking]\ncost = ["what happens"]\n' + TOPICS.rstrip() + '\nprincipal = {{ cost = ["{}"] }}\n'


def test_the_principal_questions_of_a_topic_are_among_those_that_it_answers(make: Build) -> None:
    with closing(sqlite3.connect(make({"topics.toml": GENERAL.format("penalty")}))) as conn:
        assert rows(conn, "select * from principal") == [("revoke", "cost", "revoke/penalty")]
    with pytest.raises(BookError, match=r"^topics.toml: there is no question 'revoke/price', which is a principal"):
        make({"topics.toml": GENERAL.format("price")})


def test_an_unaided_build_has_drafts_alone(make: Build, tmp_path: Path) -> None:
    make()
    with ThreadPoolExecutor(2) as threads:
        build(tmp_path / "corpus", tmp_path / "un.db", unaided=True, executor=threads, progress=lambda _: None)
    with closing(sqlite3.connect(tmp_path / "un.db")) as conn:
        assert rows(conn, "select distinct source from cell") == [("machine",)]
        assert rows(conn, "select distinct verdict from facet") == [("",)]
        assert rows(conn, "select term from term where kind = 'effect'") == [("tricks-taken",)]


def test_glosses_hold_for_twins(db: sqlite3.Connection) -> None:
    found = rows(db, "select unit_id, words from gloss order by unit_id")
    assert found == [("copy/law-1", "A revoke costs two tricks."), ("new/law-1", "A revoke costs two tricks.")]


@pytest.mark.parametrize(
    ("file", "entry", "key"),
    [
        ("glosses.toml", GLOSSES, "gloss 2, key 'provision'"),
        ("digests.toml", '[[digest]]\ncase = ["old/law-1"]\nfacts = "x"\ndecision = "y"\n', "digest 2, key 'case'"),
    ],
)
def test_a_provision_has_one_gloss_and_a_case_one_digest(make: Build, file: str, entry: str, key: str) -> None:
    with pytest.raises(BookError, match=rf"^{file}: {key}: {file}, \w+ 1 judges \S+ too; take one of them out\.$"):
        make({file: entry + entry})


def test_check_counts_what_is_left_open(make: Build) -> None:
    left = CONCORDANCE.replace('provision = "old/law-2"\ncodes = ["new"]', 'provision = "old/law-1"\ncodes = ["new"]')
    answers = ANSWERS[: ANSWERS.index('[[facet]]\nid = "claim"')].replace('"old/law-1", "old/law-2", ', "")
    path = make({"concordance.toml": left, "topics/revoke.toml": answers})
    said = whist("check", "--db", path)
    assert said.exit_code == 1
    assert "cells neither linked nor closed: 2 (old/law-2 in new, old/law-2 in copy)" in said.output
    assert "provisions that no answer rests on: 1 (old/law-2)" in said.output
    assert "provisions of no topic, or of more than three: 2 (old/law-1 (0), old/law-2 (0))" in said.output


@pytest.mark.parametrize(
    ("relation", "letter", "expected"),
    [
        ("differs", "B", ""),
        ("opposed", "B", ""),
        ("equivalent", "A", ""),
        ("equivalent", "A'", ""),
        ("equivalent", "B", "different rules and are equivalent"),
        ("opposed", "A", "opposed and answer by the same rule"),
        (None, "B", "different rules and are not linked"),
        (None, "A", ""),
    ],
)
def test_check_finds_answers_and_links_that_contradict_each_other(
    make: Build, relation: str | None, letter: str, expected: str
) -> None:
    kept = CONCORDANCE.replace('relation = "differs"', f'relation = "{relation}"')
    if relation is None:
        start = CONCORDANCE.index("[[link]]")
        kept = CONCORDANCE[:start] + CONCORDANCE[CONCORDANCE.index("[[closed]]") :]
        kept = kept.replace('provision = "old/law-2"\ncodes', 'provision = "old/law-1"\ncodes')
    answers = ANSWERS.replace('rule = "B"', f'rule = "{letter}"').replace('B = "two', f'"{letter}" = "two')
    answers = answers.replace('value = { effect = ["3 tricks-taken"] }\n', "")
    if letter == "A":
        answers = answers.replace(', "A" = "two tricks"', "")
    with closing(sqlite3.connect(make({"concordance.toml": kept, "topics/revoke.toml": answers}))) as conn:
        found = completeness(conn).contradictory
    if relation is None:
        parted = '[[apart]]\na = "old/law-1"\nb = "new/law-1"\nreason = "said"\n'
        with closing(sqlite3.connect(make({"concordance.toml": kept + parted, "topics/revoke.toml": answers}))) as conn:
            assert completeness(conn).contradictory == ()
            assert rows(conn, "select a, b, why from apart") == [
                ("old/law-1", "new/law-1", "said"),
                ("old/law-1", "copy/law-1", "said"),
            ]
    assert {c.facet for c in found} == ({"revoke/penalty"} if expected else set())
    assert all(expected in c.why for c in found)


def test_a_question_that_a_code_neither_answers_nor_is_silent_on_is_open(make: Build) -> None:
    said = whist("check", "--db", make({"topics/revoke.toml": ANSWERS.replace('silent = ["new"]\n', "")}))
    assert "questions neither answered nor silent: 2 (revoke/claim by new, revoke/claim by copy)" in said.output


def test_a_changed_word_makes_every_entry_stale_and_what_was_written_still_applies(make: Build) -> None:
    path = make(laws={("old-1850", 0): PENALTY.replace("three", "four")})
    with closing(sqlite3.connect(path)) as conn:
        assert {(s.file, s.entry) for s in stale(conn)} == {
            ("topics/revoke.toml", "penalty, old"),
            ("concordance.toml", "link 1"),
        }
        assert rows(conn, "select summary from cell where code_id = 'old' and facet_id = 'revoke/penalty'") == [
            ("Three tricks.",)
        ]
        assert rows(
            conn, "select unit_id, words from deciding where code_id = 'old' and facet_id = 'revoke/penalty'"
        ) == [("old/law-1", None)]
        assert rows(conn, "select relation from link where a = 'old/law-1' and b = 'new/law-1'") == [("differs",)]


def test_words_that_do_not_stand_in_their_provision_stop_the_build(make: Build) -> None:
    with pytest.raises(BookError, match=r"facet penalty, old: old/law-1 does not read 'lose ten t"):
        make({"topics/revoke.toml": ANSWERS.replace("lose three tricks", "lose ten tricks and a game")})


def test_an_answer_cannot_rest_on_another_code(make: Build) -> None:
    wrong = ANSWERS.replace(
        'unit = "old/law-2", words = "before the cards are cut"', 'unit = "new/law-2", words = "cut"'
    )
    with pytest.raises(BookError, match=r"facet claim, old: new/law-2 belongs to another code"):
        make({"topics/revoke.toml": wrong})


def test_a_code_that_does_not_exist_is_told(make: Build) -> None:
    with pytest.raises(BookError, match=r"facet 'claim': there is no code 'newer'"):
        make({"topics/revoke.toml": ANSWERS.replace('silent = ["new"]', 'silent = ["newer"]')})


def test_a_fact_parts_questions_that_exist(make: Build) -> None:
    fact = '[[distinction]]\nfact = "Before?"\ntold_by = ["before"]\nanswers = { no = "penalty", yes = "claim" }\n'
    with closing(sqlite3.connect(make({"topics/revoke.toml": ANSWERS + fact}))) as conn:
        assert rows(conn, "select id, words, facet_id from distinction") == [
            ("revoke/1", "no", "revoke/penalty"), ("revoke/1", "yes", "revoke/claim"),
        ]  # fmt: skip
    with pytest.raises(BookError, match="distinction 1: there is no question 'revoke/cost'"):
        make({"topics/revoke.toml": ANSWERS + fact.replace('"penalty"', '"cost"')})


def test_a_digest_cannot_apply_what_does_not_exist(make: Build) -> None:
    text = '[[digest]]\ncase = ["old/law-1"]\nfacts = "x"\ndecision = "y"\napplies = ["old/law-9"]\n'
    with pytest.raises(BookError, match=r"digests.toml: digest 1, key 'applies': there is no unit 'old/law-9'"):
        make({"digests.toml": text})


def test_a_digest_and_what_it_applies_come_into_their_tables(make: Build) -> None:
    text = '[[digest]]\ncase = ["old/law-2"]\nfacts = "He revoked."\ndecision = "Two."\napplies = ["new/law-1"]\n'
    with closing(sqlite3.connect(make({"digests.toml": text}))) as conn:
        assert rows(conn, "select * from digest") == [("old/law-2", "He revoked.", "Two.", None)]
        assert rows(conn, "select target_id, source from precedent order by 1") == [
            ("copy/law-1", "editor"),
            ("new/law-1", "editor"),
        ]


CASE = '[[digest]]\ncase = ["old/law-2"]\nfacts = "x"\ndecision = "y"\napplies = ["old/law-1"]\n'


def test_a_case_has_an_outcome_under_each_code(make: Build) -> None:
    text = CASE + 'questions = ["revoke/penalty"]\notherwise = { new = "Two." }\nopen = ["copy"]\n'
    with closing(sqlite3.connect(make({"digests.toml": text}))) as conn:
        assert rows(conn, "select facet_id from case_question") == [("revoke/penalty",)]
        assert rows(conn, "select code_id, state, words from case_outcome order by 1") == [
            ("copy", "open", None), ("new", "otherwise", "Two."), ("old", "decided", None),
        ]  # fmt: skip


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ('questions = ["revoke/nothing"]', "names 'revoke/nothing', and there is no such question"),
        ('questions = ["revoke/penalty"]\nsilent = ["newer"]', "names 'newer', and there is no such code"),
        ('questions = ["revoke/penalty"]\nsilent = ["new"]\nopen = ["new"]', "names a code twice"),
    ],
)
def test_the_outcomes_of_a_case_name_what_exists(make: Build, said: str, why: str) -> None:
    with pytest.raises(BookError, match=why):
        make({"digests.toml": f"{CASE}{said}\n"})


def test_an_outcome_at_odds_with_the_answers_is_told(make: Build) -> None:
    text = CASE + 'questions = ["revoke/penalty"]\nsilent = ["new", "copy"]\n'
    with closing(sqlite3.connect(make({"digests.toml": text}))) as conn:
        assert ("old/law-2", "new") in {(c.a, c.b) for c in contradictions(conn)}


def test_the_board_shows_a_topic_and_what_is_left_to_judge(make: Build) -> None:
    left = CONCORDANCE[: CONCORDANCE.index("[[closed]]")] + CONCORDANCE[CONCORDANCE.index("[[unused]]") :]
    said = whist("judge", "revoke", "--db", make({"concordance.toml": left}), "--width", "120")
    assert said.exit_code == 0
    assert said.output.count("[law-2]") == 3
    assert "= old/law-1 differs" in said.output
    assert 'provision = "old/law-2"\ncodes = ["new", "copy"]' in said.output
    whole = whist("judge", "revoke", "--db", make(), "--width", "120")
    assert "Nothing is left to judge." in whole.output
    assert whist("judge", "whisky", "--db", make()).exit_code != 0


def test_what_was_read_is_kept_until_the_editor_has_judged_again(make: Build, tmp_path: Path) -> None:
    record = tmp_path / "corpus" / "read.toml"
    path = make({"read.toml": "[read]\n"})
    said = whist("check", "--db", path).output
    assert "link 1: old/law-1 is not in read.toml; when the entry is as you mean it" in said
    keep = ("judge", "--keep-texts", "--corpus", record.parent, "--db")
    assert whist(*keep, path).exit_code == 0
    judged = {"read.toml": record.read_text(encoding="utf-8")}
    path = make(judged, laws={("old-1850", 0): PENALTY.replace("three", "four")})
    said = whist("check", "--db", path).output
    assert "concordance.toml, link 1: old/law-1 reads otherwise now" in said and f"then: {law(1, PENALTY)}" in said
    assert whist(*keep, path).exit_code == 0
    assert record.read_text(encoding="utf-8") == judged["read.toml"]
    assert whist(*keep, path, "--again", "old/law-1").exit_code == 0
    assert "lose four" in record.read_text(encoding="utf-8")
    refused = whist(*keep, path, "--again", "old/law-9")
    assert refused.exit_code != 0 and "No entry rests on 'old/law-9'" in str(refused.exception)


@pytest.mark.parametrize(
    ("words", "text", "found"),
    [
        ("lose three tricks", "He shall lose\nthree tricks.", "lose\nthree tricks"),
        ("lose three tricks", "He shall lose two tricks.", None),
        ("a+b (c", "so a+b (c) is", "a+b (c"),
    ],
)
def test_deciding_words_are_found_as_they_are(words: str, text: str, found: str | None) -> None:
    span = deciding_span(words, text)
    assert (text[span.start : span.end] if span else None) == found


@pytest.mark.parametrize(
    ("words", "text", "other", "carried"),
    [
        ("when they are called", "He must lead or play them when they are called, if he can.",
         "He must lead or play them when called, if he can.", "when called"),
        ("face upwards", "It lies face upwards on the table.", "It lies face upward on the table.", "face upward"),
        ("at random", "They are cut at random.", "They are, cut at\nrandom.", "at\nrandom"),
        ("the trick", "He wins the trick", "He wins the trick", "the trick"),
        ("One", "One card", "Any one card", "one"),
        ("the trick", "He wins the trick", "He wins the tric", "the tric"),
        ("three tricks", "He shall lose three tricks", "He shall lose thre", None),
        ("three tricks", "He shall lose three tricks at once.", "He shall lose at once.", None),
        ("the trick", "He wins the trick", "", None),
    ],
)  # fmt: skip
def test_deciding_words_are_carried_over_to_a_twin(words: str, text: str, other: str, carried: str | None) -> None:
    span = deciding_span(words, text)
    assert span
    found = carried_over(span, text, other)
    assert (other[found.start : found.end] if found else None) == carried
