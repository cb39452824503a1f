"""A linear classifier, trained at each build, that finds which question of the topics a text asks, if any.

It is trained on the editor's paraphrases of each question, on questions about other subjects, and on questions about
this subject that no provision decides.

It has one support vector machine for each question against all others (Fan et al., "LIBLINEAR", 2008), on three kinds
of features: stems and pairs of neighbouring stems, with function words ("how long", "may we") and without them, and
character 4-grams, which cover words that no paraphrase has.
"""

from __future__ import annotations

import io
from array import array
from base64 import b64decode, b64encode
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from extract.language.folding import words_of
from extract.language.stemming import stem
from kb.analysis.index import Scores, TermIndex
from kb.analysis.words import terms

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

# The cost of training errors as against large weights (liblinear's C); 0.25, 0.5 and 1 give the same accuracy.
_STRICTNESS = 0.5
# Training stops at this tolerance of the largest gradient (liblinear's eps). With 1.5 it is as good, and takes three
# quarters of the time, but is less steady: if 60 of 49,500 paraphrases are left out, others come first for 68 of 1,647
# texts; with 0.5, for 21.
_TOLERANCE = 0.5
# Questions are trained in so many groups, whatever the number of processes, so that the result is always the same.
_GROUPS = 2
# The fewest paraphrases that have a feature: one that occurs in a single paraphrase says nothing about other texts.
_LEAST = 2
_NGRAM = 4  # characters; with n-grams of three to five it finds hardly more, and training takes twice as long
_CLASSES = 3  # no library has fewer questions
_MOST_COUNTED = 2  # a feature counts at most so many times, however often a story repeats it
Hashes = NDArray[np.uint64]
OFF_TOPIC, UNRULED = "", "?"
"""Used instead of the id of a question: for another subject, and for what no provision decides."""
_OTHERS = "~"  # in place of other questions; their ids sort before it
_MOST = 127  # weights are stored as integers of one byte
_SMALLEST = 3  # weights below this, which are most, are left out; accuracy does not suffer


@dataclass(frozen=True, slots=True)
class Reading:
    """The classifier's scores for a text.

    Attributes:
        questions: how clearly each question is asked: 0 without evidence, 1 at the decision boundary, seldom above 2.
        off_topic: the margin of another subject over everything on this one; negative if the text is on this one.
        unruled: the margin of what no provision decides over the best question.
    """

    questions: Scores
    off_topic: float
    unruled: float


@dataclass(frozen=True, slots=True)
class Classifier:
    """A trained classifier.

    Attributes:
        hashes: the hashes of the features, sorted; the features themselves would take 15 MB more.
        features: the integer weights of the features, with a row for each question; the last two rows are for other
            subjects, and for what no provision decides.
        scale: the factor that turns integers into weights.
        rarity: the inverse document frequency of each feature among the paraphrases.
        bias: the constant that is added for each row.
    """

    hashes: Hashes
    features: TermIndex
    scale: float
    rarity: NDArray[np.float32]
    bias: NDArray[np.float64]

    def read(self, text: str) -> Reading:
        """Find what a text asks."""
        features = _features(_hashed_kinds(text), self.hashes, self.rarity)
        scores = np.maximum(1 + self.scale * self.features.of_columns(features) + self.bias, 0.0)
        best = scores[:-2].max(initial=0.0)
        return Reading(scores[:-2], float(scores[-2] - max(best, scores[-1])), float(scores[-1] - best))


