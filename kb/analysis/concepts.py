"""Find concepts in a text by the stems of its words: by labels, and by patterns for wordings without a label.

A text becomes a spaCy Doc of the stems of its words, and clause ends; PhraseMatcher finds the labels. A pattern
is a sequence of words with gaps (`search|examine *2 tricks`), and becomes a regular expression over the stems: spaCy's
Matcher finds the same but takes twenty times as long.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from operator import attrgetter
from threading import Lock

from cachetools import LRUCache, cachedmethod

from extract.language.sentences import CLAUSE_STOPS
from extract.language.stemming import stem
from extract.model import Span

TOKEN = re.compile(rf"[^\W\d_]+(?:['’][^\W\d_]+)?|\d+|[{CLAUSE_STOPS}]")
"""A word, a number or the end of a clause; hyphens and commas do not count."""
GAP = re.compile(r"\*(\d)")
"""A gap in a pattern: any words, at most this many."""

_REMEMBERED = 32  # texts whose concepts are cached: one text is analysed several times, for different purposes

Found = tuple[str, int, int]
"""A concept with the number of its first token and of the token after its last."""


class ConceptFinder:
    """Finds concepts in texts; made once for a thesaurus, then used for any number of texts, from any thread."""

    def __init__(self, labels: Iterable[tuple[str, str]], patterns: Iterable[tuple[str, str]] = ()) -> None:
        """Read a thesaurus.

        Args:
            labels: concepts, each with one of its labels.
            patterns: concepts, each with one of its patterns (`search|examine *2 tricks`).
        """
        from spacy.matcher import PhraseMatcher  # takes a second and 80 MB, so it is imported only where needed
        from spacy.tokens import Doc
        from spacy.vocab import Vocab

        self.vocabulary, self._lock = Vocab(), Lock()
        self._found: LRUCache[str, tuple[tuple[str, Span], ...]] = LRUCache(_REMEMBERED)
        self._labels = PhraseMatcher(self.vocabulary)
        self._named: dict[str, set[str]] = defaultdict(set)
        for concept, label in labels:
            stems = [stem(word) for word in TOKEN.findall(label)]
            phrase = " ".join(stems)
            self._labels.add(phrase, [Doc(self.vocabulary, words=stems)])
            self._named[phrase].add(concept)
        self._patterns: dict[str, list[tuple[str, re.Pattern[str]]]] = defaultdict(list)
        for concept, pattern in patterns:
            steps = pattern.split()
            expression = re.compile("".join(map(_expression, steps)))
            for first in {stem(choice) for choice in steps[0].split("|")}:
                self._patterns[first].append((concept, expression))

    @cachedmethod(attrgetter("_found"), lock=attrgetter("_lock"))
    def find(self, text: str) -> tuple[tuple[str, Span], ...]:
        """Find concepts in a text.

        Of overlapping labels the longest wins; if several concepts have the same label, all are found. A match of a
        pattern is found in addition to labels within it, and does not cross the end of a clause; of overlapping
        matches for one concept the first counts.

        Args:
            text: any text.
        Returns:
            Concept ids with spans of the text, in order.
        """
        from spacy.tokens import Doc
        from spacy.util import filter_spans

        tokens = list(TOKEN.finditer(text))
        stems = [stem(token[0]) for token in tokens]
        # Words of visitors must not stay in the vocabulary; only one thread at a time can have a memory zone.
        with self._lock, self.vocabulary.memory_zone():
            named = filter_spans(self._labels(Doc(self.vocabulary, words=stems), as_spans=True))
            found = {(concept, span.start, span.end) for span in named for concept in self._named[span.label_]}
        placed = (
            (c, Span(tokens[a].start(), tokens[b - 1].end())) for c, a, b in found.union(self._pattern_matches(stems))
        )
        return tuple(sorted(placed, key=lambda f: (f[1], f[0])))

    def _pattern_matches(self, stems: Sequence[str]) -> Iterator[Found]:
        """Yield the matches of the patterns."""
        line = "".join(f"{one} " for one in stems)
        begins = accumulate((len(one) + 1 for one in stems), initial=0)
        ends: dict[str, int] = defaultdict(int)
        for at, (first, begin) in enumerate(zip(stems, begins, strict=False)):
            for concept, pattern in self._patterns.get(first, ()):
                match = pattern.match(line, begin)
                if match and at >= ends[concept]:
                    ends[concept] = at + match[0].count(" ")
                    yield concept, at, ends[concept]


def _expression(step: str) -> str:
    """Return a regular expression for a word or gap of a pattern, over stems that are each followed by a space."""
    if gap := GAP.fullmatch(step):
        return rf"(?:[^ {CLAUSE_STOPS}]+ ){{0,{gap[1]}}}?"
    return f"(?:{'|'.join(re.escape(stem(choice)) for choice in step.split('|'))}) "
