"""Collate two to five texts word by word in parallel columns, and list the variants of two.

Each text is aligned only to the first (the copy-text of textual criticism), so the work grows with the length of the
texts and not with the number of pairs. Differences in punctuation, capitals, spelling or word division are
distinguished from differences in words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby, pairwise
from typing import Literal

from rapidfuzz.distance import Indel

from extract.language.folding import words_of
from extract.language.sentences import clause_ends

MOST_TEXTS = 5
# Words of a text that are collated; no provision has half as many.
MOST_WORDS = 4000
# Fewer matching words than this between two differences are shown as part of the difference, and are no phrase.
SLIVER = 3
# Below this share of common words, texts count as unlike: the phrases that they share are marked, not what differs.
UNLIKE = 0.4
# Bands of fewer words than this are joined to the next: a number at the head of a paragraph is not a band.
_NARROWEST = 4
# A word with the punctuation and blanks after it; anything before the first word is a token too.
_TOKEN = re.compile(r"\w+(?:['’-]\w+)*\W*|^\W+")
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

Mark = Literal["same", "form", "words", "shared"]
# A word of the first text that is marked differently against several texts has the heaviest of these marks.
_HEAVIER: dict[Mark, int] = {"same": 0, "shared": 1, "form": 1, "words": 2}


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


@dataclass(frozen=True, slots=True)
class CollatedPiece:
    """A span of a text: the `same` as the first text, different in `form` or `words`, or `shared` by unlike texts."""

    mark: Mark
    text: str


@dataclass(frozen=True, slots=True)
class Variant:
    """A place where two texts differ in `words` or `form`, with a few words `left` and `right` of it in the second."""

    kind: Literal["words", "form"]
    before: str
    after: str
    left: str = ""
    right: str = ""


@dataclass(frozen=True, slots=True)
class Collation:
    """Texts in parallel.

    Attributes:
        bands: the rows: side by side the pieces of each text; all pieces of a text, joined, are the whole text.
        shares: for each text the share of words in common with the first, from 0 to 1.
        agree: whether all texts agree in every letter and punctuation mark.
    """

    bands: tuple[tuple[tuple[CollatedPiece, ...], ...], ...]
    shares: tuple[float, ...]
    agree: bool

    @property
    def unlike(self) -> tuple[bool, ...]:
        """For each text, whether it shares so little with the first that shared phrases are marked, not differences."""
        return tuple(share < UNLIKE for share in self.shares)

    @property
    def without_phrase(self) -> tuple[bool, ...]:
        """For each text, whether it is unlike the first and they share no phrase of three words or more."""
        marks = [{piece.mark for band in self.bands for piece in band[n]} for n in range(len(self.shares))]
        return tuple(unlike and "shared" not in found for unlike, found in zip(self.unlike, marks, strict=True))

    @property
    def marks(self) -> frozenset[Mark]:
        """The marks that occur, for a legend."""
        return frozenset(piece.mark for band in self.bands for column in band for piece in column)


def collate(texts: Sequence[str]) -> Collation:
    """Align texts to the first.

    A band ends where a clause of the first text ends, if all similar texts are aligned there; a text that is unlike the
    first is placed whole in the first band.

    Args:
        texts: two texts or more.
    """
    split = [_TOKEN.findall(text) for text in texts]
    alignments = [align(split[0], other) for other in split[1:]]
    shares = [_share(steps) for steps in alignments]
    like = [steps for steps, share in zip(alignments, shares, strict=True) if share >= UNLIKE]
    cuts = _cuts(split[0], like)
    of_first = [_marks(steps, steps in like, first=True) for steps in like or alignments]
    marks = [[max(at, key=_HEAVIER.__getitem__) for at in zip(*of_first, strict=True)]]
    places = [cuts]
    for steps, other in zip(alignments, split[1:], strict=True):
        marks.append(_marks(steps, steps in like, first=False))
        within = [_aligned_to(steps, cut) if steps in like else len(other) for cut in cuts[1:-1]]
        places.append([0, *within, len(other)])
    bands = tuple(
        tuple(_pieces(split[n][a:b], marks[n][a:b]) for n, (a, b) in enumerate(zip(starts, ends, strict=True)))
        for starts, ends in pairwise(zip(*places, strict=True))
    )
    return Collation(bands, tuple(round(share, 3) for share in (1.0, *shares)), len({*map(_flat, split)}) == 1)


def variants(a: str, b: str, context: int = 5) -> tuple[Variant, ...]:
    """Return all places where a text differs from another, in order.

    Args:
        a, b: the texts.
        context: how many words before and after a variant to include.
    """
    one, other = _TOKEN.findall(a), _TOKEN.findall(b)
    return tuple(
        Variant(
            step.mark,
            _flat(one[step.i : step.i2]),
            _flat(other[step.j : step.j2]),
            _flat(other[max(step.j - context, 0) : step.j]),
            _flat(other[step.j2 : step.j2 + context]),
        )
        for step in align(one, other)
        if step.mark != "same"
    )


def align(a: Sequence[str], b: Sequence[str]) -> list[AlignedSpans]:
    """Align the tokens of two texts from beginning to end, without gaps.

    The words that match are a longest common subsequence, regardless of punctuation, capitals, ligatures and spellings
    that printers used interchangeably. Fewer than three matching words between two differences are part of the
    difference, since small words match by chance.
    """
    keys = [[_key(token) for token in tokens] for tokens in (a, b)]
    steps: list[AlignedSpans] = []
    i = j = 0
    for block in Indel.editops(*keys).as_matching_blocks():
        if block.a > i or block.b > j:
            one, other = "".join(keys[0][i : block.a]), "".join(keys[1][j : block.b])
            # The division of words is a matter of form, that of figures is not: 2/3 is not 23.
            divided = one == other and not any(map(str.isdigit, one))
            steps.append(AlignedSpans(i, block.a, j, block.b, "form" if divided else "words"))
        i, j = block.a + block.size, block.b + block.size
        for x, y in zip(range(block.a, i), range(block.b, j), strict=True):
            steps.append(AlignedSpans(x, x + 1, y, y + 1, "same" if _flat([a[x]]) == _flat([b[y]]) else "form"))
    return _without_slivers(steps)


def _without_slivers(steps: Sequence[AlignedSpans]) -> list[AlignedSpans]:
    """Merge two differences with the few matching words between them."""
    runs = [(differs, [*run]) for differs, run in groupby(steps, key=lambda step: step.mark == "words")]
    inner = range(1, len(runs) - 1)
    sized = ((differs or (n in inner and len(run) < SLIVER), run) for n, (differs, run) in enumerate(runs))
    merged: list[AlignedSpans] = []
    for differs, joined in groupby(sized, key=lambda pair: pair[0]):
        every = [step for _, run in joined for step in run]
        first, last = every[0], every[-1]
        merged += [AlignedSpans(first.i, last.i2, first.j, last.j2, "words")] if differs else every
    return merged


def _share(steps: Sequence[AlignedSpans]) -> float:
    """Return the share of all words of two texts that match, from 0 to 1; 1 if neither text has words."""
    sizes = [(step.i2 - step.i + step.j2 - step.j, step.mark != "words") for step in steps]
    return sum(size for size, alike in sizes if alike) / sum(size for size, _ in sizes) if sizes else 1.0


def _key(token: str) -> str:
    """Return the form in which a token is compared: without punctuation and capitals, in one of several spellings."""
    key = "".join(words_of(token))
    for pattern, usual in _SPELLINGS:
        key = pattern.sub(usual, key)
    return key


def _flat(tokens: Sequence[str]) -> str:
    """Join tokens into one line, with quotation marks and the blanks before punctuation normalised."""
    return _BEFORE_SIGN.sub("", " ".join("".join(tokens).translate(_QUOTES).split()))


def _marks(steps: Sequence[AlignedSpans], like: bool, *, first: bool) -> list[Mark]:
    """Return the mark of each token of the first text or of the other; in unlike texts, shared phrases are marked."""
    marks: list[Mark] = []
    for differs, run in groupby(steps, key=lambda step: step.mark == "words"):
        spans = [*run]
        phrase: Mark = "same" if differs or len(spans) < SLIVER else "shared"
        for step in spans:
            marks += [step.mark if like else phrase] * (step.i2 - step.i if first else step.j2 - step.j)
    return marks


def _cuts(base: Sequence[str], steps: Sequence[Sequence[AlignedSpans]]) -> list[int]:
    """Return where bands of the first text begin and end: between clauses, where every text is aligned."""
    inside = {i for alignment in steps for step in alignment for i in range(step.i + 1, step.i2)}
    begins = [0, *accumulate(map(len, base))]
    ends = {gap.end for gap in clause_ends("".join(base))}
    cuts = [0]
    for i in range(1, len(base)):
        if i not in inside and i - cuts[-1] >= _NARROWEST and (begins[i] in ends or "\n\n" in base[i - 1]):
            cuts.append(i)
    if len(cuts) > 1 and len(base) - cuts[-1] < _NARROWEST:
        cuts.pop()
    return [*cuts, len(base)]


def _aligned_to(steps: Sequence[AlignedSpans], cut: int) -> int:
    """Return the token of a text that is aligned with a cut of the first; words added there are in the next band."""
    return next((step.j for step in steps if step.i >= cut), steps[-1].j2 if steps else 0)


def _pieces(tokens: Sequence[str], marks: Sequence[Mark]) -> tuple[CollatedPiece, ...]:
    together = groupby(zip(marks, tokens, strict=True), key=lambda pair: pair[0])
    return tuple(CollatedPiece(mark, "".join(token for _, token in run)) for mark, run in together)
