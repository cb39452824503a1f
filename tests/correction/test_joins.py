"""Line-end hyphens: one word, a compound, or two words with a speck between."""

from __future__ import annotations

import pytest

from extract.correction.joins import find_joins
from extract.correction.spelling.context import Language, count_usage
from extract.correction.spelling.passes import guesser
from extract.correction.spelling.words import read_words
from extract.language.lexicon import load_lexicon
from extract.text.stream import read_stream

ARTICLES = "Article 3. Article 17. Article 44. Article 120. Article 138. Article 139."


def joined(scan: str, book: str = "") -> str:
    """The words of a scan after its joins; `book` is more of the same book."""
    stream = read_stream(f"{scan}\n\n{book}", (), ())
    usage = count_usage(stream)
    joins = find_joins(stream, load_lexicon(), usage, guesser(Language(load_lexicon(), usage)))
    words = read_words(stream, joins, [" "] * len(stream.gaps))
    return " ".join(w.text for w in words if w.start < len(scan))


@pytest.mark.parametrize(
    ("scan", "book", "expected"),
    [
        ("to an-\nnounce it", "", "to announce it"),
        ("his re-\nmark was", "", "his remark was"),
        ("a remark- able hand", "", "a remarkable hand"),
        ("rubber-\nofsixes unheard", "", "rubberofsixes unheard"),
        ("or twenty-\nfive cards", "", "or twenty-five cards"),
        ("by-\nstanders may", "The by-standers, or a by-stander; by-standers", "by-standers may"),
        ("by-\nstanders may", "bystanders and bystanders", "bystanders may"),
        ("our self-\naccusers then", "", "our self-accusers then"),
        ("the missing-\ncard is", "the missing card; a missing card", "the missing card is"),
        ("the lady s hand", "", "the lady's hand"),
        ("the card held\ns or his hand", "", "the card held s or his hand"),
        ("the law-\nis good", "", "the law is good"),
        ("two- or three-handed", "", "two- or three-handed"),
        ("no un-\nfrequently met", "", "no unfrequently met"),
        ("the van~\nquished side", "", "the vanquished side"),
        ("the van=\nquished side", "", "the vanquished side"),
        ("the van\u00ad\nquished side", "", "the vanquished side"),
        ("the dealer s partner", "", "the dealer's partner"),
        ("and then s gone", "", "and then s gone"),
        ("wing-\nquill makers", "", "wing- quill makers"),
        ("in Article 1 33, which", ARTICLES, "in Article 133, which"),
        ("with Article 1 and 33 cards", ARTICLES, "with Article 1 and 33 cards"),
        ("Article 39 40 cards", ARTICLES, "Article 39 40 cards"),
        ("he led 1 33 times", ARTICLES, "he led 1 33 times"),
    ],
)
def test_hyphens_are_read_by_the_books_own_use_and_the_word_lists(scan: str, book: str, expected: str) -> None:
    assert joined(scan, book) == expected
