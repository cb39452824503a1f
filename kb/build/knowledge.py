"""What is known about all books together: concepts, links and the editor's judgements."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from zipfile import BadZipFile

from extract.corpus.table import read_if_there
from extract.errors import BookError, printable
from kb.alignment.links import propose
from kb.build.edited_books import EditedBooks
from kb.build.load import Row, table_row
from kb.concepts.outcomes import Outcomes, read_outcomes
from kb.concepts.tagging import Concept, Topic, read_thesaurus, read_topics
from kb.editorial.concordance import Apart, Cell, Closed, Unused, Verdict, closed_cells, judge
from kb.editorial.course_line import names_of
from kb.editorial.digests import Digest, case_rows
from kb.editorial.glosses import Gloss
from kb.editorial.judgements import (
    Judgements,
    answer_rows,
    question_labels,
    read_judgements,
    require_topics,
)
from kb.editorial.provisions import require_units
from kb.editorial.titles import FILE as TITLES
from kb.editorial.titles import TitleFile
from kb.editorial.twins import pairs_with_twins, twins, with_twins
from kb.questions import matcher
from kb.questions.paraphrases import digests, read_paraphrases

LIBRARY = "library.toml"


@dataclass(frozen=True, slots=True)
class FittedMatcher:
    """The contents of `matcher.npz`, and how many questions have changed since: they, or their paraphrases."""

    contents: bytes = b""
    outdated: int = 0


@dataclass(frozen=True, slots=True)
class BuildGround:
    """What is known before any edition is made, from the corpus files on concepts, topics and provisions."""

    concepts: tuple[Concept, ...]
    topics: tuple[Topic, ...]
    outcomes: Outcomes
    judgements: Judgements
    titles: Mapping[str, str]
    matcher: FittedMatcher


def read_ground(corpus: Path, *, unaided: bool) -> BuildGround:
    """Read the corpus files on concepts, topics and provisions.

    Args:
        corpus: the corpus.
        unaided: ignore the editor's judgements.
    Raises:
        BookError: one of the corpus files is invalid.
    """
    concepts = read_thesaurus(corpus / "thesaurus.toml")
    topics = read_topics(corpus / "topics.toml", concepts)
    outcomes = read_outcomes(corpus / LIBRARY)
    judgements = Judgements() if unaided else read_judgements(corpus)
    require_topics(judgements, {topic.id for topic in topics})
    fitted = FittedMatcher() if unaided else _fitted_matcher(corpus, question_labels(judgements))
    titles = TitleFile() if unaided else read_if_there(corpus / TITLES, TitleFile)
    return BuildGround(concepts, topics, outcomes, judgements, titles.titles, fitted)


def _fitted_matcher(corpus: Path, labels: Mapping[str, str]) -> FittedMatcher:
    """Read the matcher of a corpus, if there is one, and compare what it was fitted to with the questions of today.

    Args:
        corpus: the corpus.
        labels: the questions of today, by id.
    """
    path, wanted = corpus / matcher.FILE, digests(labels, read_paraphrases(corpus, labels))
    if not path.exists():
        return FittedMatcher(outdated=len(wanted))
    try:
        contents = path.read_bytes()
        fitted = matcher.fitted_to(contents)
    except (OSError, ValueError, KeyError, BadZipFile) as error:
        raise BookError(f"{printable(path)} cannot be read; make it anew with `make fit`.") from error
    outdated = {question for question, _ in wanted.items() ^ fitted.items()}
    return FittedMatcher(contents, len(outdated))


def gather(ground: BuildGround, library: EditedBooks) -> dict[str, Iterable[Row]]:
    """Propose links, and apply the editor's judgements to them.

    Args:
        ground: the contents of the corpus files.
        library: the books and their editions.
    Returns:
        The rows of concepts, links, topics and answers, by table.
    Raises:
        BookError: one of the corpus files does not fit the editions.
    """
    said, concepts, books, units = ground.judgements, ground.concepts, library.books, library.units
    dated = sorted((c for b in books for c in b.codes), key=lambda c: (c.year, c.id))
    codes = [c.id for c in dated]
    units_by_id = {unit.id: unit for unit in units if unit.continues is None}
    require_units(chain(said.named(), ((TITLES, unit_id) for unit_id in ground.titles)), {unit.id for unit in units})
    twin_of = twins(said.twins, units)
    books_of = {code.id: book.id for book in books for code in book.codes}
    homes = {code: books_of[code] for code in codes}
    lacks = {code.id: [lack.kind for lack in code.lacks] for code in dated}
    answers = answer_rows(said, homes, names_of(dated), twin_of, units_by_id, lacks)
    # Only units of a code are compared, so that a word of a preface changes no link.
    in_codes = [unit for unit in units if unit.code_id]
    ids = {unit.id for unit in in_codes}
    code_tags = (tag for tags in library.tags for tag in tags if tag.unit_id in ids)
    proposed = propose(in_codes, code_tags, concepts, codes, ground.outcomes)
    position = {code: i for i, code in enumerate(codes)}
    order = sorted(units, key=lambda u: (position.get(u.code_id or "", -1), u.seq))
    closed = closed_cells(said.every(Closed), twin_of, order)
    links = judge(proposed, said.every(Verdict), closed, twin_of, order)
    return (
        _concept_rows(concepts, ground.topics)
        | {"link": (table_row("link", link) for link in links)}
        | _editor_rows(said, closed, twin_of)
        | case_rows(
            said.every(Digest),
            library.editions,
            twin_of,
            codes,
            {row["id"] for row in answers["question"]},
            {(row["question_id"], row["code_id"]) for row in answers["answer"] if row["state"] == "not printed"},
        )
        | answers
        | {"matcher": [{"of": "questions", "fitted": ground.matcher.contents}] if ground.matcher.contents else []}
    )


def _concept_rows(concepts: Iterable[Concept], topics: Iterable[Topic]) -> dict[str, list[Row]]:
    return {
        "concept_label": [
            {"concept_id": c.id, "label": label, "role": role} for c in concepts for label, role in c.labels
        ],
        "concept_pattern": [{"concept_id": c.id, "pattern": p} for c in concepts for p in dict.fromkeys(c.patterns)],
        "concept": [{"id": c.id, "label": c.label, "note": c.note, "broader": c.broader} for c in concepts],
        "topic": [
            {"id": t.id, "label": t.label, "concept_id": t.concepts[0], "note": t.note, "seq": i}
            for i, t in enumerate(topics)
        ],
        "topic_concept": [{"topic_id": t.id, "concept_id": c} for t in topics for c in t.concepts],
    }


def _editor_rows(said: Judgements, closed: Iterable[Cell], twin_of: Mapping[str, str]) -> dict[str, Iterable[Row]]:
    by_provision = {gloss.provision: gloss.words for gloss in said.every(Gloss)}
    glosses = {
        unit_id: words for provision, words in by_provision.items() for unit_id in with_twins([provision], twin_of)
    } | by_provision
    return {
        "apart": [
            {"a": a, "b": b, "why": entry.reason}
            for entry in said.every(Apart)
            for a, b in pairs_with_twins(entry.a, entry.b, twin_of)
        ],
        "closed": [{"unit_id": unit_id, "code_id": code} for unit_id, code in closed],
        "topic_unit": [
            {"topic_id": topic.id, "unit_id": unit_id, "seq": i}
            for topic in said.topics
            for i, unit_id in enumerate(dict.fromkeys(with_twins(topic.said.members, twin_of)))
        ],
        "unused": [{"unit_id": entry.provision, "reason": entry.reason} for entry in said.every(Unused)],
        "basis": (table_row("basis", basis) for basis in said.bases),
        "gloss": [{"unit_id": unit_id, "words": words} for unit_id, words in glosses.items()],
    }
