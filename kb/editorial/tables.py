"""The tables that the editor's judgements fill; of the cases: what they turn on, and their outcome under each code."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from extract.errors import BookError
from extract.model import Reference, work_of
from kb.editorial.answers import answer_rows
from kb.editorial.faults import faults
from kb.editorial.files import Closed, Digest, Gloss, Link
from kb.editorial.judgements import Judgements, Library, Row, Text
from kb.editorial.links import closed_pairs, link_rows, reprints, with_reprints


def tables(said: Judgements, library: Library) -> dict[str, list[Row]]:
    """Return the rows made from the editor's judgements, by table.

    Args:
        said: the judgements.
        library: what they are about.
    Raises:
        BookError: the files name what does not exist, or quote what is not there; a line for each fault.
    """
    if found := [*dict.fromkeys(faults(said, library))]:
        raise BookError("\n".join(found))
    reprint = reprints(said.reprints, library)
    answers = answer_rows(said, library, reprint)
    unprinted = frozenset((a["question_id"], a["code_id"]) for a in answers["answer"] if a["state"] == "not printed")
    glosses = {entry.said.provision: entry.said.words for entry in said.every(Gloss)}
    of_reprints = {reprint[unit_id]: words for unit_id, words in glosses.items() if unit_id in reprint}
    closed = closed_pairs((entry.said for entry in said.every(Closed)), reprint, library)
    return (
        answers
        | case_rows((entry.said for entry in said.every(Digest)), library, reprint, unprinted)
        | {
            "link": list(link_rows((entry.said for entry in said.every(Link)), reprint, library)),
            "closed": [{"unit_id": unit_id, "code_id": code} for unit_id, code in closed],
            "gloss": [{"unit_id": unit_id, "words": words} for unit_id, words in (of_reprints | glosses).items()],
            "topic_unit": [
                {"topic_id": topic, "unit_id": unit_id, "seq": i}
                for topic, file in said.topics.items()
                for i, unit_id in enumerate(dict.fromkeys(with_reprints(file.members, reprint)))
            ],
        }
    )


def case_rows(
    digests: Iterable[Digest], library: Library, reprint: Mapping[str, str], unprinted: frozenset[tuple[str, str]]
) -> dict[str, list[Row]]:
    """Return the rows of the tables `digest`, `precedent`, `case_question` and `case_outcome`.

    Args:
        digests: the editor's digests, without faults.
        library: what they are about.
        reprint: the reprints of provisions: a case turns on these too.
        unprinted: the questions on which a code is silent because its book omits such rules, each with the code.
    """
    rows: dict[str, list[Row]] = {"digest": [], "precedent": [], "case_question": [], "case_outcome": []}
    for digest in digests:
        case = {"unit_id": digest.case[0]}
        rows["digest"].append(
            case | {"facts": digest.facts, "decision": digest.decision, "remark": digest.remark or None}
        )
        rows["precedent"] += (
            case | {"target_id": unit_id, "source": "editor"}
            for unit_id in dict.fromkeys(with_reprints(digest.applies, reprint))
        )
        rows["case_question"] += (case | {"question_id": q, "seq": seq} for seq, q in enumerate(digest.questions))
        rows["case_outcome"] += (case | outcome for outcome in _outcomes(digest, library, unprinted))
    return rows


def cited_by_cases(cited: Iterable[Reference], library: Library, digests: Iterable[Digest]) -> Iterator[Row]:
    """Yield the rows of `precedent` for the cases without a digest: they turn on the provisions that they cite."""
    seen = {(digest.case[0], "") for digest in digests}
    for reference in cited:
        case, target = _case(library.units.get(reference.from_unit)), library.units.get(reference.target_id or "")
        if (
            case
            and target
            and target.role in ("provision", "paragraph")
            and {(case, ""), (case, target.id)}.isdisjoint(seen)
        ):
            seen.add((case, target.id))
            yield {"unit_id": case, "target_id": target.id, "source": "machine"}


def _outcomes(digest: Digest, library: Library, unprinted: frozenset[tuple[str, str]]) -> Iterator[Row]:
    """Yield the outcome of a case under each code; nothing if its digest names no questions."""
    states = dict.fromkeys(digest.otherwise, "otherwise")
    states |= dict.fromkeys(digest.silent, "silent") | dict.fromkeys(digest.open, "open")
    unlisted = [code.id for code in library.codes if code.id not in states]
    applied = [code for code in map(work_of, digest.applies) if code in unlisted]
    deciding = applied[0] if applied else unlisted[0] if len(unlisted) == 1 else None
    for code in [code.id for code in library.codes] if digest.questions else ():
        state = states.get(code, "decided" if code == deciding else "same")
        if state == "silent" and any((question, code) in unprinted for question in digest.questions):
            state = "not printed"
        yield {"code_id": code, "state": state, "words": digest.otherwise.get(code)}


def _case(unit: Text | None) -> str | None:
    """Return the id of the case that a unit is or decides; None for any other unit."""
    if unit is None or unit.role not in ("case", "decision"):
        return None
    return unit.parent_id if unit.role == "decision" else unit.id
