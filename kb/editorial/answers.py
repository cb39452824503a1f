"""The answers: what each code rules on each question of a topic, one file per topic (`corpus/topics/revoke.toml`).

A question is asked once: it has a home topic, and can be shown under other topics too. An answer rests on provisions
and their deciding words, and has the letter of its rule: answers with the same letter lay down the same rule. A code is
silent if the editor read it through for the question and it does not answer. An answer also holds for a reprint of the
code, if all provisions it rests on are reprinted there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from extract.corpus.table import Fault, Id, Line, Many, Table, UnitId, matching, read, require_unique
from extract.errors import BookError
from kb.editorial.concordance import VerdictFile
from kb.editorial.provisions import ProvisionEntry

FOLDER = "topics"
LONGEST = 15  # words of a summary, at most
LONGEST_RULE = 12  # words of a rule in the course line, at most


def _words(most: int) -> AfterValidator:
    return matching(rf"\S+(?: \S+){{0,{most - 1}}}", f"is longer than {most} words; shorten it")


Summary = Annotated[Line, _words(LONGEST)]
RuleInBrief = Annotated[Line, _words(LONGEST_RULE)]
Rule = Annotated[str, matching("[A-Z]'{0,2}", "is not a letter of a rule; write A, or A' for a variant of A")]


class Rest(Table):
    """A provision that decides a question, with its deciding words quoted verbatim and unbroken."""

    unit: UnitId
    words: Line


class AnswerEntry(ProvisionEntry):
    """One code's answer to a question."""

    rule: Rule
    summary: Summary
    rests_on: Annotated[Many[Rest], Field(min_length=1)]

    @property
    def provisions(self) -> tuple[str, ...]:
        return tuple(rest.unit for rest in self.rests_on)


class Near(Table):
    """The provision of a silent code that comes nearest to a question, and why it does not decide it."""

    unit: UnitId
    why: Summary


class QuestionEntry(Table):
    """A question that a topic raises.

    Attributes:
        also: the other topics under which it is shown.
        rules: the rules that the codes lay down, in a few words each, by letter.
        sisters: the neighbouring questions, which a reader may have meant instead.
        silent: the codes that were read through and do not answer.
        near: for silent codes, the provision that comes nearest, and why it does not decide.
        answer: the answers by code, oldest code first.
    """

    id: Id
    label: Line
    also: Many[Id] = ()
    rules: dict[Rule, RuleInBrief]
    sisters: Many[Line] = ()
    silent: Many[Id] = ()
    near: dict[Id, Near] = Field(default_factory=dict)
    answer: dict[Id, AnswerEntry] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _has_rules_that_fit(self) -> QuestionEntry:
        """Check that each rule is described, and that the letters follow the order of the codes."""
        used: list[str] = []
        for code, answer in self.answer.items():
            where = ("answer", code)
            expected = (chr(ord("A") + len({rule[0] for rule in used})), *(f"{rule}'" for rule in used))
            if code in self.silent:
                raise Fault("this code has an answer and is also listed in `silent`; delete one", *where)
            if answer.rule not in self.rules:
                raise Fault(f"`rules` does not contain {answer.rule}; describe the rule there", *where, "rule")
            if answer.rule not in used and answer.rule not in expected:
                raise Fault(f"letters must follow the codes, oldest first; write {expected[0]}", *where, "rule")
            used.append(answer.rule)
        for code in self.near:
            if code not in self.silent:
                raise Fault("only a silent code has a provision that comes nearest; delete it", "near", code)
        for rule in self.rules:
            if rule not in used:
                raise Fault(f"no code has rule {rule}; delete it", "rules", rule)
        return self


class FactResult(Table):
    """The question that an answer about a fact means, and, where its answers do not say it, what follows, in a line.

    Words alone hold for every code that answers the question; others name their codes, as `by_code` reads them.
    """

    question: Line
    result: Line | None = None


def _as_table(meant: Any) -> Any:
    """A mere name of a question as a table."""
    return {"question": meant} if isinstance(meant, str) else meant


