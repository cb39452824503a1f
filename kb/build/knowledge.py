"""What is known about all books together: concepts, links and the editor's judgements."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from zipfile import BadZipFile

from extract.errors import BookError, printable
from kb.build.edited_books import EditedBooks
from kb.build.load import Row, table_row
from kb.concepts.tagging import Concept, Topic, read_thesaurus, read_topics
from kb.editorial.files import Digest
from kb.editorial.judgements import Judgements, Library, library, question_labels, read_judgements
from kb.editorial.judging import proposed
from kb.editorial.tables import cited_by_cases, tables
from kb.questions import matcher
from kb.questions.paraphrases import digests, read_paraphrases


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
    judgements: Judgements
    matcher: FittedMatcher
    unaided: bool


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
    judgements = Judgements() if unaided else read_judgements(corpus)
    fitted = FittedMatcher() if unaided else _fitted_matcher(corpus, question_labels(judgements))
    return BuildGround(concepts, topics, judgements, fitted, unaided)


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


def gather(ground: BuildGround, books: EditedBooks) -> Mapping[str, Iterable[Row]]:
    """Return the rows about all books together: concepts, topics, answers and links.

    The links are the editor's; of a library made without the editor, those that the machine proposes.

    Args:
        ground: the contents of the corpus files.
        books: the books and their editions.
    Raises:
        BookError: the editor's files do not fit the editions; a line for each fault.
    """
    said = ground.judgements
    judged = library(
        [(code.id, code.year, code.short, book.id) for book in books.books for code in book.codes],
        {code.id: [lack.kind for lack in code.lacks] for book in books.books for code in book.codes},
        books.units,
        {topic.id for topic in ground.topics},
    )
    rows = tables(said, judged)
    if ground.unaided:
        rows["link"] = _proposed_links(judged, books)
    references = (reference for edition in books.editions for reference in edition.references)
    rows["precedent"] += cited_by_cases(references, judged, (entry.said for entry in said.every(Digest)))
    matcher_row = {"of": "questions", "fitted": ground.matcher.contents}
    return (
        _concept_rows(ground.concepts, ground.topics)
        | rows
        | {"matcher": [matcher_row] if ground.matcher.contents else []}
    )


def _proposed_links(judged: Library, books: EditedBooks) -> list[Row]:
    """Return the rows of `link` for the pairs that the machine proposes."""
    mentioned: dict[str, set[str]] = defaultdict(set)
    for tags in books.tags:
        for tag in tags:
            mentioned[tag.unit_id].add(tag.concept_id)
    return [table_row("link", pair, source="machine") for pair in proposed(judged, mentioned)]


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
