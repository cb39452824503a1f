"""Fit the matcher to the paraphrases: `make fit` writes `corpus/matcher.npz`.

It needs scikit-learn, which the library does not need to run. The file is the same for the same paraphrases, lock file
and platform.
"""

from __future__ import annotations

import io
from array import array
from collections import Counter
from collections.abc import Iterable, Mapping
from concurrent.futures import ProcessPoolExecutor
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from kb.questions.matcher import hashed_features, weighed_features
from kb.questions.paraphrases import UNRULED, digests

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

# The cost of training errors as against large weights (liblinear's C); 0.25, 0.5 and 1 give the same accuracy.
_STRICTNESS = 0.5
# Training stops at this tolerance of the largest gradient (liblinear's eps); with 1.5 other questions come first for 68
# of 1,647 texts if 60 of 49,500 paraphrases are left out, with 0.5 for 21.
_TOLERANCE = 0.5
# Questions are fitted in so many groups, whatever the number of processes, so that the result is always the same.
_GROUPS = 2
# The fewest paraphrases that have a feature: one that occurs in a single paraphrase says nothing about other texts.
_LEAST = 2
_OTHERS = "~"  # in place of other questions; their ids sort before it
_MOST = 127  # weights are stored as integers of one byte
_SMALLEST = 3  # weights below this, which are most, are left out; accuracy does not suffer


def fit(labels: Mapping[str, str], paraphrases: Mapping[str, tuple[str, ...]]) -> bytes:
    """Fit a matcher.

    Args:
        labels: the questions, by id; a question's own words are one of its paraphrases.
        paraphrases: what `kb.questions.paraphrases.read_paraphrases` returned.
    Returns:
        The contents of `matcher.npz`.
    """
    from scipy.sparse import csr_matrix

    learnt = digests(labels, paraphrases)
    examples = [
        (question, words)
        for question in learnt
        for words in (*paraphrases.get(question, ()), *([labels[question]] if question in labels else ()))
    ]
    texts = [hashed_features(words) for _, words in examples]
    frequency = Counter(chain.from_iterable(set(np.concatenate(kinds).tolist()) for kinds in texts))
    hashes = np.array(sorted(feature for feature, n in frequency.items() if n >= _LEAST), np.uint64)
    counts = np.array([frequency[feature] for feature in hashes.tolist()])
    rarity = (np.log((len(examples) + 1) / (counts + 1)) + 1).astype(np.float32)
    columns, weighed, starts = array("i"), array("f"), array("i", [0])
    for kinds in texts:
        features = weighed_features(kinds, hashes, rarity)
        columns.extend(features)
        weighed.extend(features.values())
        starts.append(len(columns))
    matrix = csr_matrix((weighed, columns, starts), (len(examples), len(hashes)), dtype=np.float32)
    asked = np.array([question for question, _ in examples])
    # A question that no provision decides may resemble one that is decided, so these are not negative examples for the
    # other questions.
    ruled = asked != UNRULED
    names = np.unique(asked[ruled])
    parts = [(matrix[ruled], asked[ruled], group) for group in np.array_split(names, min(_GROUPS, len(names)))]
    if not ruled.all():
        names = np.append(names, UNRULED)
        parts.append((matrix, asked, names[-1:]))
    with ProcessPoolExecutor(len(parts)) as pool:
        fitted = [*pool.map(_weights, *zip(*parts, strict=True))]
    learned, bias = np.vstack([weights for weights, _ in fitted]), np.concatenate([bias for _, bias in fitted])
    scale = float(np.abs(learned).max()) / _MOST
    rounded = np.round(learned / scale).astype(np.int8)
    column, question = np.nonzero(np.abs(rounded.T) >= _SMALLEST)  # column by column, as `TermIndex` has them
    stored = io.BytesIO()
    np.savez_compressed(
        stored,
        questions=_packed(names),
        digests=np.array([learnt[name] for name in names.tolist()], np.uint64),
        hashes=hashes,
        rarity=rarity,
        starts=np.searchsorted(column, np.arange(len(hashes) + 1)).astype(np.uint32),
        question=question.astype(np.uint16),
        weight=rounded[question, column],
        scale=np.array(scale),
        bias=bias,
    )
    return stored.getvalue()


def _weights(
    matrix: csr_matrix, asked: NDArray[np.str_], questions: NDArray[np.str_]
) -> tuple[NDArray[np.float64], ...]:
    """The weights and the constants of some questions, each against all others."""
    from sklearn.svm import LinearSVC

    among = np.isin(asked, questions)
    machine = LinearSVC(C=_STRICTNESS, tol=_TOLERANCE, random_state=0).fit(matrix, np.where(among, asked, _OTHERS))
    # With two classes, liblinear has one row of weights, for the later one; the others come last.
    sign = -1 if len(machine.classes_) == 2 else 1
    mine = slice(len(questions))
    return sign * machine.coef_[mine], sign * machine.intercept_[mine]


def _packed(words: Iterable[str]) -> NDArray[np.uint8]:
    return np.frombuffer("\n".join(words).encode(), dtype=np.uint8)
