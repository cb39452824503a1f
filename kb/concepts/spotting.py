"""Find concepts in a question: what `kb.concepts.tagging` finds, without spaCy.

spaCy takes 50 MB and most of a second to load. That is little for a build, which tags all books, and much for a server
that tags a sentence now and then; the test of both says that they find the same.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from extract.language.sentences import CLAUSE_STOPS
from extract.language.stemming import stem
from extract.model import Span

TOKEN = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?|\d+|[.;:?!]")
GAP = re.compile(r"\*(\d)")

Found = tuple[str, int, int]
"""A concept with the token it begins at and the token after its last."""


def words(text: str) -> list[re.Match[str]]:
    """The words and clause ends of a text; hyphens and commas do not count."""
    return list(TOKEN.finditer(text))


class Spotter:
    """Finds concepts in texts; made once for a thesaurus, then used for any number of texts.

    Args:
        labels: of each concept its labels.
        patterns: of each concept its patterns, as a thesaurus has them (`search|examine *2 tricks`).
    """

    def __init__(self, labels: Mapping[str, Iterable[str]], patterns: Mapping[str, Iterable[str]]) -> None:
        self._labels: dict[str, set[tuple[tuple[str, ...], str]]] = defaultdict(set)
        for concept, terms in labels.items():
            for term in terms:
                stems = _stems(words(term))
                self._labels[stems[0]].add((stems, concept))
        self._patterns: dict[str, list[tuple[str, _Steps]]] = defaultdict(list)
        for concept, told in patterns.items():
            for pattern in told:
                steps = _steps(pattern)
                for first in steps[0][1]:
                    self._patterns[first].append((concept, steps))

    def find(self, text: str) -> tuple[tuple[str, Span], ...]:
        """Find concepts in a text, see `kb.concepts.tagging.Tagger.find`."""
        tokens = words(text)
        stems = _stems(tokens)
        found = {*self._named(stems), *self._told(tokens, stems)}
        placed = ((c, Span(tokens[a].start(), tokens[b - 1].end())) for c, a, b in found)
        return tuple(sorted(placed, key=lambda f: (f[1], f[0])))

    def _named(self, stems: Sequence[str]) -> Iterator[Found]:
        """What labels find; where they overlap the longest wins."""
        spans: dict[tuple[int, int], list[str]] = defaultdict(list)
        for at, first in enumerate(stems):
            for label, concept in self._labels.get(first, ()):
                if tuple(stems[at : at + len(label)]) == label:
                    spans[at, at + len(label)].append(concept)
        taken: set[int] = set()
        for start, end in sorted(spans, key=lambda s: (s[0] - s[1], s[0])):
            if taken.isdisjoint(range(start, end)):
                taken.update(range(start, end))
                yield from ((concept, start, end) for concept in spans[start, end])

    def _told(self, tokens: Sequence[re.Match[str]], stems: Sequence[str]) -> Iterator[Found]:
        """What patterns find, clause by clause; of overlapping matches for a concept the shortest counts."""
        ends = [i for i, token in enumerate(tokens) if token[0] in CLAUSE_STOPS]
        for before, stop in pairwise([-1, *ends, len(tokens)]):
            matches = {
                (end - start, start, end, concept)
                for start in range(before + 1, stop)
                for concept, steps in self._patterns.get(stems[start], ())
                for end in _ends(steps, stems, start, stop)
            }
            taken: set[tuple[str, int]] = set()
            for _, start, end, concept in sorted(matches):
                places = {(concept, i) for i in range(start, end)}
                if taken.isdisjoint(places):
                    taken |= places
                    yield concept, start, end


_Steps = tuple[tuple[int, frozenset[str]], ...]
"""The words of a pattern: how many others may stand before each, and the stems it may have."""


def _steps(pattern: str) -> _Steps:
    steps: list[tuple[int, frozenset[str]]] = []
    free = 0
    for part in pattern.split():
        if gap := GAP.fullmatch(part):
            free += int(gap[1])
        else:
            steps.append((free, frozenset(stem(choice) for choice in part.split("|"))))
            free = 0
    return tuple(steps)


def _ends(steps: _Steps, stems: Sequence[str], start: int, stop: int) -> set[int]:
    """Where the matches of a pattern that begin at a token end."""
    at = {start}
    for free, meant in steps:
        at = {i + 1 for first in at for i in range(first, min(first + free + 1, stop)) if stems[i] in meant}
    return at


def _stems(tokens: Iterable[re.Match[str]]) -> tuple[str, ...]:
    return tuple(stem(token[0]) for token in tokens)
