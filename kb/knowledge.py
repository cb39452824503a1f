"""What is known beyond the single book: concepts tagged, references resolved, provisions linked."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from extract.book import Book
from extract.model import Edition
from kb.load import Knowledge


def gather(
    corpus: Path, books: Sequence[Book], editions: Sequence[Edition], *, unaided: bool
) -> tuple[list[Edition], Knowledge]:
    """Tag concepts, resolve references, and propose links.

    Args:
        corpus: the corpus, for thesaurus, topics and concordance.
        books: the books.
        editions: their editions, in the same order.
        unaided: leave the editor's concordance aside.
    Returns:
        The editions with their references, and the rows of concepts, links and topics.
    """
    return list(editions), Knowledge()
