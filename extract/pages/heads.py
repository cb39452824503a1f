"""Running heads: lines in the type of a title that recur, misread or not, where pages begin."""

from __future__ import annotations

import re
from collections.abc import Mapping

from rapidfuzz import fuzz
from rapidfuzz.process import cdist

from extract.language.lexicon import core, load_lexicon
from extract.numbering.numerals import is_roman
from extract.pages.marks import LONGEST, numbers_a_part
from extract.text.lines import Line

_SAME = 78.0  # similarity, in per cent, of two readings of one head
_LETTERS = 4  # different letters of a head, at least
_WORD = re.compile(r"[^\W\d_]{4,}")


def head_words(line: Line) -> str:
    """The words of a line that may be a running head, without folio and ornaments at its ends; empty if it is none."""
    if len(line.text) > LONGEST or line.text[0] in "[(" or numbers_a_part(line.text):
        return ""
    parts = line.text.split(" ")
    while parts and sum(map(str.isalpha, parts[0])) < 3:
        parts = parts[1:]
    while parts and sum(map(str.isalpha, parts[-1])) < 3:
        parts = parts[:-1]
    words = " ".join(parts).rstrip(".,")
    titled = all(word[0].isupper() for word in map(core, parts) if len(word) > 3)
    return words if titled and len(set(filter(str.isalpha, words))) >= _LETTERS else ""


def recurring(heads: Mapping[int, str]) -> dict[int, list[int]]:
    """Of the lines that may be running heads, those whose words recur, misread or not, with the others that have them.

    Args:
        heads: the words of those that may be heads, by their indices in order.
    """
    lines: dict[str, list[int]] = {}
    for i, words in heads.items():
        lines.setdefault(words, []).append(i)
    distinct = [*lines]
    scores = cdist(distinct, distinct, scorer=fuzz.ratio, score_cutoff=_SAME) if distinct else ()
    found: dict[int, list[int]] = {}
    for words, row in zip(distinct, scores, strict=True):
        same = sorted(i for k in row.nonzero()[0] for i in lines[distinct[k]])
        found |= {i: [other for other in same if other != i] for i in lines[words] if len(same) > 1}
    return found


def is_rule(text: str) -> bool:
    """Whether a line beside a running head is a rule or an ornament: it has no known word, and is no number."""
    known = load_lexicon().known
    if text.isdecimal() or is_roman(core(text)) or (len(text) == 1 and text.isalpha()):
        return False
    return not any(map(known, _WORD.findall(text)))
