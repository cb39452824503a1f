"""The editor's files on provisions: what each contains, as TOML under `corpus/` (docs/editing.md is their manual).

`topics/TOPIC.toml` and `concordance.toml` link provisions and answer questions, `glosses.toml` and `digests.toml` put
provisions and cases in plain words, `titles.toml` names them, `read.toml` keeps the texts as they were when judged.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from extract.corpus.table import Fault, Id, Line, Many, Prose, Table, UnitId, matching, repeated
from extract.corpus.toml import Place
from extract.model import work_of

CONCORDANCE, GLOSSES, DIGESTS = "concordance.toml", "glosses.toml", "digests.toml"
TITLES, READ, TOPICS = "titles.toml", "read.toml", "topics"

Relation = Literal["same-text", "equivalent", "differs", "broader", "narrower", "opposed"]
FLIPPED: dict[str, Relation] = {"broader": "narrower", "narrower": "broader"}
"""The relation of b to a, by the relation of a to b, where it is another."""


def _words(most: int) -> AfterValidator:
    return matching(rf"\S+(?: \S+){{0,{most - 1}}}", f"is longer than {most} words; shorten it")


Summary = Annotated[Line, _words(18)]
RuleInBrief = Annotated[
    Line,
    _words(18),
    matching(r"(?!.*\b1[5-9]\d\d\b).*", "names a year; say what the rule is, the years of the codes are added"),
]
Rule = Annotated[str, matching("[A-Z]'{0,2}", "is not a letter of a rule; write A, or A' for a variant of A")]


class Judgement(Table):
    """An entry that the editor judged against the text of provisions."""

    @property
    def provisions(self) -> tuple[str, ...]:
        """The ids of the provisions that the entry rests on."""
        raise NotImplementedError


class _OfProvision(Judgement):
    provision: UnitId

    @property
    def provisions(self) -> tuple[str, ...]:
        return (self.provision,)


class OfPair(Judgement):
    """A judgement on two provisions."""

    a: UnitId
    b: UnitId
    reason: Prose

    @property
    def provisions(self) -> tuple[str, ...]:
        return (self.a, self.b)


# Links


class Link(OfPair):
    """Two provisions that answer the same question; `relation` is that of a to b."""

    relation: Relation

    @model_validator(mode="after")
    def _joins_two_codes(self) -> Link:
        if work_of(self.a) == work_of(self.b):
            raise Fault(f"{self.b!r} is in the same code as `a`; link provisions of two codes", "b")
        return self


class Apart(OfPair):
    """Two provisions that answer one question differently but are not counterparts, and why not."""


class Closed(_OfProvision):
    """A provision whose counterparts were looked for in other codes: there are none except those linked."""

    codes: Annotated[Many[Id], Field(min_length=1)]

    @model_validator(mode="after")
    def _is_closed_against_others(self) -> Closed:
        if work_of(self.provision) in self.codes:
            raise Fault("a provision cannot be closed for its own code; delete that code", "codes")
        return self


class Unused(_OfProvision):
    """A provision that answers no question of any topic, and why not."""

    reason: Prose


class LinkFile(Table):
    """The links of one file, and what else was found of pairs and provisions."""

    link: Many[Link] = ()
    apart: Many[Apart] = ()
    closed: Many[Closed] = ()
    unused: Many[Unused] = ()


class Reprint(Table):
    """Two codes whose provisions of the same number the editor counts as one text, if they are similar enough.

    `least` is the minimum similarity of the letters and digits of two provisions, from 0 to 1.
    """

    a: Id
    b: Id
    least: float = Field(ge=0.5, le=1)
    reason: Prose


class Concordance(LinkFile):
    """A concordance.toml."""

    twins: Many[Reprint] = ()


# Questions and their answers


class Rest(Table):
    """A provision that decides a question, with its deciding words quoted verbatim and unbroken."""

    unit: UnitId
    words: Line


class Answer(Judgement):
    """One code's answer to a question; answers with the same letter lay down the same rule."""

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


