"""A ruling on a dispute under one provision: the facts, the law, what it orders, earlier decisions, the other codes."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from extract.corpus.domain import Domain
from kb.comparison.answers import State
from kb.comparison.cases import by_question
from kb.comparison.marking import TextPiece
from kb.comparison.ruling import AnswerRow, PrecedentRow
from kb.comparison.ruling import ruling as said_of
from kb.dispute.adjudication import likely_questions
from kb.dispute.distinction import Distinction, FactAnswer, distinctions, facts_given, question_chosen
from kb.dispute.evidence import gather
from kb.dispute.index import Index
from kb.dispute.opinion import Holding, holdings
from kb.dispute.settlement import Branch, OpenFact, open_fact
from kb.read import cite, queries
from kb.read.markdown import escaped
from kb.read.rows import CodeRow, UnitRow, fetch

ANSWERED = "select c.facet_id from cell c join json_each(c.cites) j where c.code_id = ? and j.value = ?"


@dataclass(frozen=True, slots=True)
class Other:
    """What another code answers to the same question, with the provisions it cites and their pinpoints.

    `like` is a code with nearly the same words: the ruling's own or one listed before this; None if there is none.
    """

    code: CodeRow
    state: State
    summary: str
    cites: tuple[tuple[str, str], ...]
    like: CodeRow | None = None


@dataclass(frozen=True, slots=True)
class Ruling:
    """A ruling that can be read out.

    Attributes:
        facts: what happened, as described by the user; may be empty.
        names: the names of the user's answers to follow-up questions that count.
        depends: facts that the description does not state and on which the question depends; first those that the user
            gave in answer to follow-up questions.
        places: the pinpoints of the provisions that the answers to these facts lead to, by id.
        holding: the provision, and what it decides on these facts.
        answers: the other questions that the provision, or the paragraph of it, answers for its code, those nearest to
            the facts first.
        precedents: the cases that turned on it, or on the question, those most similar to the facts first.
        cases: the units of these cases, by id.
        others: what the other codes answer, oldest first.
        verdict: what changed between the codes, in a line.
    """

    facts: str
    names: frozenset[str]
    depends: tuple[OpenFact, ...]
    places: Mapping[str, str]
    holding: Holding
    answers: tuple[AnswerRow, ...]
    precedents: tuple[PrecedentRow, ...]
    cases: Mapping[str, UnitRow]
    others: tuple[Other, ...]

    @property
    def given(self) -> tuple[OpenFact, ...]:
        """The facts that the user gave in answer to follow-up questions."""
        return tuple(asked for asked in self.depends if asked.chosen)

    @property
    def open(self) -> tuple[OpenFact, ...]:
        """The facts on which it depends and that nobody gave."""
        return tuple(asked for asked in self.depends if not asked.chosen)

    @property
    def verdict(self) -> str:
        """What changed between the codes, in a line; empty if the editor has not written it."""
        return self.holding.question.verdict if self.holding.question else ""


def rule(
    conn: sqlite3.Connection, index: Index, facts: str, unit: UnitRow, given: Collection[str] = ()
) -> Ruling | None:
    """Rule on a dispute under a provision.

    Args:
        index: the index of the same knowledge base.
        facts: what happened; may be empty.
        unit: the provision, or a paragraph of it.
        given: the names of the answers (`FactAnswer.name`) that the user gave to follow-up questions; the first on a
            fact, or else the question itself, selects the question that is meant. Those on a fact that the description
            states are left out.
    Returns:
        The ruling; None if the unit is not a provision of a code or a part of one.
    """
    whole = next((u for u in _upward(conn, unit) if u.id in index.provisions), None)
    if whole is None:
        return None
    untold = tuple(each for each in distinctions(conn) if not each.is_told(facts))
    said = tuple(answer for answer in facts_given(conn, given) if any(answer in each.answers for each in untold))
    chosen = question_chosen(given, index.facets)
    evidence = gather(index, facts, facet=said[0].facet if said else chosen.partition(":")[0])
    # A paragraph that answers questions itself is ruled on for those alone.
    own = fetch(conn, str, ANSWERED, (whole.code_id, unit.id)) if unit.id != whole.id else ()
    facets = likely_questions(index, evidence, own or index.answered.get(whole.id, ()))
    holding = holdings(conn, [(whole.id, facets)])[whole.id]
    pinpoint = holding.pinpoint if holding.answer else unit
    part = unit if own else pinpoint
    answers, precedents = said_of(conn, part).answers, said_of(conn, whole).precedents
    if part.id != whole.id:  # of the cases on other paragraphs, only those on the same question count
        alike = {case.unit.id for case in by_question(conn).get(holding.question.id if holding.question else "", ())}
        precedents = tuple(row for row in precedents if part.id in row.on or row.case in alike)
    depends = _depends(conn, untold, holding.question.id if facts and holding.question else "", said, whole.work)
    similarity = dict(zip(index.cases, evidence.cases.tolist(), strict=True))
    return Ruling(
        facts,
        frozenset((chosen, *(answer.name for answer in said))),
        depends,
        _places(conn, depends, whole.code_id or ""),
        replace(holding, pinpoint=pinpoint, gloss=said_of(conn, pinpoint).gloss),
        tuple(
            a
            for a in sorted(answers, key=lambda a: -evidence.facets[index.facets[a.facet_id]])
            if a.facet_id not in facets[:1]
        ),
        tuple(sorted(precedents, key=lambda row: -similarity.get(row.case, 0.0))),
        queries.units(conn, (row.case for row in precedents)),
        tuple(_others(conn, holding)),
    )


def _depends(
    conn: sqlite3.Connection, untold: Iterable[Distinction], question: str, said: Iterable[FactAnswer], code: str
) -> tuple[OpenFact, ...]:
    """The facts that the user gave, and those open on which a question depends in a code; `untold` has all of both."""
    known = {}
    for answer in said:
        known[answer.fact] = open_fact(conn, next(each for each in untold if answer in each.answers), answer)
    for each in untold:
        if question in each.depending and each.fact not in known and (fact := open_fact(conn, each)).matters_in([code]):
            known[each.fact] = fact
    return tuple(known.values())


def _places(conn: sqlite3.Connection, depends: tuple[OpenFact, ...], code: str) -> Mapping[str, str]:
    """The pinpoints of the provisions on which a code's answers to the questions of open facts rest, by id."""
    answers = (branch.question.answers.get(code) for each in depends for branch in each.branches)
    return cite.pinpoints(conn, queries.units(conn, {i for a in answers if a for i in a.cites}).values())


