"""The editor's judgements, from files to tables: answers, verdicts, glosses, digests, and their checks."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from samples import LAWS_PLAN, build_database, make_book, render
from terminal import refusal, whist

from extract.errors import BookError
from kb.collation.quoted import carried_over, deciding_span
from kb.editorial.completeness import completeness
from kb.editorial.consistency import contradictions
from kb.editorial.digests import Digest, case_rows
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
[[question]]
id = "penalty"
label = "What does a revoke cost?"
rules = { A = "three tricks", B = "two tricks" }
[question.answer.old]
rule = "A"
summary = "Three tricks."
rests_on = [{ unit = "old/law-1", words = "lose three tricks" }]
[question.answer.new]
rule = "B"
summary = "Two tricks."
rests_on = [{ unit = "new/law-1", words = "forfeits two tricks" }]
[[question]]
id = "claim"
label = "Until when may it be claimed?"
rules = { A = "until the next cut" }
silent = ["new"]
[question.answer.old]
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
    "concordance.toml": CONCORDANCE,
    "topics/revoke.toml": ANSWERS,
    "glosses.toml": GLOSSES,
    "read.toml": written(
        {f"{code}/law-{n}": law(n, text) for code, texts in BOOKS.values() for n, text in enumerate(texts, 1)}
    ),
}
Build = Callable[..., Path]
SECOND = TOPICS + TOPICS.replace('"revoke"\nlabel = "The revoke"', '"claims"\nlabel = "Claims"')
CLAIMS = """
[[question]]
id = "seats"
label = "Who sits where?"
also = ["revoke"]
rules = { A = "opposite" }
silent = ["new"]
[question.answer.old]
rule = "A"
summary = "Partners sit opposite."
rests_on = [{ unit = "old/law-2", words = "before the cards are cut" }]
"""
TITLES = '[titles]\n"{}" = "What a revoke costs"\n'
DIGEST = '[[digest]]\ncase = ["old/law-2"]\nfacts = "He revoked."\ndecision = "Two."\napplies = ["{}"]\n'
CASE = DIGEST.format("old/law-1") + 'questions = ["revoke/{}"]\n'
WITHOUT_CLAIM = ANSWERS[: ANSWERS.index('[[question]]\nid = "claim"')]
UNLINKED = CONCORDANCE.replace('provision = "old/law-2"\ncodes', 'provision = "old/law-1"\ncodes').replace(
    CONCORDANCE[CONCORDANCE.index("[[link]]") : CONCORDANCE.index("[[closed]]")], ""
)


def near(unit: str) -> str:
    """The answers, with a provision that comes nearest in a silent code."""
    entry = f'near.new = {{ unit = "{unit}", why = "It says nothing on time." }}'
    return ANSWERS.replace('silent = ["new"]', f'silent = ["new"]\n{entry}')


def sisters(*others: str) -> str:
    """The answers, with neighbours of the second question."""
    return ANSWERS.replace('silent = ["new"]', f'silent = ["new"]\nsisters = {[*others]}')


def fact(shown: str, other: str, codes: str = "1850") -> str:
    """A fact on which two questions depend."""
    yes = f'{{ question = "claim", result = "too late ({codes})" }}'
    answers = f'answers = {{ no = "{other}", yes = {yes} }}\n'
    return f'[[distinction]]\nfact = "Before?"\nshown = ["penalty", "{shown}"]\n{answers}'


APART = UNLINKED + '[[apart]]\na = "old/law-1"\nb = "new/law-1"\nreason = "said"\n'


def fetch(database: Path, sql: str) -> list[Any]:
    with closing(sqlite3.connect(database)) as conn:
        return conn.execute(sql).fetchall()


@pytest.fixture
def make(tmp_path: Path) -> Build:
    """Build the small library, with some files and some laws (by book and number from 0) replaced."""

    def make_library(files: dict[str, str] | None = None, laws: dict[tuple[str, int], str] | None = None) -> Path:
        corpus = tmp_path / "corpus"
        for book, (code, texts) in BOOKS.items():
            texts = [(laws or {}).get((book, i), text) for i, text in enumerate(texts)]
            scan = render(["WHIST LAWS", *(law(n, text) for n, text in enumerate(texts, 1) if text)], "lines")
            head = f'[[code]]\nid = "{code}"\ntitle = "Laws"\nshort = "{code}"\nyear = {book[-4:]}\nauthority = "it"\n'
            make_book(corpus / book, scan, "lines", f'{head}{LAWS_PLAN}code = "{code}"\n')
        for name, text in (FILES | (files or {})).items():
            (corpus / name).parent.mkdir(exist_ok=True)
            (corpus / name).write_text(text, encoding="utf-8")
        return build_database(corpus, tmp_path / "whist.db")

    return make_library


@pytest.mark.parametrize(
    ("files", "sql", "expected"),
    [
        ({}, """select question_id, code_id, state, rule, brief, summary, cites, reprint_of from answer
                order by question_id desc, code_id""", [
            ("revoke/penalty", "copy", "answered", "B", "two tricks", "Two tricks.", '["copy/law-1"]', "new"),
            ("revoke/penalty", "new", "answered", "B", "two tricks", "Two tricks.", '["new/law-1"]', None),
            ("revoke/penalty", "old", "answered", "A", "three tricks", "Three tricks.", '["old/law-1"]', None),
            ("revoke/claim", "copy", "silent", None, None, "", "[]", "new"),
            ("revoke/claim", "new", "silent", None, None, "", "[]", None),
            ("revoke/claim", "old", "answered", "A", "until the next cut", "Until the cards are cut.",
             '["old/law-2"]', None),
        ]),
        ({"topics/revoke.toml": near("new/law-1")},
         "select code_id, near, near_why from answer where near is not null order by code_id", [
            ("copy", "copy/law-1", "It says nothing on time."), ("new", "new/law-1", "It says nothing on time."),
        ]),
        ({}, "select id, verdict from question order by seq", [
            ("revoke/penalty", "three tricks (1850) -> two tricks (from 1890)"),
            ("revoke/claim", "until the next cut (1850 alone); no rule: 1890, 1891"),
        ]),
        ({}, "select unit_id, words from gloss order by unit_id", [
            ("copy/law-1", "A revoke costs two tricks."), ("new/law-1", "A revoke costs two tricks."),
        ]),
        ({"titles.toml": TITLES.format("old/law-1")}, "select id, title from unit where title is not null", [
            ("old/law-1", "What a revoke costs"),
        ]),
        ({"topics.toml": SECOND, "topics/claims.toml": CLAIMS},
         "select topic_id, question_id from question_topic order by topic_id, seq", [
            ("claims", "claims/seats"), ("revoke", "revoke/penalty"), ("revoke", "revoke/claim"),
            ("revoke", "claims/seats"),
        ]),
        ({"topics.toml": SECOND, "topics/claims.toml": CLAIMS,
          "topics/revoke.toml": sisters("claims/seats", "penalty")},
         "select question_id, other_id from sister order by question_id, seq", [
            ("revoke/claim", "claims/seats"), ("revoke/claim", "revoke/penalty"),
        ]),
        ({"topics/revoke.toml": ANSWERS + fact("claim", "penalty")},
         "select question_id, fact, answer, other_id, result from distinction order by question_id, seq", [
            ("revoke/claim", "Before?", "no", "revoke/penalty", None),
            ("revoke/claim", "Before?", "yes", "revoke/claim", "too late (1850)"),
            ("revoke/penalty", "Before?", "no", "revoke/penalty", None),
            ("revoke/penalty", "Before?", "yes", "revoke/claim", "too late (1850)"),
        ]),
        ({"digests.toml": DIGEST.format("new/law-1")},
         "select d.*, p.target_id, p.source from digest d, precedent p order by 5", [
            ("old/law-2", "He revoked.", "Two.", None, "copy/law-1", "editor"),
            ("old/law-2", "He revoked.", "Two.", None, "new/law-1", "editor"),
        ]),
        ({"digests.toml": CASE.format("penalty") + 'otherwise = { new = "Two." }\nopen = ["copy"]\n'},
         "select q.question_id, code_id, state, words from case_question q, case_outcome order by 2", [
            ("revoke/penalty", "copy", "open", None), ("revoke/penalty", "new", "otherwise", "Two."),
            ("revoke/penalty", "old", "decided", None),
        ]),
        ({"concordance.toml": APART},
         "select a, b, why from apart", [
            ("old/law-1", "new/law-1", "said"), ("old/law-1", "copy/law-1", "said"),
        ]),
    ],
    ids=["answers, and those of reprints", "what comes nearest", "verdicts", "glosses, and those of reprints", "titles",
         "a question under other topics", "neighbours", "a fact", "digests", "outcomes of a case",
         "provisions that are apart"],
)  # fmt: skip
def test_judgements_are_written_to_the_tables(
    make: Build, files: dict[str, str], sql: str, expected: list[Any]
) -> None:
    assert fetch(make(files), sql) == expected


def test_code_whose_book_omits_the_rules_on_a_question_of_a_case_is_not_printed() -> None:
    rows = case_rows(
        [Digest(case=["old/law-2"], facts="He.", decision="Two.", applies=["old/law-1"], questions=["revoke/claim"],
                silent=["new", "copy"])],
        (), {}, ["old", "new", "copy"], {"revoke/claim"}, {("revoke/claim", "new")},
    )  # fmt: skip
    assert [row["state"] for row in rows["case_outcome"]] == ["decided", "not printed", "silent"]


@pytest.mark.parametrize(
    ("files", "message"),
    [
        *(
            ({"topics.toml": SECOND, "topics/claims.toml": CLAIMS.replace('["revoke"]', f'["{also}"]')},
             f"^topics/claims.toml: question 'seats', key 'also': '{also}' is not another topic")
            for also in ("claims", "revoked")
        ),
        ({"topics/revoke.toml": ANSWERS + fact("claim", "penalty", "from 1700")},
         "distinction 1: the result of 'yes': there is no code '1700'; the codes are "),
        *(
            ({"topics/revoke.toml": ANSWERS + fact(shown, other)}, f"distinction 1: there is no question '{named}'")
            for shown, other, named in (("claim", "cost", "revoke/cost"), ("deal/again", "claim", "deal/again"))
        ),
        ({"topics/revoke.toml": sisters("cost")},
         "^topics/revoke.toml: question 'claim', key 'sisters': there is no question 'revoke/cost'"),
        ({"topics/revoke.toml": near("new/law-9")}, "question claim, new: there is no unit 'new/law-9'"),
        ({"topics/revoke.toml": near("old/law-2")}, "question claim, new: old/law-2 belongs to another code"),
        ({"titles.toml": TITLES.format("old/law-9")}, "titles.toml: there is no unit 'old/law-9'"),
        ({"topics/revoke.toml": ANSWERS.replace("lose three tricks", "lose ten tricks and a game")},
         "question penalty, old: old/law-1 does not contain the words 'lose ten t"),
        ({"topics/revoke.toml": ANSWERS.replace('unit = "old/law-2"', 'unit = "new/law-2"')},
         "question claim, old: new/law-2 belongs to another code"),
        ({"topics/revoke.toml": ANSWERS.replace('silent = ["new"]', 'silent = ["newer"]')},
         "question 'claim': there is no code 'newer'"),
        ({"glosses.toml": GLOSSES + GLOSSES},
         r"^glosses.toml: gloss 2, key 'provision': glosses.toml, gloss 1 also judges \S+; delete one of them\.$"),
        ({"digests.toml": CASE.format("penalty") * 2},
         r"^digests.toml: digest 2, key 'case': digests.toml, digest 1 also judges \S+; delete one of them\.$"),
        ({"digests.toml": DIGEST.format("old/law-9")},
         "digests.toml: digest 1, key 'applies': there is no unit 'old/law-9'"),
        ({"digests.toml": CASE.format("nothing")}, "names the question 'revoke/nothing', which does not exist"),
        ({"digests.toml": CASE.format("penalty") + 'silent = ["newer"]\n'},
         "names the code 'newer', which does not exist"),
        ({"digests.toml": CASE.format("penalty") + 'silent = ["new"]\nopen = ["new"]\n'}, "lists a code twice"),
    ],
)  # fmt: skip
def test_invalid_judgements_stop_the_build(make: Build, files: dict[str, str], message: str) -> None:
    with pytest.raises(BookError, match=message):
        make(files)


def test_deciding_words_stand_in_their_provision(make: Build) -> None:
    sql = "select d.code_id, d.words, u.text from deciding d join unit u on u.id = d.unit_id"
    found = fetch(make(), sql)
    assert {code for code, _, _ in found} == {"old", "new", "copy"}
    assert [words for _, words, text in found if words not in " ".join(text.split())] == []


def test_completeness_lists_provisions_on_which_no_answer_rests(make: Build) -> None:
    with closing(sqlite3.connect(make({"topics/revoke.toml": WITHOUT_CLAIM}))) as conn:
        found = completeness(conn)
        assert found.unanswered == () and found.unused == ("old/law-2",)


def test_check_counts_open_tasks(make: Build) -> None:
    left = CONCORDANCE.replace('provision = "old/law-2"\ncodes = ["new"]', 'provision = "old/law-1"\ncodes = ["new"]')
    files = {"concordance.toml": left, "topics/revoke.toml": WITHOUT_CLAIM.replace('"old/law-1", "old/law-2", ', "")}
    result = whist("check", "--db", make(files, laws={("copy-1891", 0): ""}))
    assert result.exit_code == 1 and result.output.startswith("To do:\n")
    for message in (
        "copy Law 1: missing: no unit has this number; add a reading of the number to errata.toml, or to `omits` in",
        "provisions not yet compared with a code: 3 (new/law-1 in copy, old/law-2 in new, old/law-2 in copy); add [[l",
        "provisions not used in an answer: 1 (old/law-2); use them, or add [[unused]]",
        "provisions in no topic, or in more than three: 2 (old/law-1 (0), old/law-2 (0)); correct `members`",
    ):
        assert message in result.output
    result = whist("check", "--db", make({"topics/revoke.toml": ANSWERS.replace('silent = ["new"]\n', "")}))
    assert "questions without an answer: 2 (revoke/claim by new, revoke/claim by copy)" in result.output


@pytest.mark.parametrize(
    ("relation", "rules", "letter", "expected"),
    [
        ("differs", 'A = "three tricks", B = "two tricks"', "B", ""),
        ("equivalent", """A = "three tricks", "A'" = "two tricks\"""", "A'", ""),
        ("equivalent", 'A = "three tricks", B = "two tricks"', "B", "but they are linked as equivalent"),
        ("opposed", 'A = "three tricks"', "A", "opposed, but their answers have the same rule"),
        ("none", 'A = "three tricks", B = "two tricks"', "B", "different rules, but they are not linked"),
        ("none", 'A = "three tricks"', "A", ""),
        ("apart", 'A = "three tricks", B = "two tricks"', "B", ""),
    ],
)
def test_finds_answers_and_links_that_contradict_each_other(
    make: Build, relation: str, rules: str, letter: str, expected: str
) -> None:
    linked = CONCORDANCE.replace('relation = "differs"', f'relation = "{relation}"')
    kept = {"none": UNLINKED, "apart": APART}.get(relation, linked)
    answers = ANSWERS.replace('A = "three tricks", B = "two tricks"', rules).replace('rule = "B"', f'rule = "{letter}"')
    with closing(sqlite3.connect(make({"concordance.toml": kept, "topics/revoke.toml": answers}))) as conn:
        found = completeness(conn).contradictory
    assert {c.question for c in found} == ({"revoke/penalty"} if expected else set())
    assert all(expected in c.why for c in found)


