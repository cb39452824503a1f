"""Two texts word by word: what they share, what one has and the other has not."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from rapidfuzz.distance import Indel

from extract.language.folding import words_of

Mark = Literal["same", "only"]
# A word with the signs and blanks after it; what stands before the first word is a piece of its own.
_TOKEN = re.compile(r"\w+(?:['’-]\w+)*\W*|^\W+")
# Fewer words than this between two differences are no agreement: they are shown as part of the difference.
SLIVER = 3
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

    The alignment is a longest common subsequence of words (`rapidfuzz.distance.Indel`); agreements of fewer than
    three words between two differences are counted as difference, since small words meet by chance.

    Returns:
        Both texts whole, each cut into parts that alternate.
    """
    left, right = _TOKEN.findall(a), _TOKEN.findall(b)
    keys = [["".join(words_of(t)) for t in side] for side in (left, right)]
    blocks = [
        (o.src_start, o.dest_start, o.src_end - o.src_start)
        for o in Indel.opcodes(keys[0], keys[1])
        if o.tag == "equal"
    ]
    blocks = [*_without_slivers(blocks, len(left), len(right))]
    share = 2 * sum(n for _, _, n in blocks) / max(len(left) + len(right), 1)
    return Comparison(
        tuple(_parts(left, [(i, n) for i, _, n in blocks])),
        tuple(_parts(right, [(j, n) for _, j, n in blocks])),
        round(share, 3),
    )


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
