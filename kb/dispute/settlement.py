"""A dispute settled: what each code says on each thing that is asked, with all that a page or a program tells of it."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from urllib.parse import quote_plus, urlencode

from kb.comparison.answers import Question, questions_of
from kb.comparison.ruling import DigestRow, digests
from kb.comparison.table import has_room, side_by_side
from kb.comparison.topics import topics
from kb.dispute.adjudication import Adjudication, Finding, adjudicate
from kb.dispute.distinction import Distinction, FactAnswer, distinctions, left_open
from kb.dispute.hearing import hear, put_right
from kb.dispute.index import index_of
from kb.dispute.issues import Issue
from kb.dispute.opinion import Holding, holdings
from kb.read import cite, queries
from kb.read.domain import domain
from kb.read.rows import TopicRow, UnitRow

# Of the best score: of the provisions further down that have less, 6 in 402 decided the disputes they were tuned on.
_ALTERNATIVE = 0.7
_REASONS = 2
_TELLING = 0.1  # a reason that has less of the score is none
REASONS = {
    "words": "it has words that you use",
    "spoken": "it speaks of what you speak of",
    "question": "it answers the question you seem to ask",
    "learnt": "players ask that question in words like yours",
    "case": "a case like yours turned on it",
    "counterpart": "its counterparts in other codes fit too",
}  # fmt: skip
"""Why a provision is found, by the kind of evidence (`kb.dispute.evidence.KINDS`)."""


@dataclass(frozen=True, slots=True)
class Opinion:
    """What one code says to a dispute.

    `best` is none if nothing in the code is like it; `decided` tells whether it is what decides, or only the nearest.
    `reasons` says in words why it is there, `again` names the code before it whose words these are. `silent_on` is the
    question that seems to be asked, where the editor has read the code for it and found no answer.
    """

    code: str
    decided: bool
    best: Holding | None = None
    reasons: tuple[str, ...] = ()
    citation: str = ""
    again: str = ""
    others: tuple[Holding, ...] = ()
    findings: tuple[Finding, ...] = ()
    silent_on: Question | None = None


@dataclass(frozen=True, slots=True)
class Branch:
    """An answer to a fact that was asked back: what is asked of the codes then, and whether it was chosen."""

    answer: FactAnswer
    question: Question
    chosen: bool


@dataclass(frozen=True, slots=True)
class OpenFact:
    """A fact that was not told, on which it depends what is asked."""

    fact: str
    branches: tuple[Branch, ...]

    @property
    def chosen(self) -> Branch | None:
        """The answer that was given."""
        return next((branch for branch in self.branches if branch.chosen), None)


@dataclass(frozen=True, slots=True)
class Heard:
    """An issue of a dispute and what the codes say to it: `asked` in its own words, "" if nothing else is asked.

    `put` has the facts too, `faint` tells that little is like it, `unruled` that it is clearly something on which no
    code rules, `held` what the provisions found hold; `depends` is the fact on which it depends and that was not told.
    """

    asked: str
    put: str
    faint: bool
    unruled: bool
    opinions: tuple[Opinion, ...]
    held: Mapping[str, Holding]
    depends: OpenFact | None = None

    @property
    def fact(self) -> str:
        """The id of the question that is meant, as the answer to the fact on which it depends tells; "" without one."""
        return self.depends.chosen.question.id if self.depends and self.depends.chosen else ""


@dataclass(frozen=True, slots=True)
class Settlement:
    """What the codes say to a dispute.

    Attributes:
        respelt: the words that no book has, each with the one for which it was read.
        heard: the issues; none has an opinion if there is too little of the game in what was told.
        topics: those on what it speaks of; `questions` of them that are nearest; `cases` like it with their digests.
    """

    respelt: Mapping[str, str]
    heard: tuple[Heard, ...]
    topics: tuple[TopicRow, ...]
    questions: tuple[Question, ...]
    cases: tuple[tuple[UnitRow, DigestRow | None], ...]


def settle(
    conn: sqlite3.Connection, told: str, codes: Collection[str] = (), limit: int = 3, fact: str = ""
) -> Settlement:
    """Settle a dispute.

    Args:
        conn: the knowledge base.
        told: what happened and what is asked, in anybody's words.
        codes: those that are asked; of a small library all if none is named.
        limit: how many provisions of each code to give.
        fact: the name of the answer to the fact that was asked back; it counts for the issue in which that fact is left
            open.
    """
    index = index_of(conn)
    read, respelt = put_right(index, told, domain(conn).terms)
    hearing = hear(index, read, codes=codes, limit=limit)
    near = questions_of(conn, [facet for _, found in hearing.heard for facet, _ in found.facets])
    heard, known = [], dict(near)
    for issue, found in hearing.heard:
        depends = left_open(distinctions(conn), issue.put, found)
        if depends and (given := next((answer for answer in depends.answers if answer.name == fact), None)):
            found = adjudicate(index, issue.put, stressed=issue.asked, codes=codes, limit=limit, facet=given.facet)
            known |= questions_of(conn, [given.facet])
        likeliest = None if found.unruled or not found.facets else known[found.facets[0][0]]
        heard.append(_heard(conn, issue, found, codes, likeliest, _open_fact(conn, depends, fact)))
    likest = queries.units(conn, (case for case, _ in hearing.cases))
    decided = digests(conn, likest)
    return Settlement(
        respelt,
        tuple(heard),
        tuple(t for t in topics(conn) if t.id in hearing.topics),
        tuple(near.values()),
        tuple((likest[i], decided.get(i)) for i, _ in hearing.cases if i in likest),
    )


def _open_fact(conn: sqlite3.Connection, depends: Distinction | None, fact: str) -> OpenFact | None:
    """A fact that was not told, with what each answer to it would ask."""
    if depends is None:
        return None
    questions = questions_of(conn, [answer.facet for answer in depends.answers])
    branches = (Branch(answer, questions[answer.facet], answer.name == fact) for answer in depends.answers)
    return OpenFact(depends.fact, tuple(branches))


def _heard(
    conn: sqlite3.Connection,
    issue: Issue,
    found: Adjudication,
    chosen: Collection[str],
    likeliest: Question | None,
    depends: OpenFact | None,
) -> Heard:
    """What the codes chosen say, or each, or where there is no room for all those that have the likest provisions."""
    every = queries.codes(conn)
    few = has_room(every)
    likest = {} if few or chosen else {c.id: its[0].score for c in every if (its := found.of(c.id))}
    codes = [c.id for c in side_by_side(every, likest, chosen)]
    held = holdings(conn, [(f.id, f.facets) for code in codes for f in found.of(code)])
    opinions = tuple(_opinions(conn, found, held, codes, likeliest)) if found.findings else ()
    return Heard(issue.asked, issue.put, found.faint, found.unruled, opinions, held, depends)


def _opinions(
    conn: sqlite3.Connection,
    found: Adjudication,
    held: Mapping[str, Holding],
    codes: Sequence[str],
    likeliest: Question | None,
) -> Iterator[Opinion]:
    """What each code says, where a question is the likeliest that is asked."""
    before: dict[str, Holding] = {}
    for code in codes:
        findings = found.of(code)
        silent_on = likeliest if likeliest and likeliest.state(code) == "silent" else None
        if not findings:
            yield Opinion(code, decided=False, silent_on=silent_on)
            continue
        best, decided = held[findings[0].id], code not in found.undecided
        yield Opinion(
            code,
            decided,
            best,
            () if found.faint else _reasons(findings[0]),
            cite.plain(cite.cited(conn, best.pinpoint)),
            next((other for other, its in before.items() if _double(its, best)), ""),
            tuple(held[f.id] for f in findings[1:] if f.score >= _ALTERNATIVE * findings[0].score),
            findings,
            None if decided else silent_on,
        )
        if decided:
            before[code] = best


def _double(one: Holding, other: Holding) -> bool:
    """Whether two provisions answer the same question in nearly the same words."""
    same = one.question is not None and one.question == other.question
    return same and one.answer is not None and one.answer.is_twin_of(other.answer)


def _reasons(finding: Finding) -> tuple[str, ...]:
    """The strongest kinds of evidence in words, each once."""
    said = dict.fromkeys(REASONS[kind] for kind, share in finding.why if share >= _TELLING)
    return tuple(said)[:_REASONS]


def ruling_address(unit_id: str, facts: str, chosen: str = "", fact: str = "") -> str:
    """The address of the ruling by a provision."""
    fields = {"unit": unit_id, "code": chosen, "fact": fact}
    told = f"q={_quoted(facts)}&" if facts else ""
    return f"/ruling?{told}" + urlencode({name: value for name, value in fields.items() if value})


# A page has some twenty addresses with the same long facts.
_quoted = lru_cache(maxsize=16)(quote_plus)


def as_data(settled: Settlement, address: Callable[[str], str]) -> dict[str, Any]:
    """What the codes say to a dispute, for programs.

    Args:
        settled: the dispute.
        address: makes the address of a path.
    """
    return {
        "respelt": dict(settled.respelt),
        "issues": [_issue(issue, address) for issue in settled.heard],
        "topics": [{"id": t.id, "label": t.label, "url": address(f"/compare/{t.id}")} for t in settled.topics],
        "questions": [
            {"id": q.id, "label": q.label, "verdict": q.verdict, "url": address(f"/compare/{q.page}")}
            for q in settled.questions
        ],
        "cases": [
            {"id": unit.id, "url": address(f"/{unit.id}"), "facts": digest.facts if digest else None,
             "decision": digest.decision if digest else None}
            for unit, digest in settled.cases
        ],
    }  # fmt: skip


def _issue(issue: Heard, address: Callable[[str], str]) -> dict[str, object]:
    return {
        "asked": issue.asked or None,
        "put": issue.put,
        "faint": issue.faint,
        "unruled": issue.unruled,
        "depends": {
            "fact": issue.depends.fact,
            "answers": [
                {"words": branch.answer.words, "question": branch.question.id, "fact": branch.answer.name,
                 "result": branch.answer.result or None, "chosen": branch.chosen,
                 "codes": {a.code: {"summary": a.summary, "cites": a.cites} for a in branch.question.answers.values()}}
                for branch in issue.depends.branches
            ],
        } if issue.depends else None,
        "opinions": [
            {
                "code": opinion.code,
                "decided": opinion.decided,
                "citation": opinion.citation or None,
                "reasons": opinion.reasons,
                "silent_on": opinion.silent_on.id if opinion.silent_on else None,
                "findings": [_finding(f, issue.held[f.id], address, issue) for f in opinion.findings],
            }
            for opinion in issue.opinions
        ],
    }  # fmt: skip


def _finding(finding: Finding, held: Holding, address: Callable[[str], str], issue: Heard) -> dict[str, object]:
    return {
        "id": finding.id,
        "url": address(f"/{finding.id}"),
        "title": cite.title(held.unit),
        "score": finding.score,
        "why": finding.why,
        "question": held.question.id if held.question else None,
        "answer": held.answer.summary if held.answer else None,
        "pinpoint": held.pinpoint.id,
        "deciding": [words for _, words in held.answer.deciding] if held.answer else [],
        "gloss": held.gloss,
        "ruling": address(ruling_address(finding.id, issue.put, fact=issue.fact)),
    }
