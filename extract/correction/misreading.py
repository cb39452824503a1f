"""How often a scan is misread, measured from its text alone: a proof-read e-text has no letters to correct.

After Ringlstetter, Schulz & Mihov, "Orthographic errors in web pages: toward cleaner web corpora" (Computational
Linguistics 32, 2006), who count the forms that typical confusions turn into words. Here we count the forms in no word
list that the noisy channel (`extract.correction.spelling`) corrects with certainty. A clean text has some by chance:
more of them, the longer it is and the more names, dialect and old spellings it has. docs/quality.md has measurements.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from extract.correction.spelling.context import Language
from extract.correction.spelling.corrector import CERTAIN, Correction
from extract.correction.spelling.passes import is_doubtful
from extract.correction.spelling.words import Word
from extract.language.lexicon import core
from extract.weights import weights

_OF_WORDS, _OF_UNKNOWN = weights("correction", "misread.of_words", "misread.of_unknown")


@dataclass(frozen=True, slots=True)
class Legibility:
    """How often a scan is misread.

    `words`: number of words; `unknown`: number of distinct forms in no word list; `explained`: how many of these are
    certainly misreadings of words.
    """

    words: int
    unknown: int
    explained: int

    @property
    def misread(self) -> bool:
        """Whether more forms are explained than would be by chance in a clean text."""
        return self.explained > _OF_WORDS * self.words + _OF_UNKNOWN * self.unknown


def measure(words: Sequence[Word], corrections: Iterable[Correction], language: Language) -> Legibility:
    """Measure how often a scan is misread.

    Args:
        words: all its words.
        corrections: the best correction of each word that has one.
        language: word lists and the book's counts.
    """
    doubtful = {text: core(text).lower() for text in {word.text for word in words} if is_doubtful(text, language)}
    certain = (words[c.first : c.last + 1] for c in corrections if c.margin >= CERTAIN)
    explained = {tuple(doubtful[word.text] for word in read if word.text in doubtful) for read in certain} - {()}
    return Legibility(len(words), len({*doubtful.values()}), len(explained))
