"""Split a text that asks several questions into its parts.

The rule: each line of a list and each sentence stands by itself, and so does what follows a colon or an "and" if a
question word follows. What ends with a question mark or begins with a question word asks; each such piece is a part,
and comes with all that is said before it. A text with fewer than two of these is not split.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from kb.analysis.words import sentences

MOST = 8
"""The most parts of a text; what is asked after these is left out."""
_ASKING = (
    r"(?:(?:until|till|by|since|for|to|on|in|of)\s+)?(?:what|who|whose|whom|which|when|where|why|how)(?:’s|'s)?|"
    r"(?:is|are|am|was|were|do|does|did|may|can|could|must|should|shall|will|would|has|have|had)(?:n’t|n't)?"
)
_ASKS = re.compile(rf"(?:and\s+|but\s+|or\s+|so\s+|then\s+)?(?:{_ASKING})\b", re.IGNORECASE)
# Before a question word: a colon, or "and" with the comma before it, if any.
_BORDER = re.compile(
    rf"(?<=[:;])\s+(?={_ASKING}\b)|,?\s+and,?\s+(?:(?:if\s+(?:so|not)|then|also),?\s+)?(?={_ASKING}\b)", re.IGNORECASE
)
_ITEM = re.compile(r"^\s*(?:[-*•–—]|\(?(?:\d+|[a-d])[.)])\s+", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Part:
    """What one question of a text asks: its own words, and all that is said before it."""

    asked: str
    before: str = ""

    @property
    def whole(self) -> str:
        """The words before it and its own."""
        return f"{self.before} {self.asked}".strip()


def parts(text: str) -> tuple[Part, ...]:
    """Return the parts of a text, in order; the whole text as one part if it asks no more than one question."""
    lines = _ITEM.sub("", text).splitlines()
    pieces = [piece.strip() for line in lines for sentence in sentences(line) for piece in _BORDER.split(sentence)]
    asking = [at for at, piece in enumerate(pieces) if piece.endswith("?") or _ASKS.match(piece)]
    if len(asking) < 2:
        return (Part(text.strip()),)
    return tuple(Part(pieces[at], " ".join(pieces[:at])) for at in asking[:MOST])
