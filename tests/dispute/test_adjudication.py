"""Disputes: find the provision that decides an event, even if they have no word in common."""

import json
import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest
from terminal import whist

from kb.comparison.answers import questions_of
from kb.dispute.adjudication import KINDS, Adjudication, adjudicate
from kb.dispute.distinction import distinctions
from kb.dispute.hearing import correct_words, hear
from kb.dispute.index import Index, load_index
from kb.dispute.principal import principal
from kb.dispute.ruling import rule
from kb.dispute.settlement import settle
from kb.read import queries
from kb.read.domain import domain
from kb.read.store import open_store


@pytest.fixture(scope="module")
def index(shipped: sqlite3.Connection) -> Index:
    return load_index(shipped)


def test_repeated_word_counts_twice_at_most(index: Index) -> None:
    once, often = (adjudicate(index, f"the dealer {'revoked ' * n}") for n in (3, 9))  # three words are two pairs
    assert once.findings == often.findings


def test_findings_are_filtered_and_sorted_and_have_reasons(index: Index) -> None:
    found = adjudicate(index, "may a looker-on speak?", codes=["english-1864"], kinds=["etiquette"], limit=2)
    assert [(f.code, "/etiquette-" in f.id) for f in found.findings] == [("english-1864", True)] * 2
    assert found.findings[0].score >= found.findings[1].score
    for finding in adjudicate(index, "the dealer looked at the trump card too soon").findings:
        assert finding.why and {kind for kind, _ in finding.why} <= set(KINDS)
        assert sum(share for _, share in finding.why) == pytest.approx(1, abs=0.05)


def test_excluded_case_is_not_used(index: Index) -> None:
    case = "drayson-1896/case-93"
    facts = "A is told to lead a club, looks through his hand, says he has none and leads a diamond, then finds a club"
    assert case in dict(adjudicate(index, facts).cases)
    assert case not in dict(adjudicate(index, facts, exclude=[f"{case}/decision"]).cases)


def test_lists_only_the_nearest_cases_that_turned_on_the_question(shipped: sqlite3.Connection) -> None:
    found = settle(shipped, "The dealer exposed a card in dealing.", ["english-1864"])
    asked = {question.id for question in found.questions}
    assert found.cases and all(asked & {question.id for question in case.questions} for case in found.cases)
    assert not settle(shipped, "How many points are a game?").cases
    assert len(settle(shipped, "B revoked. What is the penalty?").cases) == 3, "of more"


@pytest.mark.parametrize("question", ["", "x" * 5000, "ſ\u0000\ud7ff", "(*\"' OR NEAR"])
def test_any_text_is_accepted(index: Index, question: str) -> None:
    assert isinstance(adjudicate(index, question), Adjudication)


# The command


def test_command_answers_each_line_with_a_line(library: Path) -> None:
    requests = [
        {"qid": "1", "query": "cards thrown down by all four", "codes": ["english-1864"], "kinds": ["law"]},
        {"qid": "2", "query": "what do four honours count?", "codes": ["american-1894"]},
        {"qid": "3", "query": "He did not follow suit: what does it cost, and until when may it be claimed?"},
    ]
    result = whist("dispute", "--jsonl", "--db", library, said="\n".join(map(json.dumps, requests)) + "\n\n")
    one, other, both = map(json.loads, result.output.splitlines())
    assert (one["qid"], one["results"][0]["id"]) == ("1", "english-1864/law-59")
    assert "decided" not in one and other["decided"] is False
    assert [r["score"] for r in both["results"]] == sorted((r["score"] for r in both["results"]), reverse=True)
    ids = [r["id"] for r in both["results"]]
    assert len(ids) == len(set(ids))
    assert {"english-1864/law-72", "english-1864/law-78"} <= set(ids)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "Line 1 of standard input is not JSON"),
        ("[1]", 'lacks "qid" or "query"'),
        ('{"qid": 1, "query": "x", "codes": "english-1864"}', '"codes" is not a list of names'),
        ('{"qid": 1, "query": "x", "codes": ["french-1700"]}', "There is no code 'french-1700'"),
        ("[" * 100_000, "is not JSON"),
    ],
)
def test_command_reports_invalid_lines(library: Path, line: str, message: str) -> None:
    result = whist("dispute", "--jsonl", "--db", library, said=line)
    assert result.exit_code != 0 and message in str(result.exception)


