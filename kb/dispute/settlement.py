"""Settle a dispute: what each code says on each issue, with everything that a page shows of it."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain

from kb.comparison.answers import Question, questions_of
from kb.comparison.cases import Case, by_question, cases
from kb.comparison.table import chosen_codes
from kb.comparison.topics import topics
from kb.dispute.adjudication import Adjudication, Finding, adjudicate
from kb.dispute.distinction import Distinction, FactAnswer, as_answer, distinctions, facts_given, left_open
from kb.dispute.hearing import Hearing, correct_words, hear
from kb.dispute.index import index_of
from kb.dispute.issues import Issue
from kb.dispute.opinion import Holding, answering, holdings
from kb.read import cite, queries
from kb.read.domain import domain
from kb.read.rows import TopicRow

# Share of the best score: other provisions that have less are not listed. Of those, 6 in 402 decided a dispute of the
# tuning set.
_ALTERNATIVE = 0.7
_REASONS = 2
_CASES = 3
_SILENT = ("silent", "not printed")
_LEAST_SHARE = 0.1  # evidence with less of the score is not given as a reason
_NEAR = 0.2  # the least probability of a question that may be meant
REASONS = {
    "words": "it has words that you use",
    "spoken": "it is about the things that you mention",
    "question": "it answers the question that you seem to ask",
    "learnt": "similar questions from players lead to it",
    "case": "it decided a similar case",
    "counterpart": "its counterparts in the other codes fit too",
}  # fmt: skip
"""The reason to show for each kind of evidence (`kb.dispute.evidence.KINDS`)."""


@dataclass(frozen=True, slots=True)
class Opinion:
    """What one code says on an issue.

    `decided` is whether its likeliest provision, `best`, decides the issue; if not, `best` is on something else, and
    None if it is far from it. `reasons` states why it was found; `again` is a code listed before this with nearly the
    same words. `silent_on` is the likeliest question, if the editor found no answer to it in the code; `elsewhere` has
    the texts that answer it, if no provision does (an introduction, a definition).
    """

    code: str
    decided: bool
    best: Holding | None = None
    reasons: tuple[str, ...] = ()
    citation: str = ""
    same_words_as: str = ""
    others: tuple[Holding, ...] = ()
    findings: tuple[Finding, ...] = ()
    silent_on: Question | None = None
    elsewhere: tuple[Holding, ...] = ()


@dataclass(frozen=True, slots=True)
class Branch:
    """An answer to a follow-up question: the question that is then put to the codes, and whether the user chose it."""

    answer: FactAnswer
    question: Question
    chosen: bool

    def result_in(self, code: str) -> str:
        """What follows in a code; "" if its answer to the question says so, or it has none."""
        everywhere = self.answer.results.get("", "") if self.question.state(code) == "answered" else ""
        return self.answer.results.get(code) or everywhere

    def outcome_in(self, code: str) -> object:
        """What distinguishes its result in a code from those of other branches; None if no rule follows."""
        answer = self.question.answers.get(code)
        stated = self.result_in(code)
        return stated or ((self.question.id, answer.rule) if answer and not answer.silent else None)


@dataclass(frozen=True, slots=True)
class OpenFact:
    """A fact that the user did not state, as a follow-up question: it decides which question is meant."""

    fact: str
    branches: tuple[Branch, ...]

    @property
    def chosen(self) -> Branch | None:
        """The answer that the user chose; None if none was chosen."""
        return next((branch for branch in self.branches if branch.chosen), None)

    def matters_in(self, codes: Iterable[str]) -> bool:
        """Whether the answers to it have different results in one of the codes."""
        return any(len({branch.outcome_in(code) for branch in self.branches}) > 1 for code in codes)


@dataclass(frozen=True, slots=True)
class IssueResult:
    """An issue of a dispute and what the codes say on it.

    `asked` is the question itself, "" if the dispute has only this issue; `put` is the question with its facts. `faint`
    is whether the evidence is weak, `unruled` whether clearly no code rules on it. `held` has the holdings of the
    provisions found, by id; `which` has the questions that may be meant, if that is not clear, as a follow-up question;
    `depends` is the unstated fact on which it depends.
    """

    question: str
    with_facts: str
    faint: bool
    unruled: bool
    opinions: tuple[Opinion, ...]
    held: Mapping[str, Holding]
    which: OpenFact | None = None
    depends: OpenFact | None = None

    @property
    def followed_up(self) -> tuple[OpenFact, ...]:
        """The follow-up questions."""
        return tuple(filter(None, (self.which, self.depends)))

    @property
    def facts(self) -> tuple[str, ...]:
        """The names of the answers that the user chose to the follow-up questions."""
        return tuple(asked.chosen.answer.name for asked in self.followed_up if asked.chosen)


@dataclass(frozen=True, slots=True)
class Settlement:
    """What the codes say on a dispute.

    Attributes:
        respelt: the words that were replaced, because they are everyday or misspelt ones, with their replacements.
        heard: the issues; they have no opinions if nothing was found or the text is about another subject.
        topics: the topics that it names or is about.
        questions: the nearest questions of topics.
        cases: cases that turned on a question that may be meant, the most similar first.
        ignored: the names given as answers to follow-up questions that are not asked.
        differing: of the questions that may be meant, those on which the codes shown lay down different rules.
        off_topic: whether it clearly is about another subject.
    """

    respelt: Mapping[str, str]
    heard: tuple[IssueResult, ...]
    topics: tuple[TopicRow, ...]
    questions: tuple[Question, ...]
    cases: tuple[Case, ...]
    ignored: tuple[str, ...] = ()
    differing: tuple[Question, ...] = ()
    off_topic: bool = False

    @property
    def branches(self) -> tuple[Branch, ...]:
        """The answers to all follow-up questions."""
        return tuple(branch for issue in self.heard for asked in issue.followed_up for branch in asked.branches)

    @property
    def chosen(self) -> tuple[FactAnswer, ...]:
        """The answers that the user chose, one for each fact."""
        return tuple({b.answer.fact: b.answer for b in self.branches if b.chosen}.values())


def settle(
    conn: sqlite3.Connection, told: str, codes: Collection[str] = (), limit: int = 3, facts: Collection[str] = ()
) -> Settlement:
    """Settle a dispute.

    Args:
        conn: the knowledge base.
        told: what happened and what is asked, in free text.
        codes: the ids of the codes wanted; if none are given, all, or those that match best in a large library.
        limit: the most provisions to return of each code.
        facts: the names of the answers (`FactAnswer.name`) that the user chose to follow-up questions; each applies to
            the issues that leave that fact open.
    """
    index = index_of(conn)
    read, respelt = correct_words(index, told, domain(conn).terms)
    hearing = hear(index, read, codes=codes, limit=limit)
    heard: list[IssueResult] = []
    near: dict[str, Question] = {}
    meant: list[str] = []
    given = {answer.fact: answer for answer in facts_given(conn, facts)}
    for issue, found in hearing.heard:
        again = partial(adjudicate, index, issue.with_facts, stressed=issue.question, codes=codes, limit=limit)
        which = open_question(conn, issue, found.candidates, facts) if found.unclear else None
        if which and which.chosen:
            found = again(facet=which.chosen.question.id)
        depends = left_open(distinctions(conn), issue.with_facts, found)
        if depends and not open_fact(conn, depends).matters_in(codes or index.of_code):
            depends = None
        said = depends.answered(given.get(depends.fact)) if depends else None
        if which and not which.chosen and depends:
            selected = {answer.facet for answer in depends.answers} | depends.depending
            which = None if said or selected.issuperset(found.candidates[:2]) else which
        if said:
            found = again(facet=said.facet)
        questions = questions_of(conn, [facet for facet, _ in found.facets])
        near |= questions
        meant += [facet for facet, share in found.facets if share >= _NEAR and not found.faint]
        likeliest = None if found.unruled or not found.facets else questions[found.facets[0][0]]
        unstated = open_fact(conn, depends, said) if depends else None
        heard.append(_heard(conn, issue, found, codes, likeliest, which, unstated))
    chosen = [asked.chosen.answer for issue in heard for asked in issue.followed_up if asked.chosen]
    names = {answer.name for answer in chosen}
    used = {(answer.fact, answer.words) for answer in chosen}
    named = _topics_of(hearing, meant)
    return Settlement(
        respelt,
        tuple(heard),
        tuple(t for t in topics(conn) if t.id in named),
        tuple(near.values()),
        _similar_cases(conn, hearing.cases, meant),
        tuple(
            name
            for name in facts
            if name not in names and used.isdisjoint((a.fact, a.words) for a in facts_given(conn, [name]))
        ),
        tuple(near[facet] for facet in near if facet in meant and _differ(near[facet], heard[0].opinions)),
        hearing.off_topic,
    )


def _topics_of(hearing: Hearing, meant: Iterable[str]) -> Collection[str]:
    """The topics that a dispute names, by id; if it is clear which questions are `meant`, only theirs."""
    of_questions = {facet.partition("/")[0] for facet in meant}
    if hearing.unclear or not of_questions:
        return hearing.topics
    return of_questions.intersection(hearing.topics) or of_questions


def _similar_cases(conn: sqlite3.Connection, similar: Sequence[str], meant: Iterable[str]) -> tuple[Case, ...]:
    """The first few cases that turned on a question that is `meant`, the most similar first.

    If no case has a question, as in a library that no editor has worked on, similarity alone counts.
    """
    turned = by_question(conn)
    known = chain.from_iterable(turned.get(facet, ()) for facet in meant) if turned else cases(conn)
    place = {case: at for at, case in enumerate(similar)}
    found = {case.unit.id: case for case in known if turned or case.unit.id in place}
    return tuple(sorted(found.values(), key=lambda case: place.get(case.unit.id, len(place))))[:_CASES]


def open_fact(conn: sqlite3.Connection, depends: Distinction, said: FactAnswer | None = None) -> OpenFact:
    """An unstated fact with the question that each answer to it selects; `said` is the answer that the user chose."""
    questions = questions_of(conn, [answer.facet for answer in depends.answers])
    branches = (Branch(answer, questions[answer.facet], answer == said) for answer in depends.answers)
    return OpenFact(depends.fact, tuple(branches))


def open_question(
    conn: sqlite3.Connection, issue: Issue, candidates: Sequence[str], facts: Collection[str]
) -> OpenFact:
    """The questions that may be meant, as a follow-up question; `facts` has the name of the one that the user chose."""
    asked = (
        f"Which of these is the question in “{issue.question}”?"
        if issue.question
        else "Which of these is your question?"
    )
    answers = [(question, as_answer(question, asked)) for question in questions_of(conn, candidates).values()]
    return OpenFact(asked, tuple(Branch(answer, question, answer.name in facts) for question, answer in answers))


def _heard(
    conn: sqlite3.Connection,
    issue: Issue,
    found: Adjudication,
    chosen: Collection[str],
    likeliest: Question | None,
    which: OpenFact | None,
    depends: OpenFact | None,
) -> IssueResult:
    """What the codes say: those chosen, else all."""
    codes = [c.id for c in chosen_codes(queries.codes(conn), chosen)]
    held = holdings(conn, [(f.id, f.facets) for code in codes for f in found.of(code)])
    opinions = tuple(_opinions(conn, found, held, codes, likeliest)) if found.findings or likeliest else ()
    # Weak provisions do not matter if the codes are silent on a question that is clearly meant, or answer it elsewhere.
    faint = found.faint and (found.unrecognised or any(opinion.decided for opinion in opinions))
    return IssueResult(issue.question, issue.with_facts, faint, found.unruled, opinions, held, which, depends)


def _opinions(
    conn: sqlite3.Connection,
    found: Adjudication,
    held: Mapping[str, Holding],
    codes: Sequence[str],
    likeliest: Question | None,
) -> Iterator[Opinion]:
    """What each code says on an issue; `likeliest` is the question that is probably meant."""
    index, earlier = index_of(conn), dict[str, Holding]()
    for code in codes:
        findings = found.of(code)
        silent_on = likeliest if likeliest and likeliest.state(code) in _SILENT else None
        beside = bool(likeliest and index.mute[code][index.facets[likeliest.id]])
        elsewhere = answering(conn, likeliest, code) if likeliest and beside else ()
        citation = "; ".join(cite.plain(cite.cited(conn, text.unit)) for text in elsewhere)
        if not findings:
            yield Opinion(code, decided=False, citation=citation, silent_on=silent_on, elsewhere=elsewhere)
            continue
        best, decided = held[findings[0].id], code not in found.undecided and not elsewhere
        yield Opinion(
            code,
            decided,
            best if decided or _is_near(found, findings[0], best, likeliest) else None,
            () if found.faint else _reasons(findings[0]),
            citation or cite.plain(cite.cited(conn, best.pinpoint)),
            next((other for other, its in earlier.items() if _same_answer(its, best)), ""),
            tuple(held[f.id] for f in findings[1:] if f.score >= _ALTERNATIVE * findings[0].score),
            findings,
            None if decided else silent_on,
            elsewhere,
        )
        if decided:
            earlier[code] = best


def _is_near(found: Adjudication, finding: Finding, held: Holding, likeliest: Question | None) -> bool:
    """Whether a provision that does not decide is likely enough to show, and on the topic of the question meant."""
    if found.unruled or finding.faint:
        return False
    topics = {question.id.partition("/")[0] for question in (likeliest, held.question) if question}
    return likeliest is None or (held.question is not None and len(topics) == 1)


def _differ(question: Question, shown: Iterable[Opinion]) -> bool:
    """Whether some of the codes shown answer a question by different rules."""
    answers = (question.answers.get(opinion.code) for opinion in shown)
    return len({answer.rule for answer in answers if answer and not answer.silent}) > 1


def _same_answer(one: Holding, other: Holding) -> bool:
    """Whether two provisions answer the same question in nearly the same words."""
    same = one.question is not None and one.question == other.question
    return same and one.answer is not None and one.answer.is_twin_of(other.answer)


def _reasons(finding: Finding) -> tuple[str, ...]:
    """The reasons to show for the strongest kinds of evidence, without duplicates."""
    reasons = dict.fromkeys(REASONS[kind] for kind, share in finding.why if share >= _LEAST_SHARE)
    return tuple(reasons)[:_REASONS]
