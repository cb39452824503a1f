"""Settle a dispute: what each code says on each issue, with everything that a page or the JSON API shows of it."""

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

# Share of the best score: other provisions that have less are not listed. Of those, 6 in 402 decided a dispute of the
# tuning set.
_ALTERNATIVE = 0.7
_REASONS = 2
_LEAST_SHARE = 0.1  # evidence with less of the score is not given as a reason
REASONS = {
    "words": "it has words that you use",
    "spoken": "it speaks of what you speak of",
    "question": "it answers the question you seem to ask",
    "learnt": "players ask that question in words like yours",
    "case": "a case like yours turned on it",
    "counterpart": "its counterparts in other codes fit too",
}  # fmt: skip
"""The reason to show for each kind of evidence (`kb.dispute.evidence.KINDS`)."""


@dataclass(frozen=True, slots=True)
class Opinion:
    """What one code says on an issue.

    `best` is its likeliest provision, None if nothing matches; `decided` is whether that provision decides the issue or
    is only the nearest. `reasons` states why it was found; `again` is a code listed before this with nearly the same
    words. `silent_on` is the likeliest question, if the editor found no answer to it in the code.
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
    """An answer to a follow-up question: the question that is then put to the codes, and whether the user chose it."""

    answer: FactAnswer
    question: Question
    chosen: bool


@dataclass(frozen=True, slots=True)
class OpenFact:
    """A fact that the user did not state, as a follow-up question: it decides which question is meant."""

    fact: str
    branches: tuple[Branch, ...]

    @property
    def chosen(self) -> Branch | None:
        """The answer that the user chose; None if none was chosen."""
        return next((branch for branch in self.branches if branch.chosen), None)


@dataclass(frozen=True, slots=True)
class Heard:
    """An issue of a dispute and what the codes say on it.

    `asked` is the question itself, "" if the dispute has only this issue; `put` is the question with its facts. `faint`
    is whether the evidence is weak, `unruled` whether clearly no code rules on it. `held` has the holdings of the
    provisions found, by id; `depends` is the unstated fact on which it depends.
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
        """The id of the question that the chosen answer to the follow-up question selects; "" if none was chosen."""
        return self.depends.chosen.question.id if self.depends and self.depends.chosen else ""


@dataclass(frozen=True, slots=True)
class Settlement:
    """What the codes say on a dispute.

    Attributes:
        respelt: the words that were replaced, because they are everyday or misspelt ones, with their replacements.
        heard: the issues; they have no opinions if nothing was found or the text is about another subject.
        topics: the topics that it names.
        questions: the nearest questions of topics.
        cases: the most similar cases, with their digests.
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
        told: what happened and what is asked, in free text.
        codes: the ids of the codes wanted; if none are given, all, or those that match best in a large library.
        limit: the most provisions to return of each code.
        fact: the name of the answer (`FactAnswer.name`) that the user chose to a follow-up question; it applies to the
            issue that leaves that fact open.
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
    case_units = queries.units(conn, (case for case, _ in hearing.cases))
    digest_of = digests(conn, case_units)
    return Settlement(
        respelt,
        tuple(heard),
        tuple(t for t in topics(conn) if t.id in hearing.topics),
        tuple(near.values()),
        tuple((case_units[i], digest_of.get(i)) for i, _ in hearing.cases if i in case_units),
    )


def _open_fact(conn: sqlite3.Connection, depends: Distinction | None, fact: str) -> OpenFact | None:
    """An unstated fact with the question that each answer to it selects; None if there is none."""
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
    """What the codes say: those chosen; else all, or those with the best provisions if a page has no room for all."""
    every = queries.codes(conn)
    few = has_room(every)
    best_scores = {} if few or chosen else {c.id: its[0].score for c in every if (its := found.of(c.id))}
    codes = [c.id for c in side_by_side(every, best_scores, chosen)]
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
    """What each code says on an issue; `likeliest` is the question that is probably meant."""
    earlier: dict[str, Holding] = {}
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
            next((other for other, its in earlier.items() if _same_answer(its, best)), ""),
            tuple(held[f.id] for f in findings[1:] if f.score >= _ALTERNATIVE * findings[0].score),
            findings,
            None if decided else silent_on,
        )
        if decided:
            earlier[code] = best


def _same_answer(one: Holding, other: Holding) -> bool:
    """Whether two provisions answer the same question in nearly the same words."""
    same = one.question is not None and one.question == other.question
    return same and one.answer is not None and one.answer.is_twin_of(other.answer)


def _reasons(finding: Finding) -> tuple[str, ...]:
    """The reasons to show for the strongest kinds of evidence, without duplicates."""
    reasons = dict.fromkeys(REASONS[kind] for kind, share in finding.why if share >= _LEAST_SHARE)
    return tuple(reasons)[:_REASONS]


def ruling_address(unit_id: str, facts: str, chosen: str = "", fact: str = "") -> str:
    """The path and query of the page with the ruling under a provision."""
    fields = {"unit": unit_id, "code": chosen, "fact": fact}
    query = f"q={_quoted(facts)}&" if facts else ""
    return f"/ruling?{query}" + urlencode({name: value for name, value in fields.items() if value})


# A page has some twenty URLs with the same long facts.
_quoted = lru_cache(maxsize=16)(quote_plus)


def as_data(settled: Settlement, address: Callable[[str], str]) -> dict[str, Any]:
    """A settlement as data for JSON.

    Args:
        settled: the settlement.
        address: makes a URL from a path.
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
