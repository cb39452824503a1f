"""The readings of other prints of a passage, which have the same words before and after, and another word between.

Codes copy each other, cases quote laws, and a book repeats itself. If four words around a doubtful one agree
with another place, the word there is a witness. This is collation by shared context (as n-gram seeds are used to
align texts; see Broder, "On the resemblance and containment of documents", 1997), one word at a time.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from extract.language.lexicon import core

_SHAPES = ((3, 1), (2, 2), (1, 3))
# The most places that may share a context: if more do, a page was copied many times, and all would vote on all.
_MOST = 200
_Key = tuple[int, tuple[str, ...]]


def witnesses_of(positions: Iterable[int], forms: Sequence[str], texts: Sequence[str]) -> Mapping[int, Counter[str]]:
    """Collect the words that occur between the same neighbours elsewhere.

    Args:
        positions: indices of the words in question.
        forms: the words of the scan as read so far, in lower case; "" where they are not evidence.
        texts: reading texts of other books.
    Returns:
        For each position that has witnesses: the words that they have, each with the number of witnesses.
    """
    contexts: dict[_Key, list[int]] = defaultdict(list)
    for i in positions:
        for key in _keys(forms, i):
            contexts[key].append(i)
    wanted = {key: places for key, places in contexts.items() if len(places) <= _MOST}
    found: dict[int, Counter[str]] = defaultdict(Counter)
    seen: set[tuple[int, int, int]] = set()
    runs = [forms, *map(_forms, texts)]
    beside = {(words[before - 1], words[before]) for before, words in wanted}
    for number, run in enumerate(runs):
        for j, word in enumerate(run):
            if not word or (*run[j - 1 : j], *run[j + 1 : j + 2]) not in beside:
                continue
            for key in _keys(run, j):
                for i in wanted.get(key, ()):
                    if (number or i != j) and (number, j, i) not in seen:
                        seen.add((number, j, i))
                        found[i][word] += 1
    return found


@lru_cache(maxsize=4)
def _forms(text: str) -> tuple[str, ...]:
    return tuple(core(token).lower() for token in text.split())


def _keys(run: Sequence[str], at: int) -> list[_Key]:
    """The contexts of a position: words before and after it, none of them doubtful or a number."""
    keys: list[_Key] = []
    for before, after in _SHAPES:
        if at < before or at + after >= len(run):
            continue
        words = (*run[at - before : at], *run[at + 1 : at + 1 + after])
        if "" not in words and not any(map(str.isdecimal, words)):
            keys.append((before, words))
    return keys
