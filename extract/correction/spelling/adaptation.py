"""Adaptation of the channel to the confusions of a scan.

This is one step of expectation and maximisation (Dempster, Laird & Rubin 1977), kept discrete. The confusions come
from certain corrections, and from unknown forms that differ from words of the book by the same letters again and again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from extract.correction.spelling.channel import Confusion, Vocabulary, alike
from extract.correction.spelling.context import Language
from extract.language.token_shape import transposed

_RECURS = 3
_CLEARLY = 4


def confusions_shown(forms: Iterable[str], language: Language, own: Vocabulary) -> Counter[Confusion]:
    """Count the confusions that turn at least three unknown forms into words that the book uses elsewhere.

    Args:
        forms: forms that are not words, without the punctuation around them.
        language: word lists and the book's counts.
        own: words that the book uses.
    Returns:
        For each confusion, the number of distinct forms in which it occurs.
    """
    words = language.usage.words
    seen: Counter[Confusion] = Counter()
    for form in {f.lower() for f in forms if len(f) > 3}:
        found = {word: confusion for word, confusion in alike(form, own).items() if not transposed(word, form)}
        ranked = sorted(found, key=lambda w: (-words[w], w))
        if ranked and all(words[ranked[0]] > _CLEARLY * words[w] for w in ranked[1:2]):
            seen[found[ranked[0]]] += 1
    return Counter({c: n for c, n in seen.items() if n >= _RECURS and c[1] not in ("", c[0])})


def confusions_used(corrections: Iterable[tuple[str, tuple[Confusion, ...]]]) -> Counter[Confusion]:
    """Count the distinct words in which each confusion occurs.

    Args:
        corrections: for each certain correction, the corrected word and its confusions.
    """
    seen = {(word.lower(), confusion) for word, path in corrections for confusion in path}
    return Counter(confusion for _, confusion in seen)