class Distinction(Table):
    """A fact that parts two outcomes, or two questions that are easily confused.

    Attributes:
        fact: a question about the fact: "Was the trick turned and quitted?"
        shown: the questions on whose pages it stands.
        answers: the possible answers, each with the question that it leads to, and what follows.
    """

    fact: Line
    shown: Annotated[Many[Line], Field(min_length=1)]
    answers: Annotated[dict[Line, Annotated[FactResult, BeforeValidator(_as_table)]], Field(min_length=2, max_length=5)]


class TopicFile(VerdictFile):
    """The file of a topic: the provisions that rule on it, its questions, and the verdicts on its provisions.

    A provision has one to three topics.
    """

    members: Many[UnitId] = ()
    question: Many[QuestionEntry] = ()
    distinction: Many[Distinction] = ()

    @model_validator(mode="after")
    def _names_each_once(self) -> TopicFile:
        if len(set(self.members)) < len(self.members):
            raise Fault("a provision is listed twice; delete one", "members")
        require_unique(self.question, lambda question: question.id, "question", key="id")
        return self

    @property
    def entries(self) -> tuple[tuple[str, ProvisionEntry], ...]:
        """The answers, by name (`penalty, english-1864`), and the verdicts."""
        answers = ((f"{q.id}, {code}", answer) for q in self.question for code, answer in q.answer.items())
        return (*answers, *self.listed)


@dataclass(frozen=True, slots=True)
class JudgedTopic:
    """The editor's judgements on a topic, and the name of their file (`topics/revoke.toml`)."""

    id: str
    file: str
    said: TopicFile


@dataclass(frozen=True, slots=True)
class EditorsAnswer:
    """A code's answer to a question.

    Attributes:
        topic: the home topic of the question.
        question: the question.
        code: the code that answers.
        entry: its answer; None if it is silent.
        units: the provisions of the code on which the answer rests, one for each of `entry.rests_on`.
        twin: the twin code for which the editor wrote the answer; None if it was written for this code.
        unprinted: whether it is silent only in the book that prints it, which omits such rules (`lacks`).
    """

    topic: str
    question: QuestionEntry
    code: str
    entry: AnswerEntry | None = None
    units: tuple[str, ...] = ()
    twin: str | None = None
    unprinted: bool = False


def read_topic_files(folder: Path) -> dict[str, TopicFile]:
    """Read the editor's files of all topics.

    Args:
        folder: `corpus/topics`; it may be missing.
    Returns:
        The files, by name (`topics/revoke.toml`).
    Raises:
        BookError: a file cannot be read or is invalid.
    """

    return {f"{FOLDER}/{path.name}": read(path, TopicFile) for path in sorted(folder.glob("*.toml"))}


def answers(topic: JudgedTopic, codes: Sequence[str], twin: Mapping[str, str]) -> Iterator[EditorsAnswer]:
    """Yield the answers of the codes to each question of a topic, including those taken over from twins.

    Args:
        topic: the editor's answers.
        codes: the ids of all codes.
        twin: the twins of provisions.
    Raises:
        BookError: a code is named that does not exist.
    """
    for question in topic.said.question:
        if unknown := [code for code in (*question.answer, *question.silent) if code not in codes]:
            raise BookError(f"{topic.file}: question {question.id!r}: there is no code {unknown[0]!r}; correct the id.")
        for code in codes:
            if code in question.silent:
                yield EditorsAnswer(topic.id, question, code)
            elif answer := question.answer.get(code):
                yield EditorsAnswer(topic.id, question, code, answer, answer.provisions)
            else:
                yield from _taken_over(topic.id, question, code, twin)


def _taken_over(topic: str, question: QuestionEntry, code: str, twin: Mapping[str, str]) -> Iterator[EditorsAnswer]:
    """Yield the answer taken over from a code's twin: an answer whose provisions all have twins, or a silence."""
    for other, answer in question.answer.items():
        units = tuple(twin.get(unit, "") for unit in answer.provisions)
        if all(unit.startswith(f"{code}/") for unit in units):
            yield EditorsAnswer(topic, question, code, answer, units, other)
            return
    twin_codes = {b.partition("/")[0] for a, b in twin.items() if a.startswith(f"{code}/")}
    for other in question.silent:
        if other in twin_codes:
            yield EditorsAnswer(topic, question, code, twin=other)
            return
