"""Correct misspelt words of a text: a word that nobody has becomes its nearest among the words of the library.

American and British forms are one, and a common English word is never changed.
"""

from __future__ import annotations

import re
import sqlite3
from collections import Counter
from collections.abc import Mapping

from extract.language.folding import words_of
from extract.language.lexicon import COMMON, load_lexicon, word_set
from extract.language.misspelling import respelt, spellings
from kb.questions.questions import questions
from kb.read.build_cache import cached_per_build
from kb.read.domain import domain
from kb.read.rows import Statement, as_tuple

_WORDS = Statement(as_tuple, "select word, count from word")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
# A word with a capital within a sentence is a name.
_NAME = re.compile(r"(?<![.?!:\"“'‘\n])\s(?P<name>[A-Z][a-z]+)")
_CASUAL = word_set("casual")
# Words of the lexicon up to this size of SCOWL are right; a rarer one, such as "honers", is more likely a misspelling.
_SIZE = 55
_SHORTEST = 4  # letters of a word that may be corrected
_MOST = 0.5  # a text with a larger share of unknown words is in another language, and is not corrected


@cached_per_build
def vocabulary(conn: sqlite3.Connection) -> Mapping[str, int]:
    """Return the words of the books and of the questions, each with its number of occurrences."""
    found = Counter[str](dict(_WORDS(conn)))
    for question in questions(conn).values():
        found.update(words_of(" ".join((question.label, *(a.summary for a in question.answers.values())))))
    return found


def corrected(conn: sqlite3.Connection, text: str) -> tuple[str, dict[str, str]]:
    """Correct the misspelt words of a text.

    Args:
        conn: the knowledge base.
        text: any text.
    Returns:
        The corrected text, and the corrections by the word as typed.
    """
    known, lexicon = vocabulary(conn), load_lexicon(rarest=COMMON)
    right = _CASUAL.union(domain(conn).terms)
    names = {match["name"] for match in _NAME.finditer(text)}
    words = [word for word in dict.fromkeys(_WORD.findall(text)) if len(word) >= _SHORTEST and word not in names]
    unknown = [
        word
        for word in words
        if known.keys().isdisjoint((word.lower(), *words_of(word)))
        and word.lower() not in right and not lexicon.known(word.lower(), _SIZE)
    ]  # fmt: skip
    corrections = {}
    for word in unknown if len(words) < 3 or len(unknown) <= _MOST * len(words) else ():
        forms = spellings(word.lower(), known)
        if new := forms[0] if forms else respelt(word.lower(), known):
            corrections[word] = new
    return _WORD.sub(lambda match: corrections.get(match[0], match[0]), text), corrections