def test_finds_outcomes_that_contradict_answers(make: Build) -> None:
    text = CASE.format("penalty") + 'silent = ["new", "copy"]\n'
    with closing(sqlite3.connect(make({"digests.toml": text}))) as conn:
        assert ("old/law-2", "new") in {(c.a, c.b) for c in contradictions(conn)}


def test_entries_on_a_changed_law_are_stale_but_still_apply(make: Build) -> None:
    with closing(sqlite3.connect(make())) as conn:
        assert completeness(conn).whole and list(stale(conn)) == []
    path = make(laws={("old-1850", 0): PENALTY.replace("three", "four")})
    with closing(sqlite3.connect(path)) as conn:
        assert {(s.file, s.entry) for s in stale(conn)} == {
            ("topics/revoke.toml", "penalty, old"), ("concordance.toml", "link 1"),
        }  # fmt: skip
    assert fetch(path, "select relation from link where a = 'old/law-1' and b = 'new/law-1'") == [("differs",)]
    answer = "select summary, unit_id, words from answer join deciding using (question_id, code_id)"
    assert fetch(path, f"{answer} where code_id = 'old' and question_id = 'revoke/penalty'") == [
        ("Three tricks.", "old/law-1", None)
    ]


def test_judge_shows_a_topic_and_open_judgements(make: Build, tmp_path: Path) -> None:
    left = CONCORDANCE[: CONCORDANCE.index("[[closed]]")] + CONCORDANCE[CONCORDANCE.index("[[unused]]") :]
    result = whist("judge", "revoke", "--db", make({"concordance.toml": left}), "--width", "120")
    assert result.exit_code == 0 and "= old/law-1 differs" in result.output
    assert result.output.count("[law-2]") == 3
    assert 'provision = "old/law-2"\ncodes = ["new", "copy"]' in result.output
    assert whist("judge", "whisky", "--db", tmp_path / "whist.db").exit_code != 0


