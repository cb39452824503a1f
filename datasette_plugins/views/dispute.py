"""A dispute: what happened goes in, and each code's provision that decides it comes out, with where to cite it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from urllib.parse import urlencode

from datasette_plugins.page import PageRequest, TemplateResponse
from datasette_plugins.present import REASONS
from datasette_plugins.shared import Works, club, shortened, works
from kb.comparison import columns
from kb.comparison import treatment as comparison
from kb.comparison.answers import questions_of, twins
from kb.comparison.ruling import digests
from kb.dispute.adjudication import Adjudication, Finding
from kb.dispute.excerpt import index_for
from kb.dispute.hearing import hear
from kb.dispute.issues import Issue
from kb.dispute.opinion import Holding, holdings
from kb.read import cite, queries
from kb.read.domain import domain
from kb.read.rows import UnitRow

# A player types a few lines; what is longer is no question, and an address could not hold it.
MOST_LETTERS = 2000
_CANDIDATES = 3
_REASONS = 2
_TELLING = 0.1  # a reason that has less of the score is none


@dataclass(frozen=True, slots=True)
class Opinion:
    """What one code says to a dispute.

    `best` is none if nothing in the code is like it; `decided` tells whether it is what decides, or only the nearest.
    `reasons` says in words why it is there, `again` names the code before it whose words these are.
    """

    code: str
    decided: bool
    best: Holding | None = None
    reasons: tuple[str, ...] = ()
    citation: str = ""
    again: str = ""
    others: tuple[Holding, ...] = ()
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True, slots=True)
class Heard:
    """An issue of a dispute and what the codes say to it: `asked` in its own words, "" if nothing else is asked.

    `put` has the facts too, `faint` tells that little is like it, `held` what the provisions found hold.
    """

    asked: str
    put: str
    faint: bool
    opinions: tuple[Opinion, ...]
    held: dict[str, Holding]


def dispute(conn: sqlite3.Connection, request: PageRequest) -> TemplateResponse:
    """What decides a dispute `q`, in the code `code` or in all of them; without a dispute, the form."""
    catalogue, about = works(conn), domain(conn)
    chosen, notes = club(request, catalogue)
    typed = request.get("q")
    text = typed[:MOST_LETTERS].strip()
    if len(typed) > MOST_LETTERS:
        notes.append(f"Only the first {MOST_LETTERS:,} letters were read; say it in fewer.")
    asked = [chosen] if chosen else []
    hearing = hear(index_for(conn, text, asked), text, codes=asked, limit=_CANDIDATES) if text else None
    heard = [_heard(conn, issue, found, catalogue, chosen) for issue, found in (hearing.heard if hearing else ())]
    near = [facet for _, found in (hearing.heard if hearing else ()) for facet, _ in found.facets]
    questions = questions_of(conn, near)
    likest = hearing.cases if hearing else ()
    told = digests(conn, (case for case, _ in likest))
    cases = [(unit, told.get(unit.id)) for unit in _in_order(conn, likest)]
    topics = [t for t in comparison.topics(conn) if hearing and t.id in hearing.topics]
    limits = {"code": chosen} if chosen else {}
    kept = replace(request, args={k: [v] for k, v in (("q", text), ("code", chosen)) if v})
    purpose = f"{about.dispute.label}, and get the {about.provision.singular} that decides it."
    context = {
        "q": text,
        "works": catalogue,
        "club": chosen,
        "notes": notes,
        "heard": heard,
        "topics": topics,
        "questions": list(questions.values()),
        "cases": cases,
        "ruling_address": ruling_address,
        "examples": [(e, "/dispute?" + urlencode({"q": e} | limits)) for e in about.examples.dispute],
        "most": MOST_LETTERS,
    }
    data = {
        "query": text,
        "code": chosen or None,
        "notes": notes,
        "issues": [_issue(issue, catalogue, request) for issue in heard],
        "topics": [{"id": t.id, "label": t.label, "url": request.absolute(f"/compare/{t.id}")} for t in topics],
        "questions": [
            {"id": q.id, "label": q.label, "verdict": q.verdict, "url": request.absolute(f"/compare/{q.page}")}
            for q in questions.values()
        ],
        "cases": [
            {"id": unit.id, "url": request.absolute(f"/{unit.id}"), "facts": digest.facts if digest else None,
             "decision": digest.decision if digest else None}
            for unit, digest in cases
        ],
    }  # fmt: skip
    title = f"Dispute: {shortened(text)}" if text else "Settle a dispute"
    return TemplateResponse("dispute", title, "/dispute", data, context, purpose, query=kept.query())


def ruling_address(unit_id: str, facts: str, chosen: str) -> str:
    """The address of the ruling by a provision."""
    fields = {"q": facts, "unit": unit_id, "code": chosen}
    return "/ruling?" + urlencode({name: value for name, value in fields.items() if value})


def _heard(conn: sqlite3.Connection, issue: Issue, found: Adjudication, catalogue: Works, chosen: str) -> Heard:
    """What the code chosen says, or each, or where there is no room for all those that have the likest provisions."""
    every = tuple(catalogue.codes.values())
    few = columns.has_room(every)
    likest = {} if few or chosen else {c.id: its[0].score for c in every if (its := found.of(c.id))}
    codes = [c.id for c in columns.side_by_side(every, likest, [chosen] if chosen else ())]
    findings = found.findings if few else [f for code in codes for f in found.of(code)]
    held = holdings(conn, ((f.id, f.facet) for f in findings))
    opinions = tuple(_opinions(conn, found, held, codes)) if found.findings else ()
    return Heard(issue.asked, issue.put, found.faint, opinions, held)


def _opinions(
    conn: sqlite3.Connection, found: Adjudication, held: dict[str, Holding], codes: Sequence[str]
) -> Iterator[Opinion]:
    """What each code says."""
    before: dict[str, Holding] = {}
    for code in codes:
        findings = found.of(code)
        if not findings:
            yield Opinion(code, decided=False)
            continue
        best, decided = held[findings[0].id], code not in found.undecided
        yield Opinion(
            code,
            decided,
            best,
            () if found.faint else _reasons(findings[0]),
            cite.plain(cite.cited(conn, best.pinpoint)),
            next((other for other, its in before.items() if _double(its, best)), ""),
            tuple(held[f.id] for f in findings[1:]),
            findings,
        )
        if decided:
            before[code] = best


def _double(one: Holding, other: Holding) -> bool:
    """Whether two provisions answer the same question in nearly the same words."""
    return one.question is not None and one.question == other.question and twins(one.answer, other.answer)


def _reasons(finding: Finding) -> tuple[str, ...]:
    """The strongest kinds of evidence in words, each once."""
    said = dict.fromkeys(REASONS[kind] for kind, share in finding.why if share >= _TELLING)
    return tuple(said)[:_REASONS]


def _in_order(conn: sqlite3.Connection, cases: Iterable[tuple[str, float]]) -> list[UnitRow]:
    ids = [case for case, _ in cases]
    units = queries.units(conn, ids)
    return [units[i] for i in ids if i in units]


def _issue(issue: Heard, catalogue: Works, request: PageRequest) -> dict[str, object]:
    return {
        "asked": issue.asked or None,
        "put": issue.put,
        "faint": issue.faint,
        "opinions": [
            {
                "code": opinion.code,
                "decided": opinion.decided,
                "citation": opinion.citation or None,
                "reasons": opinion.reasons,
                "findings": [_finding(f, issue.held[f.id], catalogue, request, issue.put) for f in opinion.findings],
            }
            for opinion in issue.opinions
        ],
    }


def _finding(finding: Finding, held: Holding, catalogue: Works, request: PageRequest, facts: str) -> dict[str, object]:
    return {
        "id": finding.id,
        "url": request.absolute(f"/{finding.id}"),
        "title": catalogue.title(held.unit),
        "score": finding.score,
        "why": finding.why,
        "question": held.question.id if held.question else None,
        "answer": held.answer.summary if held.answer else None,
        "pinpoint": held.pinpoint.id,
        "deciding": [words for _, words in held.answer.deciding] if held.answer else [],
        "gloss": held.gloss,
        "ruling": request.absolute(ruling_address(finding.id, facts, "")),
    }
