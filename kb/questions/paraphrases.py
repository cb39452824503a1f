"""The paraphrases of the questions: what players may type for each, in `corpus/paraphrases/TOPIC.txt`.

A line `## name` begins the paraphrases of a question, one a line; a line with one `#` is a comment. Two further files
have no questions: `off-topic.txt` has what people ask about other subjects, `unruled.txt` what they ask about this
subject and no provision decides.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from hashlib import blake2b
from pathlib import Path

from extract.errors import BookError, printable

FOLDER = "paraphrases"
OFF_TOPIC, UNRULED = "", "?"
"""In place of a question's id: another subject, and what no provision decides."""
_WITHOUT_QUESTIONS = {"off-topic": OFF_TOPIC, "unruled": UNRULED}


def read_paraphrases(corpus: Path, questions: Collection[str]) -> dict[str, tuple[str, ...]]:
    """Read the paraphrases of all questions.

    Args:
        corpus: the corpus; its folder of paraphrases may be missing.
        questions: the ids of all questions.
    Returns:
        The paraphrases by id of their question (`revoke/penalty`), `OFF_TOPIC` and `UNRULED` among them.
    Raises:
        BookError: a file is not UTF-8, a paraphrase has no question or one that does not exist, or stands under two
            questions; the message names each such line.
    """
    found: dict[str, list[str]] = {}
    first: dict[str, tuple[str, str]] = {}  # the question and the place of each paraphrase
    faults = []
    for path in sorted((corpus / FOLDER).glob("*.txt")):
        question = _WITHOUT_QUESTIONS.get(path.stem)
        for number, line in enumerate(_lines(path), 1):
            words, place = line.strip(), f"{printable(path)}, line {number}"
            if line.startswith("## ") and path.stem not in _WITHOUT_QUESTIONS:
                question = f"{path.stem}/{line[3:].strip()}"
                if question not in questions:
                    faults.append(f"{place}: there is no question {question!r}; correct the name.")
            elif not words or words.startswith("#"):
                continue
            elif question is None:
                faults.append(f"{place}: there is no question above; write a line `## name` before it.")
            elif (other := first.setdefault(words, (question, place)))[0] != question:
                faults.append(f"{place}: {words!r} is also a paraphrase of another question ({other[1]}); delete one.")
            else:
                found.setdefault(question, []).append(words)
    if faults:
        raise BookError("\n".join(faults))
    return {question: tuple(all_words) for question, all_words in found.items()}


def digests(labels: Mapping[str, str], paraphrases: Mapping[str, tuple[str, ...]]) -> dict[str, int]:
    """Return a digest of what the matcher learns of each question, by id: 64 bits of its label and its paraphrases.

    Args:
        labels: the questions, by id.
        paraphrases: what `read_paraphrases` returned.
    """
    learnt = {question: (label, *paraphrases.get(question, ())) for question, label in labels.items()}
    learnt |= {kind: paraphrases[kind] for kind in (OFF_TOPIC, UNRULED) if kind in paraphrases}
    return {
        question: int.from_bytes(blake2b("\n".join(texts).encode(), digest_size=8).digest(), "big")
        for question, texts in learnt.items()
    }


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError) as error:
        raise BookError(f"{printable(path)} cannot be read as text; save it as UTF-8.") from error
