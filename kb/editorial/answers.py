"""The answers: what each code rules on each question of a topic, one file per topic (`corpus/topics/revoke.toml`).

A facet is a question, asked once: it has a home topic, and can be shown under other topics too. A cell is one code's
answer. It rests on provisions and their deciding words, and has the letter of its rule: cells with the same letter lay
down the same rule. A code is silent if the editor read it through for the question and it does not answer. An answer
also holds for the code's twin, if all provisions it rests on have twins there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, Field, model_validator

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


class AnswerCell(ProvisionEntry):
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


class AnswerFacet(Table):
    """A question that a topic raises.

    Attributes:
        also: the other topics under which it is shown.
        rules: the rules that the codes lay down, in a few words each, by letter.
        sisters: the neighbouring questions, which a reader may have meant instead.
        silent: the codes that were read through and do not answer.
        near: for silent codes, the provision that comes nearest, and why it does not decide.
        cell: the answers by code, oldest code first.
    """

    id: Id
    label: Line
    also: Many[Id] = ()
    rules: dict[Rule, RuleInBrief]
    sisters: Many[Line] = ()
    silent: Many[Id] = ()
    near: dict[Id, Near] = Field(default_factory=dict)
    cell: dict[Id, AnswerCell] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _has_rules_that_fit(self) -> AnswerFacet:
        """Check that each rule is described, and that the letters follow the order of the codes."""
        used: list[str] = []
        for code, cell in self.cell.items():
            where = ("cell", code)
            expected = (chr(ord("A") + len({rule[0] for rule in used})), *(f"{rule}'" for rule in used))
            if code in self.silent:
                raise Fault("this code has a cell and is also listed in `silent`; delete one", *where)
            if cell.rule not in self.rules:
                raise Fault(f"`rules` does not contain {cell.rule}; describe the rule there", *where, "rule")
            if cell.rule not in used and cell.rule not in expected:
                raise Fault(f"letters must follow the codes, oldest first; write {expected[0]}", *where, "rule")
            used.append(cell.rule)
        for code in self.near:
            if code not in self.silent:
                raise Fault("only a silent code has a provision that comes nearest; delete it", "near", code)
        for rule in self.rules:
            if rule not in used:
                raise Fault(f"no code has rule {rule}; delete it", "rules", rule)
        return self


class FactResult(Table):
    """The question that an answer about a fact means, and what follows from that answer, in a line.

    Words alone hold for every code that answers the question; others name their codes, as `by_code` reads them.
    """

    question: Line
    result: Line


class Distinction(Table):
    """A fact that separates questions that are easily confused, or two answers to one question.

    `told_by` are words that show that a player's description states the fact, so that it need not be asked for; if
    omitted, those of the same fact higher up in the file apply. `answers` maps each answer about the fact, in a few
    words, to the question it means. The fact is asked for when one of these, if it is of the same topic, or one of the
    further questions `also` is meant, except those in `not_for`, which an answer only leads to.
    """

    fact: Line
    told_by: Many[Line] = ()
    answers: Annotated[dict[Line, Line | FactResult], Field(min_length=2, max_length=5)]
    also: Many[Line] = ()
    not_for: Many[Line] = ()


class TopicFile(VerdictFile):
    """The file of a topic: the provisions that rule on it, its questions, and the verdicts on its provisions.

    A provision has one to three topics.
    """

    members: Many[UnitId] = ()
    facet: Many[AnswerFacet] = ()
    distinction: Many[Distinction] = ()

    @model_validator(mode="after")
    def _names_each_once(self) -> TopicFile:
        if len(set(self.members)) < len(self.members):
            raise Fault("a provision is listed twice; delete one", "members")
        require_unique(self.facet, lambda facet: facet.id, "facet", key="id")
        return self

    @property
    def entries(self) -> tuple[tuple[str, ProvisionEntry], ...]:
        """The cells, by name (`penalty, english-1864`), and the verdicts."""
        cells = ((f"{facet.id}, {code}", cell) for facet in self.facet for code, cell in facet.cell.items())
        return (*cells, *self.listed)


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
        facet: the question.
        code: the code that answers.
        cell: its answer; None if it is silent.
        units: the provisions of the code on which the answer rests, one for each of `cell.rests_on`.
        twin: the twin code for which the editor wrote the answer; None if it was written for this code.
        unprinted: whether it is silent only in the book that prints it, which omits such rules (`lacks`).
    """

    topic: str
    facet: AnswerFacet
    code: str
    cell: AnswerCell | None = None
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
    for facet in topic.said.facet:
        if unknown := [code for code in (*facet.cell, *facet.silent) if code not in codes]:
            raise BookError(f"{topic.file}: facet {facet.id!r}: there is no code {unknown[0]!r}; correct the id.")
        for code in codes:
            if code in facet.silent:
                yield EditorsAnswer(topic.id, facet, code)
            elif cell := facet.cell.get(code):
                yield EditorsAnswer(topic.id, facet, code, cell, cell.provisions)
            else:
                yield from _taken_over(topic.id, facet, code, twin)


def _taken_over(topic: str, facet: AnswerFacet, code: str, twin: Mapping[str, str]) -> Iterator[EditorsAnswer]:
    """Yield the answer taken over from a code's twin: a cell whose provisions all have twins, or a silence."""
    for other, cell in facet.cell.items():
        units = tuple(twin.get(unit, "") for unit in cell.provisions)
        if all(unit.startswith(f"{code}/") for unit in units):
            yield EditorsAnswer(topic, facet, code, cell, units, other)
            return
    twin_codes = {b.partition("/")[0] for a, b in twin.items() if a.startswith(f"{code}/")}
    for other in facet.silent:
        if other in twin_codes:
            yield EditorsAnswer(topic, facet, code, twin=other)
            return
