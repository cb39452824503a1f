"""A linear classifier that finds which question of the topics a text asks, if any.

It has one support vector machine for each question against all others (Fan et al., "LIBLINEAR", 2008), fitted by
`kb.questions.fit` on the paraphrases of each question, on questions about other subjects, and on questions about this
subject that no provision decides. There are three kinds of features: stems and pairs of neighbouring stems, with
function words ("how long", "may we") and without them, and character 4-grams, which cover words that no paraphrase has.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from extract.language.folding import words_of
from extract.language.stemming import stem
from kb.analysis.index import Scores, TermIndex
from kb.analysis.words import terms
from kb.questions.paraphrases import OFF_TOPIC, UNRULED

FILE = "matcher.npz"
_NGRAM = 4  # characters; with n-grams of three to five it finds hardly more
_MOST_COUNTED = 2  # a feature counts at most so many times, however often a story repeats it
Hashes = NDArray[np.uint64]
Rarity = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Reading:
    """The matcher's scores for a text.

    Attributes:
        questions: how clearly each question is asked: 0 without evidence, 1 at the decision boundary, seldom above 2.
        off_topic: the margin of another subject over everything on this one; negative if the text is on this one.
        unruled: the margin of what no provision decides over the best question.
    """

    questions: Scores
    off_topic: float
    unruled: float


@dataclass(frozen=True, slots=True)
class Fitted:
    """A fitted classifier.

    Attributes:
        hashes: the hashes of the features, sorted; the features themselves would take 15 MB more.
        features: the integer weights of the features, with a row for each question; the last two rows are for other
            subjects, and for what no provision decides.
        scale: the factor that turns integers into weights.
        rarity: the inverse document frequency of each feature among the paraphrases.
        bias: the constant that is added for each row; minus infinity for a question that it was not fitted to.
    """

    hashes: Hashes
    features: TermIndex
    scale: float
    rarity: Rarity
    bias: NDArray[np.float64]

    def read(self, text: str) -> Reading:
        """Find what a text asks."""
        features = weighed_features(hashed_features(text), self.hashes, self.rarity)
        scores = np.maximum(1 + self.scale * self.features.of_columns(features) + self.bias, 0.0)
        best = scores[:-2].max(initial=0.0)
        return Reading(scores[:-2], float(scores[-2] - max(best, scores[-1])), float(scores[-1] - best))


def load_fitted(fitted: bytes, rows: Mapping[str, int]) -> Fitted:
    """Read a matcher.

    Args:
        fitted: the contents of `matcher.npz`; without any, it recognises no question.
        rows: the row of each question, by id; others that it was fitted to are left out.
    """
    rows = {**rows, OFF_TOPIC: len(rows), UNRULED: len(rows) + 1}
    bias = np.full(len(rows), -np.inf)
    if not fitted:
        # No feature has the hash 0.
        return Fitted(np.zeros(1, np.uint64), TermIndex.of_rows({} for _ in rows), 1.0, np.ones(1, np.float32), bias)
    with np.load(io.BytesIO(fitted)) as table:
        known = np.array([rows.get(question, -1) for question in unpacked(table["questions"])], dtype=np.int16)
        bias[known[known >= 0]] = table["bias"][known >= 0]
        row = known[table["question"]]
        kept = row >= 0
        starts = np.concatenate(([0], kept.cumsum()))[table["starts"]]
        features = TermIndex({}, starts, row[kept], table["weight"][kept], len(rows))
        return Fitted(table["hashes"], features, float(table["scale"]), table["rarity"], bias)


def fitted_to(fitted: bytes) -> dict[str, int]:
    """Return the questions that a matcher was fitted to, each with the digest of its label and paraphrases.

    Args:
        fitted: the contents of `matcher.npz`.
    """
    with np.load(io.BytesIO(fitted)) as table:
        return dict(zip(unpacked(table["questions"]), table["digests"].tolist(), strict=True))


def weighed_features(kinds: Iterable[Hashes], hashes: Hashes, rarity: Rarity) -> dict[int, float]:
    """The features of a text by column, weighted by tf-idf; the vector of each kind of features has length 1.

    Args:
        kinds: the hashes of the features of the text, of each kind.
        hashes, rarity: as for `Fitted`.
    """
    found: dict[int, float] = {}
    for features in kinds:
        wanted, counts = np.unique(features, return_counts=True)
        at = np.minimum(np.searchsorted(hashes, wanted), len(hashes) - 1)
        known = hashes[at] == wanted
        times = np.minimum(counts[known], _MOST_COUNTED)
        weights = (1 + np.log(times)) * rarity[at[known]]
        found |= zip(at[known].tolist(), (weights / (np.linalg.norm(weights) or 1.0)).tolist(), strict=True)
    return found


def hashed_features(text: str) -> tuple[Hashes, ...]:
    """64-bit hashes of the features of a text, of each kind, the same in any process; collisions are very unlikely."""
    return tuple(
        np.frombuffer(b"".join(blake2b(each.encode(), digest_size=8).digest() for each in features), "<u8")
        for features in _features(text)
    )


def unpacked(table: NDArray[np.uint8]) -> list[str]:
    """The lines of a text that is stored as an array of bytes."""
    return table.tobytes().decode().split("\n")


def _features(text: str) -> tuple[list[str], list[str], list[str]]:
    """The features of a text by kind; the characters `_`, `-` and `*` keep features of different kinds distinct."""
    words = words_of(text)
    framed = [f"_{word}_" for word in words]
    ngrams = [f"{word[at : at + _NGRAM]}-" for word in framed for at in range(max(1, len(word) - _NGRAM + 1))]
    return _with_pairs([stem(word) for word in words]), _with_pairs([f"*{one}" for one in terms(text)]), ngrams


def _with_pairs(stems: list[str]) -> list[str]:
    return [*stems, *(f"{one} {other}" for one, other in pairwise(stems))]
