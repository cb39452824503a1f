"""The editor's judgements become tables: links, answers, deciding words, glosses, cases; reprints take them over."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from editorial.judged import ANSWERS, CONCORDANCE, TEXTS, rows

from extract.model import Reference, Unit
from kb.collation.quoted import carried_over, deciding_span
from kb.editorial.files import Link
from kb.editorial.judgements import library
from kb.editorial.links import link_rows
from kb.editorial.tables import cited_by_cases

CLAIMS = """
[[question]]
id = "seats"
label = "Who sits where?"
also = ["revoke"]
sisters = ["revoke/claim"]
rules = { A = "opposite" }
silent = ["n-1890"]
near.n-1890 = { unit = "n-1890/law-2", why = "It speaks of the choice only." }
[question.answer.o-1850]
rule = "A"
summary = "Partners sit opposite."
rests_on = [{ unit = "o-1850/law-2", words = "before the cards are cut" }]
"""
FACT = """
[[distinction]]
fact = "Before?"
shown = ["penalty", "claim"]
answers = { no = "penalty", yes = { question = "claim", result = "too late (1850)" } }
"""
DIGEST = """
[[digest]]
case = ["o-1850/law-2"]
facts = "He revoked."
decision = "Two."
applies = ["o-1850/law-1"]
questions = ["revoke/penalty"]
"""
TOPIC, LINKS = "topics/revoke.toml", "concordance.toml"


def of(table: list[dict[str, Any]], *columns: str) -> list[tuple[Any, ...]]:
    return [tuple(row[column] for column in columns) for row in table]


def test_answers_hold_for_reprints_too(tmp_path: Path) -> None:
    found = rows(tmp_path)
    assert of(found["answer"], "question_id", "code_id", "state", "rule", "brief", "cites", "reprint_of") == [
        ("revoke/penalty", "o-1850", "answered", "A", "three tricks", '["o-1850/law-1"]', None),
        ("revoke/penalty", "n-1890", "answered", "B", "two tricks", '["n-1890/law-1"]', None),
        ("revoke/penalty", "c-1891", "answered", "B", "two tricks", '["c-1891/law-1"]', "n-1890"),
        ("revoke/claim", "o-1850", "answered", "A", "until the next cut", '["o-1850/law-2"]', None),
        ("revoke/claim", "n-1890", "silent", None, None, "[]", None),
        ("revoke/claim", "c-1891", "silent", None, None, "[]", "n-1890"),
    ]
    assert of(found["question"], "id", "verdict") == [
        ("revoke/penalty", "three tricks (1850) -> two tricks (from 1890)"),
        ("revoke/claim", "until the next cut (1850 alone); no rule: 1890, 1891"),
    ]
    assert of(found["deciding"], "code_id", "unit_id", "words") == [
        ("o-1850", "o-1850/law-1", "lose three tricks"), ("n-1890", "n-1890/law-1", "forfeits two tricks"),
        ("c-1891", "c-1891/law-1", "forfeits two tricks"), ("o-1850", "o-1850/law-2", "before the cards are cut"),
    ]  # fmt: skip
    assert of(found["gloss"], "unit_id") == [("c-1891/law-1",), ("n-1890/law-1",)]
    assert ("revoke", "c-1891/law-2") in of(found["topic_unit"], "topic_id", "unit_id")


def test_question_is_shown_under_other_topics_with_its_neighbours(tmp_path: Path) -> None:
    found = rows(tmp_path, {"topics/claims.toml": CLAIMS})
    assert of(found["question_topic"], "topic_id", "question_id") == [
        ("claims", "claims/seats"), ("revoke", "revoke/penalty"), ("revoke", "revoke/claim"), ("revoke", "claims/seats")
    ]  # fmt: skip
    assert of(found["sister"], "question_id", "other_id") == [("claims/seats", "revoke/claim")]
    assert [row for row in of(found["answer"], "code_id", "near", "near_why") if row[1]] == [
        ("n-1890", "n-1890/law-2", "It speaks of the choice only."),
        ("c-1891", "c-1891/law-2", "It speaks of the choice only."),
    ]


def test_only_a_reprint_takes_over_a_silence_and_what_comes_nearest(tmp_path: Path) -> None:
    silent = '[[question]]\nid = "seats"\nlabel = "Who?"\nrules = {}\nsilent = ["o-1850"]\n'
    assert [
        code
        for question, code in of(rows(tmp_path, {"topics/claims.toml": silent})["answer"], "question_id", "code_id")
        if question == "claims/seats"
    ] == ["o-1850"]
    near = 'silent = ["n-1890"]\nnear.n-1890 = { unit = "n-1890/law-3", why = "so" }'
    answers = ANSWERS.replace('silent = ["n-1890"]', near)
    found = rows(
        tmp_path, {TOPIC: answers, "topics/claims.toml": "members = []"}, texts={"n-1890/law-3": "No one smokes."}
    )
    assert of(found["answer"], "code_id", "near", "near_why")[-2:] == [
        ("n-1890", "n-1890/law-3", "so"), ("c-1891", None, None)
    ]  # fmt: skip


def test_fact_stands_on_each_of_its_questions(tmp_path: Path) -> None:
    found = rows(tmp_path, {TOPIC: ANSWERS + FACT})["distinction"]
    assert of(found, "question_id", "seq", "answer", "other_id", "result") == [
        ("revoke/penalty", 0, "no", "revoke/penalty", None),
        ("revoke/penalty", 1, "yes", "revoke/claim", "too late (1850)"),
        ("revoke/claim", 0, "no", "revoke/penalty", None),
        ("revoke/claim", 1, "yes", "revoke/claim", "too late (1850)"),
    ]


@pytest.mark.parametrize(
    ("applied", "listed", "lacks", "states"),
    [
        ("o-1850", "", {}, ["decided", "same", "same"]),
        ("n-1890", "", {}, ["same", "decided", "same"]),
        ("o-1850", 'otherwise = { n-1890 = "Two." }\nopen = ["c-1891"]\n', {}, ["decided", "otherwise", "open"]),
        ("o-1850", 'silent = ["n-1890", "c-1891"]\n', {"c-1891": ["law"]}, ["decided", "silent", "not printed"]),
    ],
)
def test_case_has_an_outcome_under_each_code(
    tmp_path: Path, applied: str, listed: str, lacks: dict[str, list[str]], states: list[str]
) -> None:
    label = 'label = "What does a revoke cost?"\n'
    answers = ANSWERS.replace(label, f'{label}silent = ["c-1891"]\n') if lacks else ANSWERS
    digest = DIGEST.replace("o-1850/law-1", f"{applied}/law-1") + listed
    found = rows(tmp_path, {"digests.toml": digest, TOPIC: answers}, lacks=lacks)
    assert [row["state"] for row in found["case_outcome"]] == states
    assert (f"{applied}/law-1", "editor") in of(found["precedent"], "target_id", "source")


def test_case_without_a_digest_turns_on_what_it_cites() -> None:
    case = Unit("b/case-1", "b", None, "case", "Case 1", "1", None, None, 0, 0, 9, None, "He led.")
    decision = Unit("b/case-1/decision", "b", None, "decision", "", None, case.id, None, 1, 5, 9, None, "It stands.")
    law = Unit("b/law-1", "b", "b", "law", "1", "1", None, None, 2, 9, 10, None, "A lead stands.")
    known = library([("b", 1850, "B", "b")], {}, [case, decision, law], ())
    cited = [Reference(unit, 0, 1, "", law.id, "resolved", 1.0) for unit in (case.id, decision.id, law.id)]
    assert [*cited_by_cases(cited, known, ())] == [{"unit_id": case.id, "target_id": law.id, "source": "machine"}]


# Links

DIFFERS = ("o-1850/law-1", "n-1890/law-1", "differs", "three tricks, against two")
REPRINTED = ("o-1850/law-1", "c-1891/law-1", *DIFFERS[2:])
TWICE = [("n-1890/law-1", "c-1891/law-1", "same-text", "the same words"),
         ("n-1890/law-2", "c-1891/law-2", "same-text", "almost the same words")]  # fmt: skip
OWN = '[[link]]\na = "{}"\nb = "{}"\nrelation = "{}"\nreason = "read"\n'


@pytest.mark.parametrize(
    ("more", "texts", "links"),
    [
        ("", {}, [DIFFERS, REPRINTED, *TWICE]),
        (OWN.format("n-1890/law-2", "o-1850/law-2", "narrower"), {"c-1891/law-2": "No one sits."},
         [DIFFERS, REPRINTED, ("o-1850/law-2", "n-1890/law-2", "broader", "read"), TWICE[0]]),
        (OWN.format("o-1850/law-1", "c-1891/law-1", "equivalent"), {},
         [DIFFERS, ("o-1850/law-1", "c-1891/law-1", "equivalent", "read"), *TWICE]),
        ("", {"c-1891/law-1": TEXTS["c-1891/law-1"].replace("two", "ten")}, [DIFFERS, TWICE[1]]),
    ],
    ids=["a reprint takes over a link", "a is in the earlier code", "a reprint has its own", "another number"],
)  # fmt: skip
def test_link_holds_for_reprints(
    tmp_path: Path, more: str, texts: Mapping[str, str], links: list[tuple[str, ...]]
) -> None:
    answers = ANSWERS[: ANSWERS.index("[[question]]")]
    found = rows(tmp_path, {LINKS: CONCORDANCE + more, TOPIC: answers}, texts=texts)["link"]
    assert of(found, "a", "b", "relation", "why") == links


def test_reason_for_a_link_names_the_reprint_by_its_own_year() -> None:
    codes = [(f"code-{year}", year, "", "") for year in (1850, 1893, 1894)]
    laws = [Unit(f"{code}/law-1", code, code, "law", "1", "1", None, None, 0, 0, 1, None, "") for code, *_ in codes]
    first, second, again = (law.id for law in laws)
    link = Link(a=first, b=second, relation="differs", reason="1893 is stricter than 1850")
    found = link_rows([link], {second: again, again: second}, library(codes, {}, laws, ()))
    assert [row["why"] for row in found if row["b"] == again and row["a"] == first] == ["1894 is stricter than 1850"]


def test_closing_a_code_closes_its_reprint_only_if_the_reprint_has_nothing_of_its_own(tmp_path: Path) -> None:
    closed = of(rows(tmp_path)["closed"], "unit_id", "code_id")
    assert {("o-1850/law-2", "c-1891"), ("c-1891/law-2", "o-1850"), ("n-1890/law-1", "c-1891")} <= {*closed}
    more = of(rows(tmp_path, texts={"c-1891/law-3": "A third law."})["closed"], "unit_id", "code_id")
    assert ("o-1850/law-2", "n-1890") in more and ("o-1850/law-2", "c-1891") not in more


@pytest.mark.parametrize(
    ("words", "text", "other", "carried"),
    [
        ("when they are called", "He must lead or play them when they are called, if he can.",
         "He must lead or play them when called, if he can.", "when called"),
        ("at random", "They are cut at random.", "They are, cut at\nrandom.", "at\nrandom"),
        ("three tricks", "He shall lose three tricks", "He shall lose thre", None),
        ("the trick", "He wins the trick", "", None),
    ],
)  # fmt: skip
def test_deciding_words_are_carried_over_to_a_reprint(words: str, text: str, other: str, carried: str | None) -> None:
    span = deciding_span(words, text)
    assert span
    found = carried_over(span, text, other)
    assert (other[found.start : found.end] if found else None) == carried
