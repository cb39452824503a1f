"""Books on the shelf that print some of the same passages."""

from __future__ import annotations

import re
from collections.abc import Mapping

_WORD = re.compile(r"[^\W\d_]+")
_LENGTH = 8  # words; shorter phrases are common to all books of a kind
_LEAST = 0.03
_FEWEST = 200


def shared_passages(scan: str, others: Mapping[str, str]) -> dict[str, float]:
    """Find the witnesses of a scan by runs of eight words that both have.

    Args:
        scan: the text of the new book.
        others: the texts of the shelf by the ids of their books.
    Returns:
        The share of the new book that each witness prints too, 0 to 1, the greatest first; small ones are left out.
    """
    own = _runs(scan)
    if not own:
        return {}
    counts = {name: len(own & _runs(text)) for name, text in others.items()}
    found = {name: count / len(own) for name, count in counts.items() if count >= _FEWEST}
    return {n: s for n, s in sorted(found.items(), key=lambda pair: -pair[1]) if s >= _LEAST}


def _runs(text: str) -> set[int]:
    words = _WORD.findall(text.casefold())
    return {hash(tuple(words[i : i + _LENGTH])) for i in range(len(words) - _LENGTH + 1)}