def test_code_is_not_silent_if_another_text_of_it_answers(shipped: sqlite3.Connection, index: Index) -> None:
    """Of the texts of a code only provisions are ranked, but answers may rest on its introduction or definitions."""
    cells = shipped.execute("select facet_id, code_id, summary from cell where cites <> '[]'").fetchall()
    beside = [cell for cell in cells if not index.cites[cell[0]][cell[1]]]
    assert len(beside) > 40
    for facet, code, answer in beside:
        pairs = ((i, o) for i in settle(shipped, index.labels[facet], [code]).heard for o in i.opinions if o.elsewhere)
        issue, opinion = next(pairs)
        assert {h.answer.summary for h in opinion.elsewhere if h.answer} == {answer}, facet
        assert not issue.faint and not opinion.decided and opinion.silent_on is None and opinion.citation


@pytest.mark.parametrize(
    ("text", "off_topic"),
    [
        ("How does the knight move in chess?", True), ("hello", True), ("Trump card never got picked up", False),
        ("player left early", False), ("my cat ate the trump card", False),
    ],
)  # fmt: skip
def test_only_clearly_unrelated_text_is_off_topic(index: Index, text: str, off_topic: bool) -> None:
    hearing = hear(index, text)
    assert hearing.off_topic is off_topic and not (off_topic and hearing.findings)


@pytest.mark.parametrize("text", ["no", "?", "is it?"])
def test_text_without_content_words_is_not_answered(index: Index, text: str) -> None:
    hearing = hear(index, text)
    assert not hearing.findings and not hearing.off_topic


@pytest.mark.parametrize(
    ("text", "facts", "differing"),
    [
        ("how many points in a game", [], ["scoring/game-points"]),
        ("who deals first", [], []),  # all agree
        ("B trumped, then found a heart. What is the penalty?", [], ["revoke/penalty"]),
        ("B trumped, then found a heart. What is the penalty?", ["revoke/correction-cost"], ["revoke/correction-cost"]),
    ],
)
def test_codes_are_compared_on_the_question_if_they_differ(
    shipped: sqlite3.Connection, text: str, facts: list[str], differing: list[str]
) -> None:
    assert [question.id for question in settle(shipped, text, facts=facts).differing] == differing
    assert settle(shipped, text, ["english-1864"], facts=facts).differing == ()


def test_command_rejects_facts_that_are_not_asked_for(library: Path) -> None:
    arguments = ("dispute", "B trumped, then found a heart. What is the penalty?", "--db", library)
    result = whist(*arguments, "--fact", "yes")
    assert result.exit_code == 2
    assert "'yes' is not an answer to a question asked here" in result.output
    assert "the values are revoke/correction-cost, revoke/penalty." in " ".join(result.output.split())
    result = whist(*arguments, "--fact", "revoke/penalty")
    assert result.exit_code == 0 and "--fact revoke/penalty (chosen)" in result.output


def test_knowledge_base_without_answers_gives_findings(unaided_library: Path) -> None:
    with open_store(unaided_library) as conn:
        assert adjudicate(load_index(conn), "the penalty for a revoke").findings


# A question in general words is a principal question of its topic, unless it states particular facts.


REVOKE = ["arnaud-1829/law-21", "deschapelles-1839/art-93|94", "english-1864/law-72", "american-1893/law-30"]
CLAIM = ["arnaud-1829/law-23", "deschapelles-1839/art-97|101|108", "english-1864/law-78", "american-1893/law-33"]
MISDEAL = ["arnaud-1829/law-1", "deschapelles-1839/art-26|27|31|35", "english-1864/law-43", "american-1893/law-17"]
BOTH = "What is the penalty for a revoke? Until when can we claim it?"
ASKED = {
    "whats the penelty for a revoak": [REVOKE],
    "what's the fine for not following suit": [REVOKE],
    "What is the penalty for a revoke, and until when can we claim it?": [REVOKE, CLAIM],
    "What is the penalty for a misdeal?": [MISDEAL],
    "What is the penalty for exposing a card?": [
        ["arnaud-1829/law-14", "deschapelles-1839/art-75", "english-1864/law-56", "american-1893/law-20|21"]
    ],
    "What is an exposed card?": [
        ["arnaud-1829/law-14", "deschapelles-1839/art-73|74", "english-1864/law-56", "american-1893/law-20"]
    ],
    "A revoked.": [REVOKE],
    "What is the penalty for leading out of turn?": [
        ["arnaud-1829/law-17", "deschapelles-1839/art-82", "english-1864/law-62", "american-1893/law-24"]
    ],
}


@pytest.mark.parametrize("question", ASKED)
def test_common_questions_find_the_deciding_laws(shipped: sqlite3.Connection, index: Index, question: str) -> None:
    corrected, _ = correct_words(index, question, domain(shipped).terms)
    for (_, found), laws in zip(hear(index, corrected).heard, ASKED[question], strict=True):
        assert not found.undecided
        for law in laws:
            stem, _, numbers = law.rpartition("-")
            assert found.of(law.partition("/")[0])[0].id in {f"{stem}-{number}" for number in numbers.split("|")}