def train(paraphrases: Sequence[tuple[str, str]], executor: Executor | None = None) -> str:
    """Train a classifier.

    Args:
        paraphrases: ids of questions, `OFF_TOPIC` or `UNRULED`, each with one wording of it.
        executor: where groups of questions are trained; None to train them here, in turn.
    Returns:
        The classifier in the form that `load` reads, the same for the same paraphrases; "" if there are too few
        questions.
    """
    if len({question for question, _ in paraphrases}) < _CLASSES:
        return ""
    from scipy.sparse import csr_matrix

    texts = [_hashed_kinds(text) for _, text in paraphrases]
    frequency = Counter(chain.from_iterable(set(np.concatenate(kinds).tolist()) for kinds in texts))
    hashes = np.array(sorted(feature for feature, n in frequency.items() if n >= _LEAST), np.uint64)
    counts = np.array([frequency[feature] for feature in hashes.tolist()])
    rarity = (np.log((len(paraphrases) + 1) / (counts + 1)) + 1).astype(np.float32)
    cells, weighed, starts = array("i"), array("f"), array("i", [0])
    for kinds in texts:
        features = _features(kinds, hashes, rarity)
        cells.extend(features)
        weighed.extend(features.values())
        starts.append(len(cells))
    matrix = csr_matrix((weighed, cells, starts), (len(paraphrases), len(hashes)), dtype=np.float32)
    asked = np.array([question for question, _ in paraphrases])
    # A question that no provision decides may resemble one that is decided, so these are not negative examples for the
    # other questions.
    ruled = asked != UNRULED
    names = np.unique(asked[ruled])
    parts = [(matrix[ruled], asked[ruled], group) for group in np.array_split(names, min(_GROUPS, len(names)))]
    if not ruled.all():
        names = np.append(names, UNRULED)
        parts.append((matrix, asked, names[-1:]))
    fitted = [*(executor.map if executor else map)(_fit, *zip(*parts, strict=True))]
    learnt, bias = np.vstack([weights for weights, _ in fitted]), np.concatenate([bias for _, bias in fitted])
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
        bias=bias,
    )
    return b64encode(stored.getvalue()).decode()


def _fit(matrix: csr_matrix, asked: NDArray[np.str_], questions: NDArray[np.str_]) -> tuple[NDArray[np.float64], ...]:
    """The weights and the constants of some questions, each against all others."""
    from sklearn.svm import LinearSVC

    among = np.isin(asked, questions)
    machine = LinearSVC(C=_STRICTNESS, tol=_TOLERANCE, random_state=0).fit(matrix, np.where(among, asked, _OTHERS))
    # With two classes, liblinear has one row of weights, for the later one; the others come last.
    sign = -1 if len(machine.classes_) == 2 else 1
    mine = slice(len(questions))
    return sign * machine.coef_[mine], sign * machine.intercept_[mine]


def load(stored: str, rows: Mapping[str, int]) -> Classifier:
    """Read a classifier.

    Args:
        stored: what `train` returned; "" gives a classifier that recognises no question.
        rows: the row of each question, by id.
    """
    rows = {**rows, OFF_TOPIC: len(rows), UNRULED: len(rows) + 1}
    bias = np.full(len(rows), -np.inf)
    if not stored:
        # No feature has the hash 0.
        return Classifier(
            np.zeros(1, np.uint64), TermIndex.of_rows({} for _ in rows), 1.0, np.ones(1, np.float32), bias
        )
    with np.load(io.BytesIO(b64decode(stored))) as table:
        row = np.array([rows[question] for question in _unpacked(table["questions"])], dtype=np.uint16)
        bias[row] = table["bias"]
        features = TermIndex({}, table["starts"].tolist(), row[table["question"]], table["weight"], len(rows))
        return Classifier(table["hashes"], features, float(table["scale"]), table["rarity"], bias)


def _features(kinds: Iterable[Hashes], hashes: Hashes, rarity: NDArray[np.float32]) -> dict[int, float]:
    """The features of a text by column, weighted by tf-idf; the vector of each kind of features has length 1.

    Args:
        kinds: the hashes of the features of the text, of each kind.
        hashes, rarity: as for `Classifier`.
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


def _hashed_kinds(text: str) -> tuple[Hashes, ...]:
    """64-bit hashes of the features of a text, the same in any process; among 161,000 collisions are very unlikely."""
    from spacy.strings import get_string_id

    return tuple(np.fromiter(map(get_string_id, features), np.uint64) for features in _kinds(text))


def _kinds(text: str) -> tuple[list[str], list[str], list[str]]:
    """The features of a text by kind; the characters `_`, `-` and `*` keep features of different kinds distinct."""
    words = words_of(text)
    framed = [f"_{word}_" for word in words]
    ngrams = [f"{word[at : at + _NGRAM]}-" for word in framed for at in range(max(1, len(word) - _NGRAM + 1))]
    return _with_pairs([stem(word) for word in words]), _with_pairs([f"*{one}" for one in terms(text)]), ngrams


def _with_pairs(stems: list[str]) -> list[str]:
    return [*stems, *(f"{one} {other}" for one, other in pairwise(stems))]


def _packed(words: Iterable[str]) -> NDArray[np.uint8]:
    return np.frombuffer("\n".join(words).encode(), dtype=np.uint8)


def _unpacked(table: NDArray[np.uint8]) -> list[str]:
    return table.tobytes().decode().split("\n")
