"""A dispute: from a description of what happened to each code's provision that decides it, with its citation."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Annotated, Any
from urllib.parse import urlencode

from datasette_plugins.arguments import club, shortened
from datasette_plugins.catalogue import works
from datasette_plugins.endpoint import PageRequest
from datasette_plugins.page import As, CaseListed, Named, Notes, Page, Shape, Shown, says
from kb.dispute.settlement import Settlement, as_data, ruling_address, settle
from kb.read.domain import domain

# In characters. A player types a few lines; a longer text is not a question, and does not fit into a URL.
MOST_LETTERS = 2000
_CANDIDATES = 3


class Finding(Shape):
    """A provision that may decide a dispute; `why` has the kinds of evidence with their shares."""

    id: str
    url: str
    title: str
    score: float
    why: tuple[tuple[str, float], ...]
    question: str | None
    answer: str | None
    pinpoint: str
    deciding: tuple[str, ...]
    gloss: str | None
    ruling: str


class Opinion(Shape):
    """What a code says on a dispute; citation and reasons are those of its first finding.

    `silent_on` is the question that seems to be asked, if the editor found no answer to it in the code.
    """

    code: str
    decided: bool
    citation: str | None
    reasons: tuple[str, ...]
    silent_on: str | None
    findings: tuple[Finding, ...]


class BranchAnswer(Shape):
    """What a code answers to the question of a branch; a code without provisions is silent."""

    summary: str
    cites: tuple[str, ...]


class Branch(Shape):
    """An answer to an open fact (`fact` in the URL), the id of the question that it selects, and what the codes say.

    `result` is the outcome under this answer, if several answers select one question.
    """

    words: str
    question: str
    fact: str
    result: str | None
    chosen: bool
    codes: dict[str, BranchAnswer]


class Depends(Shape):
    """A fact that was not stated and decides which question is asked, with its possible answers."""

    fact: str
    answers: tuple[Branch, ...]


class Presented(Shape):
    """One issue of a dispute: what is asked (null if nothing else is), the same with its facts, and the answers.

    It is faint if little in the codes is similar, so that the findings may be beside the point; unruled if it is
    clearly something on which no code rules.
    """

    asked: str | None
    put: str
    faint: bool
    unruled: bool
    depends: Depends | None
    opinions: tuple[Opinion, ...]


class Asked(Named):
    """A question of a topic that is similar to the dispute."""

    verdict: str | None
    url: str


class TopicNamed(Named):
    """A topic, and the URL of the page that compares the codes on it."""

    url: str


class Dispute(Page, template="dispute", at=["/dispute.json?q=WORDS"], asks={"code": "only this code, by id"}):
    """What each code says on a dispute."""

    query: str = says("what happened, as it was read")
    code: str | None = says("id of the code chosen (?code=ID), or null for all")
    notes: Notes
    respelt: dict[str, str] = says("words that no book has, each with the one for which it was read")
    issues: Annotated[Any, As(tuple[Presented, ...])] = says(
        "what is asked, one by one, with what each code says (of many, the likest)"
    )
    topics: Annotated[Any, As(tuple[TopicNamed, ...])] = says("topics on what the dispute speaks of")
    questions: Annotated[Any, As(tuple[Asked, ...])] = says("the nearest questions of topics")
    cases: Annotated[Any, As(tuple[CaseListed, ...])] = says("the likest cases")
    settled: Shown[Settlement]
    examples: Shown[Sequence[tuple[str, str]]]
    most: Shown[int] = MOST_LETTERS
    ruling_address: Shown[Callable[..., str]] = ruling_address
    with_fact: Shown[Callable[[str], str]]


def dispute(conn: sqlite3.Connection, request: PageRequest) -> Dispute:
    """Find what decides a dispute `q`, in the code `code` or in all of them; without a dispute, show the form.

    `fact` is the name of the answer that the reader chose when the page codes back for a fact.
    """
    about = domain(conn)
    chosen, notes = club(request, works(conn))
    typed = request.get("q")
    text = typed[:MOST_LETTERS].strip()
    if len(typed) > MOST_LETTERS:
        notes.append(f"Only the first {MOST_LETTERS:,} letters were read; say it in fewer.")
    codes = [chosen] if chosen else []
    fact = request.get("fact")
    settled = settle(conn, text, codes, _CANDIDATES, fact) if text else Settlement({}, (), (), (), ())
    chosen_fact = fact if any(i.depends and i.depends.chosen for i in settled.heard) else ""
    notes += [f"“{word}” was read as “{other}”." for word, other in settled.respelt.items()]
    limits = {"code": chosen} if chosen else {}
    canonical = replace(request, args={k: [v] for k, v in (("q", text), ("code", chosen), ("fact", chosen_fact)) if v})
    return Dispute(
        url="/dispute" + canonical.query(),
        title=f"Dispute: {shortened(text)}" if text else "Settle a dispute",
        description=f"{about.dispute.label}, and get the {about.provision.singular} that decides it.",
        club=chosen,
        query=text,
        code=chosen or None,
        notes=notes,
        settled=settled,
        examples=[(e, "/dispute?" + urlencode({"q": e} | limits)) for e in about.examples.dispute],
        with_fact=lambda fact: "/dispute?" + urlencode({"q": text} | limits | ({"fact": fact} if fact else {})),
        **as_data(settled, request.absolute),
    )
