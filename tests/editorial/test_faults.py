"""Faults of the editor's files: all at once, each with file, line and what may be meant."""

from pathlib import Path

import pytest
from editorial.judged import ANSWERS, CONCORDANCE, FILES, TEXTS, read, rows

from extract.errors import BookError

TOPIC, LINKS, CASES = "topics/revoke.toml", "concordance.toml", "digests.toml"
DIGEST = '[[digest]]\ncase = ["o-1850/law-2"]\nfacts = "He revoked."\ndecision = "Two."\n'


def line_of(text: str, words: str) -> int:
    return text[: text.index(words)].count("\n") + 1


@pytest.mark.parametrize(
    ("file", "was", "put", "message"),
    [
        (TOPIC, 'members = ["o-1850/law-1"', 'members = ["o-1850/law-11"',
         "members 1: there is no unit 'o-1850/law-11'; did you mean o-1850/law-1 or"),
        (TOPIC, 'silent = ["n-1890"]', 'silent = ["n-189"]', "there is no code 'n-189'; did you mean n-1890"),
        (TOPIC, 'silent = ["n-1890"]', 'silent = ["n-1890"]\nsisters = ["penality"]',
         "there is no question 'revoke/penality'; did you mean revoke/penalty"),
        (TOPIC, 'silent = ["n-1890"]', 'silent = ["n-1890"]\nalso = ["revoke"]',
         "there is no other topic with questions 'revoke'"),
        (TOPIC, 'silent = ["n-1890"]', 'silent = ["n-1890"]\nnear.n-1890 = { unit = "o-1850/law-2", why = "so" }',
         "o-1850/law-2 belongs to another code"),
        (TOPIC, "forfeits two tricks", "forfeits three tricks",
         "does not contain the words 'forfeits three tricks'; the nearest there are 'forfeits two tricks'"),
        (TOPIC, 'unit = "o-1850/law-2"', 'unit = "n-1890/law-2"', "n-1890/law-2 belongs to another code"),
        (TOPIC, 'B = "two tricks" }', 'B = "two tricks (from 1893)" }', "names a year; say what the rule is"),
        (LINKS, 'codes = ["n-1890"]', 'codes = ["N"]', "closed 1, codes 1: 'N' is not a valid id"),
        (LINKS, '[[unused]]', '[[closed]]\nprovision = "o-1850/law-2"\ncodes = ["c-1891"]\n[[unused]]',
         "line 12 also judges o-1850/law-2; delete one of them"),
        (LINKS, "[[closed]]", '[[apart]]\na = "n-1890/law-1"\nb = "o-1850/law-1"\nreason = ""\n[[closed]]',
         "line 7 also judges n-1890/law-1 and o-1850/law-1"),
    ],
)  # fmt: skip
def test_fault_is_told_with_its_line(tmp_path: Path, file: str, was: str, put: str, message: str) -> None:
    text = FILES[file].replace(was, put, 1)
    with pytest.raises(BookError) as caught:
        rows(tmp_path, {file: text})
    (said,) = str(caught.value).splitlines()
    assert message in said and said.startswith(f"{tmp_path / file}, line ")
    at = int(said.removeprefix(f"{tmp_path / file}, line ").split(":")[0])
    written = text.splitlines()[at - 1]
    assert put.splitlines()[-1] in written or written.startswith(("[[closed]]", "[[apart]]", "rests_on", "    {"))


@pytest.mark.parametrize(
    ("added", "message"),
    [
        ('applies = ["o-1850/law-9"]\n', "applies: there is no unit 'o-1850/law-9'"),
        ('questions = ["revoke/nothing"]\n', "there is no question 'revoke/nothing'"),
        ('silent = ["n-1890"]\nopen = ["n-180"]\n', "open: there is no code 'n-180'; did you mean n-1890"),
        ('silent = ["n-1890"]\nopen = ["n-1890"]\n', "a code is listed twice"),
    ],
)
def test_digest_names_what_exists(tmp_path: Path, added: str, message: str) -> None:
    with pytest.raises(BookError, match="digest") as caught:
        rows(tmp_path, {CASES: DIGEST + added})
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("shown", "codes", "message"),
    [("claim", "from 1700", "there is no code '1700'; the codes are"), ("cost", "1850", "no question 'revoke/cost'")],
)
def test_fact_names_questions_and_codes_that_exist(tmp_path: Path, shown: str, codes: str, message: str) -> None:
    fact = f'answers = {{ no = "penalty", yes = {{ question = "claim", result = "too late ({codes})" }} }}\n'
    with pytest.raises(BookError) as caught:
        rows(tmp_path, {TOPIC: f'{ANSWERS}[[distinction]]\nfact = "Before?"\nshown = ["{shown}"]\n{fact}'})
    assert message in str(caught.value)


def test_all_faults_of_all_files_are_told_at_once(tmp_path: Path) -> None:
    topic = ANSWERS.replace('rule = "A"', 'rule = "C"').replace('"until the next cut"', '"until the cut of 1829"')
    with pytest.raises(BookError) as caught:
        read(tmp_path, {TOPIC: topic, LINKS: CONCORDANCE.replace("least", "lest"), "titles.toml": "[title]\n"})
    said = str(caught.value).splitlines()
    assert [line.split(":")[0].removeprefix(f"{tmp_path}/") for line in said] == [
        f"{LINKS}, line {line_of(CONCORDANCE, '[[twins]]')}",
        f"{LINKS}, line {line_of(CONCORDANCE, 'least')}",
        f"{TOPIC}, line {line_of(topic, '[question.answer.o-1850]') + 1}",
        f"{TOPIC}, line {line_of(topic, 'of 1829')}",
        "titles.toml, line 1",
    ]
    topic = ANSWERS.replace("two tricks", "ten tricks").replace('"n-1890/law-2"]', '"n-1890/law-12"]')
    with pytest.raises(BookError) as caught:
        rows(tmp_path, {TOPIC: topic, LINKS: CONCORDANCE, "titles.toml": '[titles]\n"o-1850/law-7" = "Nothing"\n'})
    assert len(str(caught.value).splitlines()) == 3


def test_deciding_words_may_be_missing_from_a_text_that_has_changed(tmp_path: Path) -> None:
    changed = {"o-1850/law-1": TEXTS["o-1850/law-1"].replace("three", "four")}
    assert rows(tmp_path, texts=changed)["deciding"][0]["words"] is None


def test_topic_file_belongs_to_a_topic(tmp_path: Path) -> None:
    with pytest.raises(BookError, match="there is no topic 'revokes'; did you mean revoke"):
        rows(tmp_path, {"topics/revokes.toml": "members = []"})