def test_every_principal_question_is_found_by_the_words_of_its_kind(shipped: sqlite3.Connection, index: Index) -> None:
    """The words of `asking` and the name of a topic find all questions that topics.toml lists as principal."""
    names = dict(shipped.execute("select t.id, c.label from topic t join concept c on c.id = t.concept_id").fetchall())
    words = dict(shipped.execute("select kind, words from asking order by rowid desc").fetchall())
    missed = [
        (topic, kind)
        for topic, questions in index.principals.items()
        for kind, facets in questions.items()
        if principal(index, f"{words[kind]} {names[topic]}?") != facets
    ]
    assert missed == []


@pytest.mark.parametrize(
    "text",
    [
        "The dealer showed one of my cards while dealing. Must he deal again?",
        "What is the penalty for revoking twice?",
        "My partner revoked and then mixed the tricks. What is the penalty?",
        "",
    ],
)
def test_text_with_particular_facts_is_not_a_principal_question(index: Index, text: str) -> None:
    assert principal(index, text) == ()


@pytest.mark.parametrize(
    ("texts", "kind"),
    [
        (("B trumped, then found a heart: what is the penalty?",), "penalty"),
        (("B trumped, then found a heart: until when can we claim it?",), "until"),
        ((BOTH, "What is the penalty for a revoke?"), "penalty"),
        ((BOTH, "Until when can we claim it?"), "until"),
    ],
)
def test_finds_principal_question_of_each_kind_without_the_topics_name(
    index: Index, texts: tuple[str, ...], kind: str
) -> None:
    assert principal(index, *texts) == index.principals["revoke"][kind]


@pytest.mark.parametrize(
    "text",
    [
        "When must the cards be dealt again?",
        "What is the penalty for a revoke, and until when can we claim it?",
    ],
)
def test_principal_question_is_clear(index: Index, text: str) -> None:
    assert not hear(index, text).unclear


def test_label_of_a_question_finds_that_question(index: Index) -> None:
    general = {facets for questions in index.principals.values() for facets in questions.values()}
    for facet, label in index.labels.items():
        found = principal(index, label)
        assert facet in found or found in general, label


@pytest.mark.parametrize(
    ("text", "corrected", "changed"),
    [
        ("A penelty for a revoak", "A penalty for a revoke", {"penelty": "penalty", "revoak": "revoke"}),
        ("My Buddy's rags", "My partner's small card", {"Buddy": "partner", "rags": "small card"}),
        ("He trumped my ace in Norway", "He trumped my ace in Norway", {}),
        ("the password of my landlord", "the password of my landlord", {}),
    ],
)
def test_misspelt_and_everyday_words_are_corrected(
    shipped: sqlite3.Connection, index: Index, text: str, corrected: str, changed: dict[str, str]
) -> None:
    known = replace(index, everyday={"buddi": "partner", "rag": "small card"})
    assert correct_words(known if changed else index, text, domain(shipped).terms) == (corrected, changed)


def test_laws_of_a_variant_are_found_only_if_it_is_named(index: Index) -> None:
    text = "My partner claimed the rest of the tricks and showed his hand"
    assert not any("/dummy-" in f.id or "/art-b" in f.id for f in hear(index, text, limit=3).findings)
    assert hear(index, "What if dummy revokes?", codes=["english-1864"]).findings[0].id == "english-1864/dummy-2"


# The examples on our own pages are answered correctly.


DECIDED = {
    "The dealer showed one of my cards while dealing. Must he deal again?": {
        "arnaud-1829": "law-2", "deschapelles-1839": "art-32", "english-1864": "law-38", "american-1893": "law-15",
        "american-1894": "law-15",
    },
    "I led when it was my partner’s turn. What can the other side demand?": {
        "arnaud-1829": "law-17", "deschapelles-1839": "art-82", "english-1864": "law-62|law-63",
        "american-1893": "law-24", "american-1894": "law-24",
    },
    "Fourth hand played before second.": {
        "arnaud-1829": "law-19", "deschapelles-1839": "art-84", "english-1864": "law-68", "american-1893": "law-26",
        "american-1894": "law-26",
    },
}  # fmt: skip


def test_examples_of_the_pages_find_the_right_laws(shipped: sqlite3.Connection) -> None:
    examples = domain(shipped).examples.dispute
    assert set(examples) == set(DECIDED)
    for example in examples:
        (issue,) = settle(shipped, example).heard
        assert {o.code: o.decided for o in issue.opinions} == dict.fromkeys(DECIDED[example], True)
        for o in issue.opinions:
            assert o.findings[0].id.partition("/")[2] in DECIDED[example][o.code].split("|")


