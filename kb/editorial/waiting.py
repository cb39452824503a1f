"""All that waits for the editor, as one list: what is stale, what contradicts itself, what nobody has judged yet."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import chain, combinations

from extract.corpus.toml import Place
from extract.model import work_of
from kb.collation.quoted import deciding_span
from kb.editorial.faults import nearest
from kb.editorial.files import CONCORDANCE, DIGESTS, TOPICS, Answer, Apart, Digest, Judgement, Unused
from kb.editorial.judgements import Entry, Judgements, Library, Row, Rows
from kb.editorial.links import pairs_with_reprints, reprints

Pair = frozenset[str]
_MOST_TOPICS = 3
_AROUND = 4  # words shown before and after a difference
_AT_ODDS = {
    "otherwise": "its outcome is listed as different, but the code has the same rule",
    "same": "its outcome is listed as the same, but the code answers none of its questions",
    "silent": "the code is listed as silent, but it answers each of its questions",
}


@dataclass(frozen=True, slots=True)
class Open:
    """Something that waits for the editor.

    Attributes:
        file: the file to be corrected, or where the matter is to be settled.
        line: the line in it; 0 if it is not known.
        kind: `stale`, `contradiction`, `missing` or `gap` (in the text of a book).
        what: what is open, and what to do.
        diff: of a stale entry, the text as judged and as it is: `[-two-]{+three+}`.
        quotations: the deciding words that the text no longer has, each with the nearest that it has.
    """

    file: str
    line: int
    kind: str
    what: str
    diff: str = ""
    quotations: tuple[tuple[str, str], ...] = ()


def waiting(said: Judgements, library: Library, rows: Rows) -> Iterator[Open]:
    """Yield all that waits in the editor's judgements.

    What is missing is only told of a library that somebody has begun to judge.

    Args:
        said, library: the editor's judgements, and what they are about.
        rows: the tables made from them.
    """
    yield from stale(said, library)
    yield from contradictory_links(said, library, rows)
    yield from contradictory_outcomes(said, rows)
    if rows["answer"] or rows["closed"]:
        yield from unanswered(said, library, rows)
        yield from uncompared(said, library, rows)
        yield from unused(said, library, rows)
        yield from without_topic(said, library, rows)


def stale(said: Judgements, library: Library) -> Iterator[Open]:
    """Yield the entries on a provision whose text has changed since it was judged, or was not kept; by provision."""
    resting: dict[str, list[Entry[Judgement]]] = defaultdict(list)
    for entry in said.entries():
        for unit_id in dict.fromkeys(entry.said.provisions):
            resting[unit_id].append(entry)
    for unit_id, entries in resting.items():
        now = library.units[unit_id].text
        if unit_id not in said.read:
            what = f"the text of {unit_id} was not kept; when the entry is right, run `whist judge --keep-texts`"
            yield from (_open(said, "missing", what, entry.file, entry.where) for entry in entries)
        elif said.is_stale(unit_id, now):
            diff = difference(said.read[unit_id], now)
            again = f"judge it again, then run `whist judge --keep-texts --again {unit_id}`"
            for entry in entries:
                rests = entry.said.rests_on if isinstance(entry.said, Answer) else ()
                lost = (r.words for r in rests if r.unit == unit_id and not deciding_span(r.words, now))
                quotations = tuple((words, nearest(words, now)) for words in lost)
                what = f"{unit_id} has changed since it was judged; {again}"
                yield _open(said, "stale", what, entry.file, entry.where, diff, quotations)


def contradictory_links(said: Judgements, library: Library, rows: Rows) -> Iterator[Open]:
    """Yield the questions whose answers contradict the links between the provisions they rest on.

    Two provisions with different rules on a question must be linked, or the editor must have said why they are apart.
    `equivalent` provisions and those of the `same-text` cannot answer a question by different rules. `opposed` ones
    answer at least one question differently, if they share any.
    """
    relation = {frozenset((row["a"], row["b"])): row["relation"] for row in rows["link"]}
    joined = {frozenset(map(library.whole, pair)) for pair in relation}
    reprint = reprints(said.reprints, library)
    apart = {frozenset(pair) for e in said.every(Apart) for pair in pairs_with_reprints(e.said.a, e.said.b, reprint)}
    for pair, shared in _shared(rows["answer"]).items():
        different = next((question for question, same, alone in shared if alone and not same), None)
        linked, what = relation.get(pair, ""), ""
        if different and pair not in apart and frozenset(map(library.whole, pair)) not in joined:
            what = "different rules, but they are not linked; add [[link]] or [[apart]], or correct the rules"
        elif different and linked in ("same-text", "equivalent"):
            what = f"different rules, but they are linked as {linked}; correct one of the two"
        elif linked == "opposed" and all(same for _, same, _ in shared):
            different, what = shared[0][0], "the same rule, but they are linked as opposed; correct one of the two"
        if different and what:
            yield _of_question(said, "contradiction", f"{' and '.join(sorted(pair))} have {what}", different)


def _shared(answers: Iterable[Row]) -> dict[Pair, list[tuple[str, bool, bool]]]:
    """Return the questions that two provisions of different codes both answer.

    Each with whether they do so by one rule, altered or not, and whether the answer of each code rests on this
    provision alone, so that the provision has the rule of the answer.
    """
    ruled: dict[str, list[tuple[str, str, bool]]] = defaultdict(list)
    for row in answers:
        units = json.loads(row["cites"])
        ruled[row["question_id"]] += ((unit, row["rule"][0], len(units) == 1) for unit in units)
    found: dict[Pair, list[tuple[str, bool, bool]]] = defaultdict(list)
    for question, sides in sorted(ruled.items()):
        for (a, rule, alone), (b, its, its_alone) in combinations(sides, 2):
            if work_of(a) != work_of(b):
                found[frozenset((a, b))].append((question, rule == its, alone and its_alone))
    return found


def contradictory_outcomes(said: Judgements, rows: Rows) -> Iterator[Open]:
    """Yield the outcomes of cases that contradict the answers to the questions on which they turn.

    A case cannot be decided otherwise under a code that has the deciding code's rule on each of its questions, nor
    alike under a code that is silent on all of them; and a code that answers each of them is not silent.
    """
    rule = {(row["question_id"], row["code_id"]): row["rule"] for row in rows["answer"]}
    questions: dict[str, list[str]] = defaultdict(list)
    for row in rows["case_question"]:
        questions[row["unit_id"]].append(row["question_id"])
    home = {row["unit_id"]: row["code_id"] for row in rows["case_outcome"] if row["state"] == "decided"}
    places = {entry.said.case[0]: entry.where for entry in said.every(Digest)}
    for row in rows["case_outcome"]:
        case, code, state = row["unit_id"], row["code_id"], row["state"]
        asked = [question for question in questions[case] if (question, code) in rule]
        rules = [rule[question, code] for question in asked]
        at_odds = {
            "otherwise": all(r and r == rule.get((q, home.get(case, ""))) for q, r in zip(asked, rules, strict=True)),
            "same": not any(rules),
            "silent": all(rules),
        }
        if asked and at_odds.get(state):
            what = f"{case} under {code}: {_AT_ODDS[state]} on {', '.join(asked)}; correct one of the two"
            yield _open(said, "contradiction", what, DIGESTS, places[case])


def unanswered(said: Judgements, library: Library, rows: Rows) -> Iterator[Open]:
    """Yield the questions that a code neither answers nor is silent on."""
    judged = {(row["question_id"], row["code_id"]) for row in rows["answer"]}
    for question in (row["id"] for row in rows["question"]):
        if codes := [code.id for code in library.codes if (question, code.id) not in judged]:
            what = f"{question} has no answer of {', '.join(codes)}; add one, or list the code in `silent`"
            yield _of_question(said, "missing", what, question)


def uncompared(said: Judgements, library: Library, rows: Rows) -> Iterator[Open]:
    """Yield the provisions for which nobody has looked for counterparts in a code."""
    for unit_id, codes in open_codes(library, rows).items():
        what = f"{unit_id} was not yet compared with {', '.join(codes)}; add [[link]] or [[closed]] (see `whist judge`)"
        yield _of_provision(said, what, unit_id)


def open_codes(library: Library, rows: Rows) -> dict[str, list[str]]:
    """Return the codes that are still to be searched for counterparts, by provision: neither linked nor closed."""
    done = {(row["unit_id"], row["code_id"]) for row in rows["closed"]}
    for row in rows["link"]:
        done |= {
            (library.whole(x), library.units[y].code_id or "") for x, y in ((row["a"], row["b"]), (row["b"], row["a"]))
        }
    left = {
        unit.id: [code.id for code in library.codes if code.id != unit.code_id and (unit.id, code.id) not in done]
        for unit in library.provisions()
    }
    return {unit_id: codes for unit_id, codes in left.items() if codes}


def unused(said: Judgements, library: Library, rows: Rows) -> Iterator[Open]:
    """Yield the provisions on which no answer rests, and of which the editor has not said why."""
    cited = (json.loads(row["cites"]) for row in rows["answer"])
    known = (entry.said.provisions for entry in said.every(Unused))
    used = {*map(library.whole, chain.from_iterable(chain(cited, known)))}
    for unit in library.provisions():
        if unit.id not in used:
            yield _of_provision(said, f"no answer rests on {unit.id}; use it, or add [[unused]]", unit.id)


def without_topic(said: Judgements, library: Library, rows: Rows) -> Iterator[Open]:
    """Yield the provisions that belong to no topic, or to more than three."""
    topics: dict[str, list[str]] = defaultdict(list)
    for row in rows["topic_unit"]:
        topics[row["unit_id"]].append(row["topic_id"])
    for unit in library.provisions():
        if not 1 <= len(found := topics[unit.id]) <= _MOST_TOPICS:
            where = f"in {len(found)} topics ({', '.join(found)})" if found else "in no topic"
            yield _of_provision(said, f"{unit.id} is {where}; correct `members`", unit.id)


def difference(before: str, now: str) -> str:
    """Return the words in which two texts differ, with a few around them: `He pays [-two-]{+three+} tricks.`"""
    old, new = before.split(), now.split()
    pieces = []
    for tag, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            far = b - a > 2 * _AROUND
            pieces += [*old[a : a + _AROUND], "...", *old[b - _AROUND : b]] if far else old[a:b]
        else:
            removed, added = (" ".join(words) for words in (old[a:b], new[c:d]))
            pieces.append((f"[-{removed}-]" if removed else "") + (f"{{+{added}+}}" if added else ""))
    return " ".join(pieces)


def _open(
    said: Judgements, kind: str, what: str, file: str, where: Place, diff: str = "",
    quotations: tuple[tuple[str, str], ...] = (),
) -> Open:  # fmt: skip
    source = said.sources[file]
    return Open(str(source.path), source.line(where), kind, what, diff, quotations)


def _of_question(said: Judgements, kind: str, what: str, question: str) -> Open:
    topic, _, name = question.partition("/")
    place = next(i for i, q in enumerate(said.topics[topic].question) if q.id == name)
    return _open(said, kind, what, f"{TOPICS}/{topic}.toml", ("question", place))


def _of_provision(said: Judgements, what: str, unit_id: str) -> Open:
    """Return what is missing of a provision; it belongs into the file of a topic of which it is a member."""
    for topic, file in said.topics.items():
        if unit_id in file.members:
            return _open(said, "missing", what, f"{TOPICS}/{topic}.toml", ("members", file.members.index(unit_id)))
    return Open(str(said.sources[CONCORDANCE].path.parent / TOPICS), 0, "missing", what)
