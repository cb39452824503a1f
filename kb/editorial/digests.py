"""Digests of cases: what happened, what was decided, and which provisions decided it."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Any

from pydantic import Field

from extract.corpus.table import Line, Many, Prose, UnitId
from extract.errors import BookError
from extract.model import Edition, Unit, work_of
from kb.editorial.provisions import EditorFile, ProvisionEntry
from kb.editorial.twins import with_twins

FILE = "digests.toml"


class Digest(ProvisionEntry):
    """A case in two lines, and its outcome under other codes.

    `case` has the id of the case and, if the decision is a unit of its own, that of the decision. `questions` are those
    on which the decision turned, the most decisive first. `otherwise` maps each code with a different result to that
    result, in a sentence; `silent` are codes that do not rule on the point, `open` those whose words leave it
    undecided. Under any other code the result would be the same. `remark` is the editor's note on these outcomes.
    """

    KEY = "case"

    case: Annotated[Many[UnitId], Field(min_length=1, max_length=2)]
    facts: Line
    decision: Line
    applies: Many[UnitId] = ()
    questions: Many[Line] = ()
    otherwise: dict[Line, Line] = Field(default_factory=dict)
    silent: Many[Line] = ()
    open: Many[Line] = ()
    remark: Prose = ""

    @property
    def provisions(self) -> tuple[str, ...]:
        return self.case

    @property
    def subject(self) -> Hashable:
        return self.case[0]


class DigestFile(EditorFile):
    """A digests.toml."""

    digest: Many[Digest] = ()


def case_rows(
    digests: Sequence[Digest],
    editions: Iterable[Edition],
    twin: Mapping[str, str],
    codes: Sequence[str],
    questions: Collection[str],
    unprinted: Collection[tuple[str, str]] = (),
) -> dict[str, list[dict[str, Any]]]:
    """Return the rows of the tables `digest`, `precedent`, `case_question` and `case_outcome`.

    A case with a digest turns on the provisions that the editor names and on their twins; any other case on the
    provisions that it or its decision cites.

    Args:
        digests: the editor's digests.
        editions: the editions, for the cases and their citations.
        twin: the twins of provisions.
        codes: the ids of all codes, the oldest first.
        questions: the ids of all questions.
        unprinted: the questions on which a code is silent because its book omits such rules, each with the code.
    Raises:
        BookError: a digest names a question or a code that does not exist, or a code twice.
    """
    digested = {digest.case[0]: digest for digest in digests}
    turns: dict[tuple[str, str], str] = {}
    for digest in digests:
        turns |= {(digest.case[0], unit_id): "editor" for unit_id in with_twins(digest.applies, twin)}
    for edition in editions:
        units = {unit.id: unit for unit in edition.units}
        for cited in edition.references:
            case, target = _case(units.get(cited.from_unit)), units.get(cited.target_id or "")
            if case and case not in digested and target and target.role in ("provision", "paragraph"):
                turns.setdefault((case, target.id), "machine")
    return {
        "digest": [
            {"unit_id": d.case[0], "facts": d.facts, "decision": d.decision, "remark": d.remark or None}
            for d in digests
        ],
        "precedent": [{"unit_id": c, "target_id": t, "source": source} for (c, t), source in turns.items()],
        "case_question": [
            {"unit_id": d.case[0], "question_id": _known(d, question, questions, "question"), "seq": seq}
            for d in digests
            for seq, question in enumerate(d.questions)
        ],
        "case_outcome": [row for digest in digests for row in _outcomes(digest, codes, unprinted)],
    }


def _outcomes(digest: Digest, codes: Sequence[str], unprinted: Collection[tuple[str, str]]) -> Iterator[dict[str, Any]]:
    """Yield the outcome of a case under each code; nothing if its digest names no questions."""
    named = [*digest.otherwise, *digest.silent, *digest.open]
    states = dict.fromkeys(digest.otherwise, "otherwise")
    states |= dict.fromkeys(digest.silent, "silent") | dict.fromkeys(digest.open, "open")
    if len(states) < len(named):
        raise BookError(f"{FILE}: {digest.case[0]} lists a code twice in `otherwise`, `silent` and `open`; delete one.")
    for code in named:
        _known(digest, code, codes, "code")
    unlisted = [code for code in codes if code not in states]
    applied = [code for code in map(work_of, digest.applies) if code in unlisted]
    deciding = applied[0] if applied else unlisted[0] if len(unlisted) == 1 else None
    if digest.questions:
        for code in codes:
            state = states.get(code, "decided" if code == deciding else "same")
            if state == "silent" and any((question, code) in unprinted for question in digest.questions):
                state = "not printed"
            yield {
                "unit_id": digest.case[0],
                "code_id": code,
                "state": state,
                "words": digest.otherwise.get(code),
            }


def _known(digest: Digest, name: str, names: Collection[str], kind: str) -> str:
    """Return a name that exists; raise a BookError for any other."""
    if name not in names:
        raise BookError(f"{FILE}: {digest.case[0]} names the {kind} {name!r}, which does not exist; correct the id.")
    return name


def _case(unit: Unit | None) -> str | None:
    """Return the id of the case that a unit is or decides; None for any other unit."""
    if unit is None or unit.role not in ("case", "decision"):
        return None
    return unit.parent_id if unit.role == "decision" else unit.id
