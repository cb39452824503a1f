"""What waits for the editor: one list of what is stale, contradictory, missing; each item can appear alone."""

from dataclasses import replace
from pathlib import Path

import pytest
from editorial.judged import ANSWERS, CONCORDANCE, FILES, TEXTS, library_of, open_in, read
from hypothesis import given
from hypothesis import strategies as st

from kb.analysis.words import letters
from kb.editorial.judging import texts_to_keep, to_fill, unjudged
from kb.editorial.tables import tables
from kb.editorial.waiting import difference, waiting
from kb.propose import Proposal

TOPIC, LINKS, CASES = "topics/revoke.toml", "concordance.toml", "digests.toml"
DIGEST = """
[[digest]]
case = ["o-1850/law-2"]
facts = "He revoked."
decision = "Three."
applies = ["o-1850/law-1"]
questions = ["revoke/{}"]
"""


def test_nothing_waits_in_a_library_that_is_judged(tmp_path: Path) -> None:
    assert open_in(tmp_path) == []
    assert open_in(tmp_path, dict.fromkeys(FILES, "# nothing\n")) == [], "nobody has begun"


FOUR = {"o-1850/law-1": "A player who revokes shall lose four tricks."}


def test_changed_text_makes_entries_stale(tmp_path: Path) -> None:
    found = {(o.file.removeprefix(f"{tmp_path}/"), o.line): o for o in open_in(tmp_path, texts=FOUR)}
    answer = ANSWERS[: ANSWERS.index("[question.answer.o-1850]")].count("\n") + 1
    assert found.keys() == {(LINKS, 7), (TOPIC, answer)}
    stale = found[TOPIC, answer]
    assert (stale.kind, stale.diff) == ("stale", "A player who revokes shall lose [-three-]{+four+} tricks.")
    assert stale.quotations == (("lose three tricks", "lose four tricks."),)
    assert "`whist judge --keep-texts --again o-1850/law-1`" in stale.what
    assert found[LINKS, 7].quotations == ()


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("If any one revoke, he pays 3 tricks.", "IF ANY  ONE REVOKE,\nHE PAYS 3 TRICKS", True),
        ("oﬃcer’s ſuit à la", "officers suit a la", True),
        ("he pays 3 tricks", "he pays 2 tricks", False),
    ],
)
def test_only_letters_and_digits_make_a_text_stale(one: str, other: str, same: bool) -> None:
    assert (letters(one) == letters(other)) == same


def test_only_a_few_words_around_a_difference_are_shown() -> None:
    words = [f"w{n}" for n in range(40)]
    assert difference(" ".join(words), " ".join([*words[:20], *words[21:]])) == (
        "w0 w1 w2 w3 ... w16 w17 w18 w19 [-w20-] w21 w22 w23 w24 ... w36 w37 w38 w39"
    )


WORDS = st.lists(st.sampled_from(["a", "b", "c", "d"]), max_size=30).map(" ".join)


@given(WORDS, WORDS)
def test_difference_shows_every_changed_word(before: str, now: str) -> None:
    shown = difference(before, now)
    assert ("[-" in shown or "{+" in shown) == (before != now)
    if "..." not in shown:
        without = "".join(piece.partition("-]")[2] if i else piece for i, piece in enumerate(shown.split("[-")))
        assert without.replace("{+", "").replace("+}", "").split() == now.split()


LINK = CONCORDANCE[CONCORDANCE.index("[[link]]") : CONCORDANCE.index("[[closed]]")]
UNLINKED = CONCORDANCE.replace(
    LINK,
    """
[[closed]]
provision = "o-1850/law-1"
codes = ["n-1890"]
[[closed]]
provision = "n-1890/law-1"
codes = ["o-1850"]
""",
)
APART = UNLINKED + '[[apart]]\na = "o-1850/law-1"\nb = "n-1890/law-1"\nreason = "said"\n'


