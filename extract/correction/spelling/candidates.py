"""What a form that is in no list may stand for: each rule finds candidates, the corrector weighs them."""

from __future__ import annotations

import re
from itertools import combinations, pairwise

from rapidfuzz.distance import Levenshtein

from extract.correction.rules import Rule
from extract.correction.spelling.channel import Proposal, garbled_candidates
from extract.correction.spelling.corrector import Corrector, Source
from extract.language.lexicon import FUNCTION, word_set
from extract.language.token_shape import malformed, oddities

WITNESS = "word.witness"
_SPLIT_COST, _PARTED_COST = 6.0, 2.0
# Two words that never stand side by side elsewhere are parted only if both are long; and it costs more.
_LONG_HALF, _UNSEEN = 4, 1.0
_GLUED = re.compile(r"^[^\W\d_]+(?:[,;:'’‘*•|][^\W\d_]+)+$")
_BETWEEN = re.compile(r"[,;:'’‘*•|]")
_CLOSES, _QUOTED = re.compile(r"\w[.,;:?!]?['’][.,;:?!]?$"), 8
_LETTERS = frozenset("aI")
_CLIPPED = word_set("clipped") | {"s"}
_WITNESS_COST, _WITNESS_PER_LETTER = 3.0, 2.5


def confusions(corrector: Corrector, form: str, i: int) -> list[Proposal]:
    """Words that the channel's confusions turn into the form, or into the half of a compound that is no word."""
    found = corrector.channel.candidates(form, corrector.vocabulary)
    known = corrector.language.lexicon.known
    parts = form.split("-")
    if len(parts) == 2 and all(parts) and known(parts[0]) != known(parts[1]):
        k = int(known(parts[0]))
        for c in corrector.channel.candidates(parts[k], corrector.vocabulary):
            found.append(Proposal("-".join((c.text, parts[1]) if k == 0 else (parts[0], c.text)), c.cost, c.path))
    return found


def garbled(corrector: Corrector, form: str, i: int) -> list[Proposal]:
    """Words that agree with the form but for a stretch that holds a sign, a figure or a stray capital."""
    odd = oddities(form)
    return garbled_candidates(form, corrector.vocabulary, odd) if any(odd) else []


def run_together(corrector: Corrector, form: str, i: int) -> list[Proposal]:
    """Two words without their blank, or a compound without its hyphen, where the two are in use side by side."""
    lexicon, usage = corrector.language.lexicon, corrector.language.usage
    found = _three(corrector, form) if form.isalpha() else []
    for at in range(1, len(form)) if form.isalpha() else ():
        left, right = form[:at], form[at:]
        if right[0].isupper() or not (lexicon.known(left, 50) and lexicon.known(right, 50)):
            continue
        pair = (left.lower(), right.lower())
        compound = f"{left}-{right}"
        if usage.word(compound) > 0 or (lexicon.size(compound) is not None and min(map(len, pair)) > 2):
            found.append(Proposal(compound, _SPLIT_COST - 2, (("", "-"),)))
        elif usage.pairs[pair] or lexicon.pair(*pair):
            found.append(Proposal(f"{left} {right}", _SPLIT_COST - 2 * len({*pair} & FUNCTION), (("", " "),)))
        elif min(map(len, pair)) >= _LONG_HALF and lexicon.size(form) is None:
            found.append(Proposal(f"{left} {right}", _SPLIT_COST + _UNSEEN, (("", " "),)))
    return found


def _three(corrector: Corrector, form: str) -> list[Proposal]:
    """Three words in one, the middle one of grammar, where each stands beside the next elsewhere."""
    lexicon, usage = corrector.language.lexicon, corrector.language.usage
    found: list[Proposal] = []
    for start, end in combinations(range(1, len(form)), 2):
        words = [form[:start], form[start:end], form[end:]]
        small = [word.lower() for word in words]
        if (
            small[1] not in FUNCTION
            or words[1] != small[1]
            or words[2] != small[2]
            or len(small[0]) < 2 > len(small[2])
        ):
            continue
        together = all(usage.pairs[pair] or lexicon.pair(*pair) for pair in pairwise(small))
        if together and lexicon.known(words[0], 50) and lexicon.known(small[2], 50):
            found.append(Proposal(" ".join(words), _SPLIT_COST - 2, (("", " "), ("", " "))))
    return found


def parted(corrector: Corrector, form: str, i: int) -> list[Proposal]:
    """Words without the blank between them: after the comma that parts them, or for a speck that stands there."""
    if not _GLUED.match(form):
        return []
    words, signs = _BETWEEN.split(form), _BETWEEN.findall(form)
    known = corrector.language.lexicon.known
    if not all(known(w, 50) and (len(w) > 1 or w in _LETTERS or w.isupper()) for w in words):
        return []
    text = words[0]
    for sign, word in zip(signs, words[1:], strict=True):
        if sign in "'’" and (word.lower() in _CLIPPED or len(word) < 2):
            return []
        opens = sign in "'’‘" and any(_CLOSES.search(w.text) for w in corrector.words[i + 1 : i + 1 + _QUOTED])
        text += f"{sign if sign in ',;:' else ''} {sign if opens else ''}{word}"
    return [Proposal(text, _PARTED_COST, (("", " "),))]


def witness(corrector: Corrector, form: str, i: int) -> list[Proposal]:
    """The words that other prints of the passage read, if they are much like the form."""
    found: list[Proposal] = []
    if corrector.language.lexicon.known(form) and not malformed(form):
        return found  # a word, if a rare one (`re-double`), that another print may well have in another place
    for word in corrector.votes.get(i, ()):
        distance = Levenshtein.distance(word, form.lower())
        if corrector.language.lexicon.known(word) and distance <= _allowed(form):
            cost = _WITNESS_COST + _WITNESS_PER_LETTER * distance
            found.append(Proposal(word.title() if form[0].isupper() else word, cost, ()))
    return found


def _allowed(form: str) -> int:
    """How many letters a witness may differ in and still print the same word."""
    return 1 if len(form) < 4 else max(2, len(form) // 3)


SOURCES: tuple[Rule[Source], ...] = (
    Rule("word.confusion", "the case of the card, w«li|h»ich is the last of the game", confusions),
    Rule("word.garbled", "the case of the game, and th«{\\|a»t is the last of the game", garbled),
    Rule("word.parted", "the case of the«'| »game, and the last", parted),
    Rule("word.run-together", "it is of«| »the last that we speak", run_together),
    Rule(
        WITNESS,
        "He may look at the last tri«r|c»k but one of it; he may look at the last trick but one.",
        witness,
    ),
)
