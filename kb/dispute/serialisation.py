"""A settled dispute as data for JSON, and the address of each ruling."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any
from urllib.parse import quote_plus, urlencode

from kb.dispute.adjudication import Finding
from kb.dispute.opinion import Holding
from kb.dispute.settlement import IssueResult, OpenFact, Settlement
from kb.read import cite


def ruling_address(unit_id: str, facts: str, chosen: str = "", answers: Sequence[str] = ()) -> str:
    """The path and query of the page with the ruling under a provision.

    Args:
        facts: what happened.
        chosen: the id of the code that the user chose, if any.
        answers: the names of the user's answers to follow-up questions.
    """
    fields = {"unit": unit_id, "code": chosen, "fact": answers}
    query = f"q={_quoted(facts)}&" if facts else ""
    return f"/ruling?{query}" + urlencode({name: value for name, value in fields.items() if value}, doseq=True)


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
            {"id": c.unit.id, "url": address(f"/{c.unit.id}"), "facts": c.facts, "decision": c.decision}
            for c in settled.cases
        ],
    }


def _issue(issue: IssueResult, address: Callable[[str], str]) -> dict[str, object]:
    return {
        "asked": issue.question or None,
        "put": issue.with_facts,
        "faint": issue.faint,
        "unruled": issue.unruled,
        "which": fact_as_data(issue.which) if issue.which else None,
        "depends": fact_as_data(issue.depends) if issue.depends else None,
        "opinions": [
            {
                "code": opinion.code,
                "decided": opinion.decided,
                "citation": opinion.citation or None,
                "reasons": opinion.reasons,
                "silent_on": opinion.silent_on.id if opinion.silent_on else None,
                "elsewhere": [
                    {"id": held.unit.id, "url": address(f"/{held.unit.id}"), "title": cite.title(held.unit),
                     "question": held.question.id if held.question else None,
                     "answer": held.answer.summary if held.answer else None}
                    for held in opinion.elsewhere
                ],
                "findings": [_finding(f, issue.held[f.id], address, issue) for f in opinion.findings],
            }
            for opinion in issue.opinions
        ],
    }  # fmt: skip


def fact_as_data(asked: OpenFact) -> dict[str, object]:
    """A follow-up question as data for JSON."""
    return {
        "fact": asked.fact,
        "answers": [
            {"words": branch.answer.words, "question": branch.question.id, "fact": branch.answer.name,
             "result": branch.answer.result or None, "chosen": branch.chosen,
             "codes": {a.code: {"summary": a.summary, "cites": a.cites} for a in branch.question.answers.values()}}
            for branch in asked.branches
        ],
    }  # fmt: skip


def _finding(finding: Finding, held: Holding, address: Callable[[str], str], issue: IssueResult) -> dict[str, object]:
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
        "ruling": address(ruling_address(finding.id, issue.with_facts, answers=issue.facts)),
    }