@pytest.mark.parametrize(
    ("links", "rules", "letter", "expected"),
    [
        (CONCORDANCE, 'A = "three tricks", B = "two tricks"', "B", ""),
        (CONCORDANCE.replace("differs", "equivalent"), """A = "three tricks", "A'" = "two tricks\"""", "A'", ""),
        (CONCORDANCE.replace("differs", "equivalent"), 'A = "three tricks", B = "two tricks"', "B",
         "different rules, but they are linked as equivalent"),
        (CONCORDANCE.replace("differs", "opposed"), 'A = "three tricks"', "A", "the same rule, but they are linked as"),
        (UNLINKED, 'A = "three tricks", B = "two tricks"', "B", "different rules, but they are not linked"),
        (UNLINKED, 'A = "three tricks"', "A", ""),
        (APART, 'A = "three tricks", B = "two tricks"', "B", ""),
    ],
)  # fmt: skip
def test_answers_and_links_do_not_contradict_each_other(
    tmp_path: Path, links: str, rules: str, letter: str, expected: str
) -> None:
    answers = ANSWERS.replace('A = "three tricks", B = "two tricks"', rules).replace('rule = "B"', f'rule = "{letter}"')
    found = open_in(tmp_path, {LINKS: links, TOPIC: answers})
    assert {o.kind for o in found} == ({"contradiction"} if expected else set())
    assert all(expected in o.what and o.line == 3 for o in found)


def test_rule_of_an_answer_is_that_of_its_provision_only_if_it_rests_on_it_alone(tmp_path: Path) -> None:
    rest = '    { unit = "n-1890/law-1", words = "forfeits two tricks" },\n'
    answers = ANSWERS.replace(rest, f'{rest}    {{ unit = "n-1890/law-2", words = "The lowest cut" }},\n')
    assert open_in(tmp_path, {LINKS: CONCORDANCE.replace("differs", "equivalent"), TOPIC: answers}) == []


@pytest.mark.parametrize(
    ("question", "listed", "expected"),
    [
        ("penalty", 'otherwise = { n-1890 = "Two.", c-1891 = "Two." }', []),
        (
            "penalty",
            'silent = ["n-1890"]\notherwise = { c-1891 = "Two." }',
            ["under n-1890: the code is listed as silent"],
        ),
        (
            "claim",
            'silent = ["n-1890"]',
            ["under c-1891: its outcome is listed as the same, but the code answers none"],
        ),
        ("claim", 'silent = ["c-1891", "n-1890"]', []),
        ('claim", "revoke/penalty', 'silent = ["c-1891", "n-1890"]', []),
    ],
)
def test_outcomes_of_cases_do_not_contradict_answers(
    tmp_path: Path, question: str, listed: str, expected: list[str]
) -> None:
    found = open_in(tmp_path, {CASES: DIGEST.format(question) + listed})
    assert len(found) == len(expected)
    assert all(o.kind == "contradiction" and o.line == 2 and e in o.what for o, e in zip(found, expected, strict=True))


def test_outcome_under_a_code_without_answers_contradicts_none(tmp_path: Path) -> None:
    answers = ANSWERS.replace('silent = ["n-1890"]\n', "")
    found = open_in(tmp_path, {CASES: DIGEST.format("claim"), TOPIC: answers})
    assert [o.kind for o in found] == ["missing"]


def test_provision_has_three_topics_at_most(tmp_path: Path) -> None:
    topics = {f"topics/{name}.toml": 'members = ["o-1850/law-1"]' for name in ("a", "b", "c")}
    said, known = read(tmp_path, topics), replace(library_of(), topics={"revoke", "a", "b", "c"})
    (found,) = waiting(said, known, tables(said, known))
    assert "o-1850/law-1 is in 4 topics (a, b, c, revoke); correct `members`" in found.what
    (tmp_path / "topics" / "c.toml").unlink()
    said = read(tmp_path)
    assert [*waiting(said, known, tables(said, known))] == []