@pytest.mark.parametrize(
    "text",
    [
        "B trumped, then found a heart. What is the penalty?",
        "A card fell. Must he play it?",
        "He revoked but the cards are mixed",
        "Wrong person dealt. Do we throw it in?",
    ],
)
def test_each_answer_to_a_question_of_fact_finds_its_law(shipped: sqlite3.Connection, text: str) -> None:
    """In each code the law that the answer cites is found first, or the code is silent on it."""
    (issue,) = settle(shipped, text).heard
    assert issue.depends
    for branch in issue.depends.branches:
        (heard,) = settle(shipped, text, facts=[branch.answer.name]).heard
        assert heard.depends and heard.depends.chosen and heard.depends.chosen.answer == branch.answer
        for opinion in heard.opinions:
            cites = branch.question.answers[opinion.code].cites
            best = opinion.findings[0].id if opinion.decided else ""
            assert opinion.decided == bool(cites), (branch.answer.words, opinion.code)
            assert not cites or any(f"{unit_id}/".startswith(f"{best}/") for unit_id in cites)


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("the last card is not his", "trump-card/wrong-place"),
        ("a card of the dealer", "trump-card/which"),
    ],
)
def test_if_it_is_unclear_which_question_is_meant_the_user_chooses(
    shipped: sqlite3.Connection, index: Index, text: str, question: str
) -> None:
    (issue,) = settle(shipped, text).heard
    assert issue.which and not issue.which.chosen
    assert question in {branch.question.id for branch in issue.which.branches}
    for branch in issue.which.branches:
        settled = settle(shipped, text, facts=[branch.answer.name])
        (heard,) = settled.heard
        assert not settled.ignored and heard.which and heard.which.chosen == replace(branch, chosen=True)
        for opinion in heard.opinions:
            assert opinion.decided == bool(index.cites[branch.question.id][opinion.code])
            if opinion.decided and opinion.best:
                unit = queries.find_unit(shipped, opinion.best.unit.id)
                ruling = unit and rule(shipped, index, text, unit, heard.facts)
                assert ruling and ruling.holding.question == branch.question and ruling.names == {*heard.facts}


def test_code_is_not_called_silent_where_its_book_omits_such_rules(shipped: sqlite3.Connection) -> None:
    question = questions_of(shipped, ["bystanders/remarks"])["bystanders/remarks"]
    assert question.verdict.endswith("; no rule: 1829; not printed: 1894")
    states = {code: question.state(code) for code in ("arnaud-1829", "american-1893", "american-1894")}
    assert [*states.values()] == ["silent", "answered", "not printed"]


def test_answer_names_are_unique(shipped: sqlite3.Connection) -> None:
    answers = {(a.name, a.fact, a.words) for each in distinctions(shipped) for a in each.answers}
    assert len(answers) == len({name for name, _, _ in answers})


@pytest.mark.parametrize(
    ("text", "code", "fact", "topic"),
    [
        ("It was not his turn to deal.", "english-1864", "Had the trump card been turned up when it was noticed?",
         "dealing"),
        ("He dealt out of turn, the trump is turned.", "english-1864", None, "dealing"),
        # In one code the result is the same whatever the answer, in another it is not.
        ("My partner asked me if I had any more spades; does that change anything?", "american-1893", None, "revoke"),
        ("My partner asked me if I had any more spades; does that change anything?", "deschapelles-1839",
         "Had he answered before the trick was turned?", "revoke"),
        # The topic is that of the answer, not one whose words the text has.
        ("two cards at once, which one counts", "english-1864", None, "exposed-cards"),
    ],
)  # fmt: skip
def test_fact_is_asked_for_if_it_is_not_told_and_matters(
    shipped: sqlite3.Connection, text: str, code: str, fact: str | None, topic: str
) -> None:
    found = settle(shipped, text, codes=[code])
    assert [(issue.depends and issue.depends.fact, *(t.id for t in found.topics)) for issue in found.heard] == [
        (fact, topic)
    ]


def test_each_question_is_about_the_latest_facts(index: Index) -> None:
    text = "He dealt me fourteen cards. What now? Next hand my partner asked to see the last trick. May he?"
    (_, misdeal), (_, last_trick) = hear(index, text).heard
    assert misdeal.of("english-1864")[0].id == "english-1864/law-44"
    assert last_trick.of("english-1864")[0].id == "english-1864/law-91"


def test_every_case_with_a_question_has_an_outcome_under_every_code(shipped: sqlite3.Connection) -> None:
    query = """select (select count(*) from digest), (select count(distinct unit_id) from case_question),
        count(distinct unit_id), count(*) / (select count(*) from code) from case_outcome"""
    cases, questions, outcomes, per_code = shipped.execute(query).fetchone()
    assert cases == 179 and questions == outcomes == per_code >= 165