def _upward(conn: sqlite3.Connection, unit: UnitRow) -> Iterator[UnitRow]:
    """A unit and the units that contain it, from the inside out."""
    above: UnitRow | None = unit
    while above:
        yield above
        above = queries.find_unit(conn, above.parent_id) if above.parent_id else None


def _others(conn: sqlite3.Connection, holding: Holding) -> Iterator[Other]:
    question = holding.question
    if question is None:
        return
    cited = queries.units(conn, {i for answer in question.answers.values() for i in answer.cites})
    pinpoints = cite.pinpoints(conn, cited.values())
    codes = {code.id: code for code in queries.codes(conn)}
    before = [code for code in codes.values() if code.id == holding.unit.code_id]
    for code in codes.values():
        if code.id == holding.unit.code_id:
            continue
        answer = question.answers.get(code.id)
        cites = tuple((i, pinpoints[i]) for i in (answer.cites if answer else ()) if i in pinpoints)
        like = next((c for c in before if cites and question.twins(code.id, c.id)), None)
        yield Other(code, question.state(code.id), answer.summary if answer else "", cites, like)
        before.append(code)


def as_markdown(ruling: Ruling, work: str, citation: str, address: Callable[[str], str], about: Domain) -> str:
    """Write a ruling as Markdown.

    Args:
        work: the name of the code.
        citation: the full citation of the provision.
        address: makes an absolute URL from a path.
        about: the library's own words for provisions and codes.
    """
    held = ruling.holding
    lines = [f"# {escaped(work)}, {cite.title(held.pinpoint)}", ""]
    lines += (
        ["## The facts", "", *(f"> {escaped(line)}" for line in ruling.facts.splitlines()), ""] if ruling.facts else []
    )
    lines += [f"- *{escaped(each.fact)}* {escaped(each.chosen.answer.words)}" for each in ruling.given if each.chosen]
    lines += [""] * bool(ruling.given)
    lines += [f"## The {about.provision.singular}", "", *([f"> {escaped(held.opening)}", ">"] if held.opening else [])]
    for block in held.blocks:
        number = f"({block.number}) " if block.number else ""
        for paragraph in block.paragraphs:
            words = "".join(_marked(piece) for piece in paragraph)
            lines += [f"> {number}{words}", ">"]
            number = ""
    lines += ["", f"{escaped(citation)}. <{address('/' + held.pinpoint.id)}>", ""]
    lines += ["## Answer", ""]
    for each in ruling.given:
        lines += [_follows(each.chosen, ruling), ""] if each.chosen else []
    if held.question and held.answer:
        lines += [f"*{escaped(held.question.label)}* {escaped(held.answer.summary)}", ""]
    for each in ruling.open:
        lines += [f"This depends on a fact that was not stated: *{escaped(each.fact)}*", ""]
        lines += [f"- **{escaped(branch.answer.words)}**: {_follows(branch, ruling)}" for branch in each.branches]
        lines.append("")
    lines += [*(f"- *{escaped(a.facet)}* {escaped(a.summary)}" for a in ruling.answers), ""] if ruling.answers else []
    if ruling.precedents:
        lines += ["## Decisions", ""]
        for row in ruling.precedents:
            digest = f": {escaped(row.facts)} **{escaped(row.decision)}**" if row.facts and row.decision else ""
            lines.append(f"- [{escaped(cite.title(ruling.cases[row.case]))}]({address('/' + row.case)}){digest}")
        lines.append("")
    if ruling.others:
        lines += [
            f"## The other {about.code.several}",
            "",
            *([escaped(ruling.verdict.replace("->", "→")), ""] if ruling.verdict else []),
        ]
        lines += [f"- **{other.code.year}**: {_answer(other, address)}" for other in ruling.others]
    return "\n".join(lines).rstrip() + "\n"


def _follows(branch: Branch, ruling: Ruling) -> str:
    """What follows from an answer to a follow-up question under the code of the ruling."""
    code = ruling.holding.unit.code_id or ""
    answer = branch.question.answers.get(code)
    said = branch.result_in(code) or f"{branch.question.label} {answer.summary if answer else ''}".strip()
    places = ", ".join(ruling.places[i] for i in (answer.cites if answer else ()) if i in ruling.places)
    return escaped(said[:1].upper() + said[1:] + (f" ({places})" if places else ""))


def _marked(piece: TextPiece) -> str:
    text = escaped(piece.text)
    lead, trail = " " * piece.text[:1].isspace(), " " * piece.text[-1:].isspace()
    return f"{lead}**{text}**{trail}" if piece.deciding and text else f"{lead}{text}{trail}" if text else " "


def _answer(other: Other, address: Callable[[str], str]) -> str:
    if other.state != "answered":
        return f"*{other.state}*"
    links = "; ".join(f"[{escaped(pinpoint)}]({address('/' + unit_id)})" for unit_id, pinpoint in other.cites)
    text = f"nearly word for word as in {other.like.year}" if other.like else escaped(other.summary)
    return f"{text} ({links})"
