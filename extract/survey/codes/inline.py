"""Where a code begins and ends in a scan that is one single line: by words in capitals, and else by sentences."""

from __future__ import annotations

import re
from collections.abc import Sequence

from extract.language.sentences import boundaries
from extract.segment.outline import WorkingText
from extract.text.headings import inline_headings, names_a_body

# Set by hand on invented e-texts and two statute codes (docs/quality.md).
INTRODUCTION = 3500
"""Characters between the heading of a code and its first law, at most."""
_BARE = re.compile(r"(?:^|(?<=[.!?)\"'’”—]\s))(?:[A-Z][A-Z'’-]*,?\s){1,9}[A-Z][A-Z'’-]+(?=\s(?:[A-Z\d“\"]|$))")
LONG = 3
"""Times the usual length of a provision, at most, up to the next heading."""


def inline_heading(work: WorkingText, first: int, floor: int) -> tuple[int, str]:
    """Where the matter of a code begins, and its heading: the last in capitals that names laws, or stands at the label.

    Args:
        work: the working text.
        first: where the first label stands.
        floor: an offset above which its heading cannot stand.
    """
    above = max(floor, first - INTRODUCTION)
    heads = _headings(work, above, first)
    named = [(a, b) for a, b in heads if names_a_body(work.text[a:b])]
    touching = [(a, b) for a, b in heads if not work.text[b:first].strip()]
    for a, b in (named or touching)[-1:]:
        return a, " ".join(work.text[a:b].split())
    return first, ""


def inline_end(work: WorkingText, after: int, usual: float, stop: int) -> int:
    """Where the last provision ends: at the next heading, or at the end of the sentence that makes it long enough.

    Args:
        work: the working text.
        after: where the text of that provision begins.
        usual: the characters that a provision has.
        stop: where the next code begins, or the book ends.
    """
    longest = int(after + LONG * max(usual, 300))
    heading = next((a for a, _ in _headings(work, after, min(stop, longest)) if a > after), None)
    if heading is not None:
        return heading
    if stop <= longest:
        return stop
    return next((gap.end for gap in boundaries(work.text, after, stop) if gap.end >= after + usual), stop)


def _headings(work: WorkingText, start: int, end: int) -> Sequence[tuple[int, int]]:
    """The headings of a stretch, those without a full stop too: words in capitals after the end of a sentence."""
    found = inline_headings(work.text, start, end)
    bare = [m.span() for m in _BARE.finditer(work.text, start, end)]
    return sorted([*found, *((a, b) for a, b in bare if not any(a < y and x < b for x, y in found))])
