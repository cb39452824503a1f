"""What a text is about though it shares no word with another: the mean of its words' vectors.

A vector is what a sentence model (all-MiniLM-L6-v2) makes of the word alone, reduced by principal components, the first
few left out, which all words share ("Model2Vec", Tulkens and van Dongen, 2024; Mu and Viswanath, "All-but-the-Top",
2018). `kb.evaluation.meaning` makes the table. No model is needed to use it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

FILE = "word-vectors.npz"
Vectors = NDArray[np.float32]


@cache
def word_vectors() -> tuple[Mapping[str, int], NDArray[np.int8]]:
    """The words that have a vector, each with its row, and the vectors, of which only the directions count."""
    with (files("kb") / "data" / FILE).open("rb") as file, np.load(file) as table:
        words = table["words"].tobytes().decode().split("\n")
        return {word: row for row, word in enumerate(words)}, table["vectors"]


def meaning(weights: Mapping[str, float]) -> Vectors:
    """The mean vector of some words, of length 1; of length 0 if none of them has a vector.

    Args:
        weights: the words in lower case, each with its weight.
    """
    rows, vectors = word_vectors()
    known = [word for word in weights if word in rows]
    chosen = vectors[[rows[word] for word in known]].astype(np.float32)
    vector: Vectors = np.array([weights[word] for word in known], np.float32) @ chosen
    length = float(np.linalg.norm(vector))
    return vector / length if length else vector
