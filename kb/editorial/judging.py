"""The pairs of provisions that the editor has not judged yet, and the texts on which the judgements rest."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from extract.model import work_of
from kb.editorial.files import Apart
from kb.editorial.judgements import Judgements, Library, Rows
from kb.editorial.links import pairs_with_reprints, reprints
from kb.editorial.waiting import open_codes
from kb.propose import Proposal, propose
from kb.read.rows import label_end


@dataclass(frozen=True, slots=True)
class Unjudged:
    """What the editor has not judged: `pairs`, and by provision the codes in which nobody looked for a counterpart."""

    pairs: tuple[Proposal, ...]
    codes: Mapping[str, list[str]]


def proposed(library: Library, mentioned: Mapping[str, Collection[str]]) -> list[Proposal]:
    """Propose pairs of provisions of a library; `mentioned` has the concepts that each of them mentions, by its id."""
    texts: dict[str, dict[str, str]] = {code.id: {} for code in library.codes}
    for unit in library.provisions():
        if unit.code_id in texts:
            texts[unit.code_id][unit.id] = unit.text[label_end(unit.text, unit.number, unit.kind) :]
    return propose([*texts.values()], mentioned)


def unjudged(said: Judgements, library: Library, rows: Rows, pairs: Iterable[Proposal], topic: str = "") -> Unjudged:
    """Return what is left to judge.

    A pair is judged if the two, or paragraphs of them, are linked or apart, or if either is closed against the code of
    the other.

    Args:
        said, library: the editor's judgements, and what they are about.
        rows: the tables made from the judgements.
        pairs: the proposed pairs.
        topic: the only topic whose provisions count; empty for all provisions.
    """
    reprint = reprints(said.reprints, library)
    known = [(row["a"], row["b"]) for row in rows["link"]]
    known += (pair for e in said.every(Apart) for pair in pairs_with_reprints(e.said.a, e.said.b, reprint))
    done = {frozenset(map(library.whole, pair)) for pair in known}
    closed = {(row["unit_id"], row["code_id"]) for row in rows["closed"]}
    members = {row["unit_id"] for row in rows["topic_unit"] if row["topic_id"] == topic} if topic else {*library.units}
    left = [
        pair
        for pair in pairs
        if not members.isdisjoint((pair.a, pair.b))
        and frozenset((pair.a, pair.b)) not in done
        and closed.isdisjoint({(pair.a, work_of(pair.b)), (pair.b, work_of(pair.a))})
    ]
    codes = {unit_id: codes for unit_id, codes in open_codes(library, rows).items() if unit_id in members}
    return Unjudged(tuple(left), codes)


def to_fill(left: Unjudged, library: Library, rows: Rows) -> Iterator[str]:
    """Yield what is left to judge as lines of TOML: links to correct or strike out, provisions to close.

    Above a link stand the texts, each with the topics of its provision: those of one may also be those of the other.
    """
    topics: dict[str, list[str]] = defaultdict(list)
    for row in rows["topic_unit"]:
        topics[row["unit_id"]].append(row["topic_id"])
    for pair in left.pairs:
        for unit_id in (pair.a, pair.b):
            under = ", ".join(topics[unit_id]) or "no topic"
            yield f"# {unit_id} ({under}): {' '.join(library.units[unit_id].text.split())}"
        yield "[[link]]"
        yield from (f"{key} = {_quoted(value)}" for key, value in (("a", pair.a), ("b", pair.b)))
        yield f"relation = {_quoted(pair.relation)} # {pair.score:.2f}: {pair.why}"
        yield 'reason = ""\n'
    for unit_id, codes in left.codes.items():
        yield f"[[closed]]\nprovision = {_quoted(unit_id)}\ncodes = [{', '.join(map(_quoted, codes))}]\n"


def texts_to_keep(
    said: Judgements, library: Library, read: Mapping[str, str], again: Collection[str] = ()
) -> dict[str, str]:
    """Return the texts to write to read.toml: those of all provisions that entries rest on, by id.

    Args:
        said, library: the editor's judgements, and what they are about.
        read: the texts that read.toml has now.
        again: the provisions of which all entries were judged again: these get their present text. Any other keeps the
            text it had when judged or, if that is unknown, gets its present text.
    """
    units = (unit_id for entry in said.entries() for unit_id in entry.said.provisions)
    return {
        unit_id: read[unit_id] if unit_id in read and unit_id not in again else library.units[unit_id].text
        for unit_id in units
    }


def written(texts: Mapping[str, str]) -> str:
    """Return the text of read.toml."""
    lines = (f"{_quoted(unit_id)} = {_quoted(' '.join(texts[unit_id].split()))}\n" for unit_id in sorted(texts))
    head = "# Texts of provisions when the editor last judged them. Written by `whist judge --keep-texts`.\n\n[read]\n"
    return head + "".join(lines)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
