"""Compare two texts word by word: align their words, and measure how many they share."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

from rapidfuzz.distance import Indel

from extract.language.folding import words_of

# A word with the punctuation and blanks after it; anything before the first word is a token too.
TOKEN = re.compile(r"\w+(?:['’-]\w+)*\W*|^\W+")
# Fewer matching words than this between two differences are shown as part of the difference.
SLIVER = 3
# Below this share of common words, texts count as unrelated: what they share is shown instead of what differs.
UNLIKE = 0.4
# Printers of the time set a blank before some punctuation marks, and OCR adds others. Neither these blanks nor the form
# of quotation marks count as variants.
_BEFORE_SIGN = re.compile(r" (?=[;:,.!?])")
_QUOTES = str.maketrans("’‘“”", "''\"\"")
# Spellings that printers used interchangeably; each pattern excludes words that only look similar (four, award, rise).
_SPELLINGS = (
    (re.compile(r"(?<=[a-z]{3})our(?=(?:s|ed|ing|able|ably|ite|ites)?$)"), "or"),
    (re.compile(r"(?<=[a-z]{3})is(?=(?:e|ed|es|ing|ation|ations)$)"), "iz"),
    (re.compile(r"^(up|down|for|back|after|to|in|out|on)wards$"), r"\1ward"),
    (re.compile(r"^shew(?=(?:s|n|ed|ing)?$)"), "show"),
)


@dataclass(frozen=True, slots=True)
class AlignedSpans:
    """Tokens [i, i2) of one text aligned with tokens [j, j2) of another; matching tokens are aligned one by one.

    They are the `same`, the same words in another `form` (punctuation, capitals, spelling, word division), or other
    `words`.
    """

    i: int
    i2: int
    j: int
    j2: int
    mark: Literal["same", "form", "words"]


def align(a: Sequence[str], b: Sequence[str]) -> list[AlignedSpans]:
    """Align two texts from beginning to end, without gaps.

    The words that match are a longest common subsequence (`rapidfuzz.distance.Indel`), regardless of punctuation,
    capitals, ligatures and spellings that printers used interchangeably. Fewer than three matching words between two
    differences are part of the difference, since small words match by chance.

    Args:
        a, b: the tokens of the texts, as `TOKEN` divides them.
    """
    keys = [[_spelled(key_of(token)) for token in tokens] for tokens in (a, b)]
    steps: list[AlignedSpans] = []
    i = j = 0
    for block in Indel.editops(*keys).as_matching_blocks():
        if block.a > i or block.b > j:
            divided = "".join(keys[0][i : block.a]) == "".join(keys[1][j : block.b])
            steps.append(AlignedSpans(i, block.a, j, block.b, "form" if divided else "words"))
        i, j = block.a + block.size, block.b + block.size
        for x, y in zip(range(block.a, i), range(block.b, j), strict=True):
            steps.append(AlignedSpans(x, x + 1, y, y + 1, "same" if flat([a[x]]) == flat([b[y]]) else "form"))
    return list(_without_slivers(steps))


def _without_slivers(steps: Sequence[AlignedSpans]) -> Iterator[AlignedSpans]:
    """Merge two differences with the few matching words between them."""
    runs = [(differs, list(run)) for differs, run in groupby(steps, key=lambda step: step.mark == "words")]
    inner = range(1, len(runs) - 1)
    sized = ((differs or (n in inner and len(run) < SLIVER), run) for n, (differs, run) in enumerate(runs))
    for differs, joined in groupby(sized, key=lambda pair: pair[0]):
        every = [step for _, run in joined for step in run]
        first, last = every[0], every[-1]
        yield from [AlignedSpans(first.i, last.i2, first.j, last.j2, "words")] if differs else every


def share(steps: Sequence[AlignedSpans]) -> float:
    """Return the share of all words of two texts that match, from 0 to 1; 1 if neither text has words."""
    sizes = [(step.i2 - step.i + step.j2 - step.j, step.mark != "words") for step in steps]
    return sum(size for size, alike in sizes if alike) / sum(size for size, _ in sizes) if sizes else 1.0


def key_of(token: str) -> str:
    """Return a token in the form in which it is compared: folded, without punctuation and capitals."""
    return "".join(words_of(token))


def _spelled(key: str) -> str:
    """Normalise the spelling of a folded word, where printers used several."""
    for pattern, usual in _SPELLINGS:
        key = pattern.sub(usual, key)
    return key


def flat(tokens: Sequence[str]) -> str:
    """Join tokens into one line, with quotation marks and the blanks before punctuation normalised."""
    return _BEFORE_SIGN.sub("", " ".join("".join(tokens).translate(_QUOTES).split()))


def similarity(a: str, b: str) -> float:
    """Return the share of words that two texts have in common, in the same order, from 0 to 1."""
    return float(Indel.normalized_similarity(words_of(a), words_of(b)))
