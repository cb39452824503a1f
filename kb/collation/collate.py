"""Two texts word by word: what they share, what one has and the other has not; and how words are matched at all."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from rapidfuzz.distance import Indel

from extract.language.folding import words_of

Mark = Literal["same", "only"]
# A word with the signs and blanks after it; what stands before the first word is a piece of its own.
TOKEN = re.compile(r"\w+(?:['’-]\w+)*\W*|^\W+")
# Fewer words than this between two differences are no agreement: they are shown as part of the difference.
SLIVER = 3
# Texts of so many words are matched as a whole; longer ones are divided first.
WINDOW = 400
# Below this share of common words a text is another text, and what is shared is shown instead of what differs.
UNLIKE = 0.4
# From this share on two texts are the same but for a word here and there.
ALIKE = 0.95


@dataclass(frozen=True, slots=True)
class Chunk:
    """A stretch of one of the texts: `same` in both, or `only` in this one."""

    mark: Mark
    text: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two texts as parts; `similarity` is 2 x shared words / all words, from 0 to 1."""

    a: tuple[Chunk, ...]
    b: tuple[Chunk, ...]
    similarity: float

    @property
    def same(self) -> bool:
        """Whether the texts agree word for word, signs and capitals aside."""
        return all(p.mark == "same" for p in (*self.a, *self.b))

    @property
    def unlike(self) -> bool:
        """Whether so little is shared that the shared words are the thing to show."""
        return self.similarity < UNLIKE


def compare_texts(a: str, b: str) -> Comparison:
    """Compare two texts by their words, regardless of punctuation, capitals and ligatures.

    Words are matched by `matching`; agreements of fewer than three words between two differences are counted as
    difference, since small words meet by chance.

    Returns:
        Both texts whole, each cut into parts that alternate.
    """
    left, right = TOKEN.findall(a), TOKEN.findall(b)
    keys = [[key_of(token) for token in side] for side in (left, right)]
    blocks = [*_without_slivers(matching(*keys), len(left), len(right))]
    share = 2 * sum(n for _, _, n in blocks) / max(len(left) + len(right), 1)
    return Comparison(
        tuple(_parts(left, [(i, n) for i, _, n in blocks])),
        tuple(_parts(right, [(j, n) for _, j, n in blocks])),
        round(share, 3),
    )


def key_of(token: str) -> str:
    """A word of a text as it is compared: folded, signs and capitals gone."""
    return "".join(words_of(token))


def matching(a: Sequence[str], b: Sequence[str]) -> list[tuple[int, int, int]]:
    """Which stretches of two sequences of words match, as (place in `a`, place in `b`, length), in order.

    A longest common subsequence (`rapidfuzz.distance.Indel`). Its work grows with the product of the lengths, so long
    texts are first divided at the words that each has only once, in the longest order common to both (the patience
    diff of Bram Cohen); then the work grows with the length. A long stretch without any such word matches nowhere.
    """
    blocks: list[tuple[int, int, int]] = []
    waiting = [(0, len(a), 0, len(b))]
    while waiting:
        i, i2, j, j2 = waiting.pop()
        if i2 - i <= WINDOW and j2 - j <= WINDOW:
            equal = (o for o in Indel.opcodes(a[i:i2], b[j:j2]) if o.tag == "equal")
            blocks += ((i + o.src_start, j + o.dest_start, o.src_end - o.src_start) for o in equal)
            continue
        anchors = _anchors(a[i:i2], b[j:j2])
        blocks += ((i + x, j + y, 1) for x, y in anchors)
        borders = [(-1, -1), *anchors, (i2 - i, j2 - j)]
        if anchors:
            waiting += ((i + x + 1, i + x2, j + y + 1, j + y2) for (x, y), (x2, y2) in pairwise(borders))
    return _run_together(sorted(blocks))


def _anchors(a: Sequence[str], b: Sequence[str]) -> list[tuple[int, int]]:
    """Places of words that two texts have once each, in the longest order common to both."""
    counts = Counter(a), Counter(b)
    there = {word: j for j, word in enumerate(b)}
    places = [(i, there[word]) for i, word in enumerate(a) if counts[0][word] == counts[1][word] == 1]
    tails: list[int] = []
    ends: list[int] = []
    before: list[int] = []
    for n, (_, j) in enumerate(places):
        at = bisect_left(tails, j)
        tails[at : at + 1] = [j]
        ends[at : at + 1] = [n]
        before.append(ends[at - 1] if at else -1)
    chain: list[tuple[int, int]] = []
    n = ends[-1] if ends else -1
    while n >= 0:
        chain.append(places[n])
        n = before[n]
    return chain[::-1]


def _run_together(blocks: Iterable[tuple[int, int, int]]) -> list[tuple[int, int, int]]:
    """Blocks that follow one another in both texts made one."""
    together: list[tuple[int, int, int]] = []
    for i, j, n in blocks:
        if together and (i, j) == (together[-1][0] + together[-1][2], together[-1][1] + together[-1][2]):
            at, to, length = together.pop()
            i, j, n = at, to, length + n
        together.append((i, j, n))
    return together


def similarity(a: str, b: str) -> float:
    """The share of common words of two texts in order, from 0 to 1."""
    return float(Indel.normalized_similarity(words_of(a), words_of(b)))


def agreeing(texts: Sequence[tuple[str, str]]) -> list[list[str]]:
    """Group texts that agree nearly word for word with the first of their group.

    Args:
        texts: pairs of name and text, in the order in which groups are to be named.
    Returns:
        Groups of names; a text without words is alone.
    """
    groups: list[tuple[str, list[str]]] = []
    for name, text in texts:
        home = next((names for first, names in groups if first.strip() and similarity(first, text) >= ALIKE), None)
        if home is None:
            groups.append((text, [name]))
        else:
            home.append(name)
    return [names for _, names in groups]


def _without_slivers(blocks: Sequence[tuple[int, int, int]], left: int, right: int) -> Iterable[tuple[int, int, int]]:
    for i, j, n in blocks:
        at_edge = (i == 0 and j == 0) or (i + n == left and j + n == right)
        if n >= SLIVER or at_edge:
            yield i, j, n


def _parts(tokens: Sequence[str], shared: Sequence[tuple[int, int]]) -> Iterable[Chunk]:
    at = 0
    for start, length in (*shared, (len(tokens), 0)):
        if start > at:
            yield Chunk("only", "".join(tokens[at:start]))
        if length:
            yield Chunk("same", "".join(tokens[start : start + length]))
        at = start + length