def test_judge_proposes_members_of_a_code_that_has_none(make: Build) -> None:
    alone = ANSWERS.replace(', "new/law-1", "new/law-2"]', "]")
    database = make({"topics/revoke.toml": alone, "thesaurus.toml": THESAURUS + 'variants = ["revokes"]\n'})
    output = whist("judge", "revoke", "--db", database, "--width", "120").output
    assert '#     "new/law-1",' in output and output.count("[law-1]") == 3
    assert 'codes = ["new' not in output


def test_read_texts_are_kept_until_judged_again(make: Build, tmp_path: Path) -> None:
    record = tmp_path / "corpus" / "read.toml"
    path = make({"read.toml": "[read]\n"})
    assert "link 1: old/law-1 is not in read.toml; when the entry is right" in whist("check", "--db", path).output
    keep = ("judge", "--keep-texts", "--corpus", record.parent, "--db")
    assert whist(*keep, path).exit_code == 0
    judged = {"read.toml": record.read_text(encoding="utf-8")}
    path = make(judged, laws={("old-1850", 0): PENALTY.replace("three", "four")})
    output = whist("check", "--db", path).output
    assert "concordance.toml, link 1: old/law-1 has changed" in output and f"then: {law(1, PENALTY)}" in output
    assert whist(*keep, path).exit_code == 0
    assert record.read_text(encoding="utf-8") == judged["read.toml"]
    assert whist(*keep, path, "--again", "old/law-1").exit_code == 0
    assert "lose four" in record.read_text(encoding="utf-8")
    assert "No entry rests on 'old/law-9'" in refusal(*keep, path, "--again", "old/law-9")


@pytest.mark.parametrize(
    ("words", "text", "other", "carried"),
    [
        ("when they are called", "He must lead or play them when they are called, if he can.",
         "He must lead or play them when called, if he can.", "when called"),
        ("at random", "They are cut at random.", "They are, cut at\nrandom.", "at\nrandom"),
        ("One", "One card", "Any one card", "one"),
        ("the trick", "He wins the trick", "He wins the tric", "the tric"),
        ("three tricks", "He shall lose three tricks", "He shall lose thre", None),
        ("three tricks", "He shall lose three tricks at once.", "He shall lose at once.", None),
        ("the trick", "He wins the trick", "", None),
    ],
)  # fmt: skip
def test_deciding_words_are_carried_over_to_a_reprint(words: str, text: str, other: str, carried: str | None) -> None:
    span = deciding_span(words, text)
    assert span
    found = carried_over(span, text, other)
    assert (other[found.start : found.end] if found else None) == carried