class Question(Table):
    """A question that a topic raises, and the answers by code, oldest code first.

    `also` are other topics under which it is shown, `rules` the rules that the codes lay down, by letter, `sisters` the
    neighbouring questions, `silent` the codes that were read through and do not answer.
    """

    id: Id
    label: Line
    also: Many[Id] = ()
    rules: dict[Rule, RuleInBrief]
    sisters: Many[Line] = ()
    silent: Many[Id] = ()
    near: dict[Id, Near] = Field(default_factory=dict)
    answer: dict[Id, Answer] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _has_rules_that_fit(self) -> Question:
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
    """The question to which an answer about a fact leads, and what follows; codes are named as `course` reads them."""

    question: Line
    result: Line | None = None


def _as_table(meant: Any) -> Any:
    return {"question": meant} if isinstance(meant, str) else meant


class Distinction(Table):
    """A fact that parts two outcomes, or two questions that are easily confused; it stands on the pages of `shown`."""

    fact: Line
    shown: Annotated[Many[Line], Field(min_length=1)]
    answers: Annotated[dict[Line, Annotated[FactResult, BeforeValidator(_as_table)]], Field(min_length=2, max_length=5)]


class Topic(LinkFile):
    """The file of a topic: the provisions that rule on it, its questions, and the links of its provisions."""

    members: Many[UnitId] = ()
    question: Many[Question] = ()
    distinction: Many[Distinction] = ()

    @model_validator(mode="after")
    def _names_each_once(self) -> Topic:
        if len({*self.members}) < len(self.members):
            raise Fault("a provision is listed twice; delete one", "members")
        for fault in repeated(self.question, lambda question: question.id, "question", key="id"):
            raise fault
        return self


# Plain words


class Gloss(_OfProvision):
    """A provision or paragraph in present-day English, written from it alone."""

    words: Annotated[Line, _words(60)]


class GlossFile(Table):
    """A glosses.toml."""

    gloss: Many[Gloss] = ()


class Digest(Judgement):
    """A case in two lines, and its outcome under other codes.

    `case` has the id of the case and, if the decision is a unit of its own, that of the decision. `questions` are those
    on which the decision turned, the most decisive first. `otherwise` maps each code with a different result to that
    result, in a sentence; `silent` are codes that do not rule on the point, `open` those whose words leave it
    undecided. Under any other code the result would be the same. `remark` is the editor's note on these outcomes.
    """

    case: Annotated[Many[UnitId], Field(min_length=1, max_length=2)]
    facts: Line
    decision: Line
    applies: Many[UnitId] = ()
    questions: Many[Line] = ()
    otherwise: dict[Line, Line] = Field(default_factory=dict)
    silent: Many[Line] = ()
    open: Many[Line] = ()
    remark: Prose = ""

    @model_validator(mode="after")
    def _names_each_code_once(self) -> Digest:
        named = [*self.otherwise, *self.silent, *self.open]
        if len({*named}) < len(named):
            raise Fault("a code is listed twice in `otherwise`, `silent` and `open`; delete one")
        return self

    @property
    def provisions(self) -> tuple[str, ...]:
        return self.case


class DigestFile(Table):
    """A digests.toml."""

    digest: Many[Digest] = ()


class TitleFile(Table):
    """A titles.toml: what provisions and cases chiefly rule, by the id of their unit."""

    titles: dict[UnitId, Annotated[Line, _words(6)]] = Field(default_factory=dict)


class Readings(Table):
    """A read.toml: the texts of provisions when the editor last judged them, by id."""

    read: dict[UnitId, Prose] = Field(default_factory=dict)


def judged(file: Table) -> Iterator[tuple[Place, Judgement]]:
    """Yield the judgements of a file, each with its place."""
    for key, entries in file:
        for i, entry in enumerate(entries if isinstance(entries, tuple) else ()):
            if isinstance(entry, Judgement):
                yield (key, i), entry
            elif isinstance(entry, Question):
                yield from (((key, i, "answer", code), answer) for code, answer in entry.answer.items())
