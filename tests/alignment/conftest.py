"""The thesaurus of the four books, and a tagger that finds its concepts in a text."""

from pathlib import Path

import pytest

from kb.concepts.tagging import Concept, Tagger, read_thesaurus


@pytest.fixture(scope="session")
def thesaurus(corpus: Path) -> tuple[Concept, ...]:
    """The concepts of the thesaurus."""
    return read_thesaurus(corpus / "thesaurus.toml")


@pytest.fixture(scope="session")
def tagger(thesaurus: tuple[Concept, ...]) -> Tagger:
    """A tagger for all concepts of the thesaurus."""
    return Tagger(thesaurus)
