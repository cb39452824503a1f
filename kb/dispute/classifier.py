"""Which question of the topics somebody asks, if any: a linear classifier, trained at each build.

It learns from the editor's paraphrases of each question, from what people ask about other subjects, and from what they
ask of this one that no provision decides.

One support vector machine for each question against all others (Fan et al., "LIBLINEAR", 2008), on three kinds of
features: stems and pairs of neighbouring stems, with the words of grammar ("how long", "may we") and without them, and
rows of four letters, so that words count which no paraphrase has.
"""

from __future__ import annotations

import io
from array import array
from base64 import b64decode, b64encode
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise

import numpy as np
from numpy.typing import NDArray

from extract.language.folding import words_of
from extract.language.stemming import stem
from kb.analysis.index import Scores, TermIndex
from kb.analysis.words import terms

# How strongly faults in the training count against large weights (liblinear's C). At 0.25, 0.5 and 1 it finds as much.
_STRICTNESS = 0.5
# At which change of the largest gradient training ends: at 1 it lasts a third longer and finds no more.
_TOLERANCE = 1.5
# What a single paraphrase has tells nothing of others.
_LEAST = 2
_ROW = 4  # letters; with rows of three to five it finds hardly more, and trains twice as long
# A classifier of two classes is one of their difference; no library of questions is so small.
_CLASSES = 3
_TWICE = 2  # what a story repeats counts no more often
Hashes = NDArray[np.uint64]
OFF_TOPIC, UNRULED = "", "?"
"""Stand for the id of a question where something else is asked about, or what no provision decides."""
_MOST = 127  # weights are stored as whole numbers of a byte
_SMALLEST = 3  # without those below, which are most, questions are told apart as well


@dataclass(frozen=True, slots=True)
class Reading:
    """What a text asks, as the classifier reads it.

    Attributes:
        questions: how clearly each question is asked: 0 if nothing speaks for it, 1 at the border, seldom above 2.
        off_topic: by how much more clearly it is about another subject than it asks anything of this one; below 0 if it
            is not.
        unruled: by how much more clearly it asks what no provision decides.
    """

    questions: Scores
    off_topic: float
    unruled: float


@dataclass(frozen=True, slots=True)
class Classifier:
    """A trained classifier.

    Attributes:
        hashes: those of the features, in their order; the features themselves would take 15 MB more.
        features: of each question, a row, what each feature speaks for or against it, in whole numbers; the last two
            rows are for what is asked about other subjects, and for what no provision decides.
        scale: how much a whole number is.
        rarity: of each feature how seldom paraphrases have it.
        bias: what is added for each row.
    """

    hashes: Hashes
    features: TermIndex
    scale: float
    rarity: NDArray[np.float32]
    bias: NDArray[np.float64]

    def read(self, text: str) -> Reading:
        """Tell what a text asks."""
        features = _features(text, self.hashes, self.rarity)
        scores = np.maximum(1 + self.scale * self.features.of_columns(features) + self.bias, 0.0)
        best = scores[:-2].max(initial=0.0)
        return Reading(scores[:-2], float(scores[-2] - max(best, scores[-1])), float(scores[-1] - best))