@pytest.mark.parametrize(
    ("file", "was", "put", "expected"),
    [
        (TOPIC, 'silent = ["n-1890"]\n', "", ["revoke/claim has no answer of n-1890, c-1891; add one"]),
        (LINKS, 'provision = "o-1850/law-2"\ncodes = ["n-1890"]', 'provision = "o-1850/law-1"\ncodes = ["n-1890"]',
         ["o-1850/law-2 was not yet compared with n-1890, c-1891; add [[link]] or"]),
        (LINKS, '[[unused]]\nprovision = "c-1891/law-2"\nreason = "no question is asked about seats"\n', "",
         ["no answer rests on c-1891/law-2; use it, or add [[unused]]"]),
        (TOPIC, 'members = ["o-1850/law-1", ', "members = [", ["o-1850/law-1 is in no topic; correct `members`"]),
        ("read.toml", '"o-1850/law-2"', '"o-1850/law-3"', ["the text of o-1850/law-2 was not kept"] * 2),
    ],
)  # fmt: skip
def test_what_is_missing_is_listed(tmp_path: Path, file: str, was: str, put: str, expected: list[str]) -> None:
    text = FILES[file]
    assert was in text
    found = open_in(tmp_path, {file: text.replace(was, put)})
    assert [o.kind for o in found] == ["missing"] * len(expected)
    assert all(part in o.what for part, o in zip(expected, found, strict=True))


def test_provision_waits_in_the_file_of_its_topic(tmp_path: Path) -> None:
    members = 'members = [\n    "o-1850/law-1", "o-1850/law-2",\n    "n-1890/law-1", "n-1890/law-2",\n]\n'
    topic = members + ANSWERS[ANSWERS.index("[[question]]") :]
    (found,) = open_in(
        tmp_path,
        {TOPIC: topic, LINKS: CONCORDANCE.replace('provision = "o-1850/law-2"', 'provision = "o-1850/law-1"')},
    )
    assert (found.file, found.line) == (str(tmp_path / TOPIC), 2)


# Judging


def test_pairs_that_are_linked_apart_or_closed_are_judged(tmp_path: Path) -> None:
    some = ((1, "n-1890/law-1"), (1, "n-1890/law-2"), (2, "n-1890/law-1"), (1, "c-1891/law-1"))
    pairs = [Proposal(f"o-1850/law-{n}", b, "differs", 0.5, "so") for n, b in some]
    said, known = read(tmp_path), library_of()
    left = unjudged(said, known, tables(said, known), pairs)
    assert [(pair.a, pair.b) for pair in left.pairs] == []
    open_again = CONCORDANCE.replace('[[closed]]\nprovision = "o-1850/law-2"\ncodes = ["n-1890"]\n', "").replace(
        '[[closed]]\nprovision = "n-1890/law-2"\ncodes = ["o-1850"]\n', ""
    )
    said = read(tmp_path, {LINKS: open_again})
    left = unjudged(said, known, found := tables(said, known), pairs, "revoke")
    assert [(pair.a, pair.b) for pair in left.pairs] == [
        ("o-1850/law-1", "n-1890/law-2"),
        ("o-1850/law-2", "n-1890/law-1"),
    ]
    assert left.codes == {
        "o-1850/law-2": ["n-1890", "c-1891"],
        "n-1890/law-2": ["o-1850"],
        "c-1891/law-2": ["o-1850"],
    }
    lines = "\n".join(to_fill(left, known, found))
    assert '[[link]]\na = "o-1850/law-2"\nb = "n-1890/law-1"\nrelation = "differs" # 0.50: so\nreason = ""\n' in lines
    assert f"# n-1890/law-2 (revoke): {TEXTS['n-1890/law-2']}" in lines
    assert '[[closed]]\nprovision = "o-1850/law-2"\ncodes = ["n-1890", "c-1891"]\n' in lines
    assert unjudged(said, known, found, pairs, "claims") == unjudged(said, known, found, [], "claims")


def test_texts_are_kept_until_judged_again(tmp_path: Path) -> None:
    said, known = read(tmp_path), library_of(FOUR)
    assert texts_to_keep(said, known, said.read)["o-1850/law-1"] == TEXTS["o-1850/law-1"]
    assert texts_to_keep(said, known, said.read, ["o-1850/law-1"])["o-1850/law-1"] == FOUR["o-1850/law-1"]
    assert texts_to_keep(said, known, {})["o-1850/law-1"] == FOUR["o-1850/law-1"]