def train(paraphrases: Sequence[tuple[str, str]]) -> str:
    """Train a classifier.

    Args:
        paraphrases: ids of questions, `OFF_TOPIC` or `UNRULED`, each with a way in which somebody puts it.
    Returns:
        The classifier as `load` reads it, the same for the same paraphrases; nothing for too few questions.
    """
    if len({question for question, _ in paraphrases}) < _CLASSES:
        return ""
    from scipy.sparse import csr_matrix
    from sklearn.svm import LinearSVC

    having = Counter(feature for _, text in paraphrases for feature in {*_hashed(chain(*_kinds(text)))})
    hashes = np.array(sorted(feature for feature, n in having.items() if n >= _LEAST), np.uint64)
    times = np.array([having[feature] for feature in hashes.tolist()])
    rarity = (np.log((len(paraphrases) + 1) / (times + 1)) + 1).astype(np.float32)
    cells, weighed, starts = array("i"), array("f"), array("i", [0])
    for _, text in paraphrases:
        features = _features(text, hashes, rarity)
        cells.extend(features)
        weighed.extend(features.values())
        starts.append(len(cells))
    matrix = csr_matrix((weighed, cells, starts), (len(paraphrases), len(hashes)), dtype=np.float32)
    asked = np.array([question for question, _ in paraphrases])
    # A provision may decide what is like a question that none decides: these are no examples against the others.
    ruled = asked != UNRULED
    machines = [LinearSVC(C=_STRICTNESS, tol=_TOLERANCE, random_state=0).fit(matrix[ruled], asked[ruled])]
    names = [*machines[0].classes_]
    if not ruled.all():
        machines.append(LinearSVC(C=_STRICTNESS, tol=_TOLERANCE, random_state=0).fit(matrix, ~ruled))
        names.append(UNRULED)
    learnt = np.vstack([machine.coef_ for machine in machines])
    scale = float(np.abs(learnt).max()) / _MOST
    weights = np.round(learnt / scale).astype(np.int8)
    column, at = np.nonzero(np.abs(weights.T) >= _SMALLEST)  # column by column, as `TermIndex` has them
    stored = io.BytesIO()
    np.savez_compressed(
        stored,
        hashes=hashes,
        rarity=rarity,
        questions=_packed(names),
        starts=np.searchsorted(column, np.arange(len(hashes) + 1)).astype(np.uint32),
        question=at.astype(np.uint16),
        weight=weights[at, column],
        scale=np.array(scale),
        bias=np.concatenate([machine.intercept_ for machine in machines]),
    )
    return b64encode(stored.getvalue()).decode()


def load(stored: str, rows: Mapping[str, int]) -> Classifier:
    """Read a classifier.

    Args:
        stored: what `train` made; of nothing comes one that knows no question.
        rows: the row of each question, by id.
    """
    rows = {**rows, OFF_TOPIC: len(rows), UNRULED: len(rows) + 1}
    bias = np.full(len(rows), -np.inf)
    if not stored:
        # No feature has 0 for its hash.
        return Classifier(
            np.zeros(1, np.uint64), TermIndex.of_rows({} for _ in rows), 1.0, np.ones(1, np.float32), bias
        )
    with np.load(io.BytesIO(b64decode(stored))) as table:
        row = np.array([rows[question] for question in _unpacked(table["questions"])], dtype=np.uint16)
        bias[row] = table["bias"]
        features = TermIndex({}, table["starts"].tolist(), row[table["question"]], table["weight"], len(rows))
        return Classifier(table["hashes"], features, float(table["scale"]), table["rarity"], bias)


def _features(text: str, hashes: Hashes, rarity: NDArray[np.float32]) -> dict[int, float]:
    """The columns of a text's features, weighed by tf-idf; those of each kind have length 1 together."""
    found: dict[int, float] = {}
    for features in _kinds(text):
        counts = Counter(_hashed(features))
        sought = np.fromiter(counts, np.uint64, len(counts))
        at = np.minimum(np.searchsorted(hashes, sought), len(hashes) - 1)
        known = hashes[at] == sought
        times = np.minimum(np.fromiter(counts.values(), np.intp, len(counts))[known], _TWICE)
        weights = (1 + np.log(times)) * rarity[at[known]]
        found |= zip(at[known].tolist(), (weights / (np.linalg.norm(weights) or 1.0)).tolist(), strict=True)
    return found


def _hashed(features: Iterable[str]) -> Iterator[int]:
    """Hashes of 64 bits, the same in any process; of 161,000 features hardly ever two have the same."""
    from spacy.strings import get_string_id

    return map(get_string_id, features)


def _kinds(text: str) -> tuple[list[str], list[str], list[str]]:
    """The features of a text, kind by kind; the marks keep those of one kind from those of another."""
    words = words_of(text)
    framed = [f"_{word}_" for word in words]
    rows = [f"{word[at : at + _ROW]}-" for word in framed for at in range(max(1, len(word) - _ROW + 1))]
    return _with_pairs([stem(word) for word in words]), _with_pairs([f"*{one}" for one in terms(text)]), rows


def _with_pairs(stems: list[str]) -> list[str]:
    return [*stems, *(f"{one} {other}" for one, other in pairwise(stems))]


def _packed(words: Iterable[str]) -> NDArray[np.uint8]:
    return np.frombuffer("\n".join(words).encode(), dtype=np.uint8)


def _unpacked(table: NDArray[np.uint8]) -> list[str]:
    return table.tobytes().decode().split("\n")
