"""What a form that is in no list may stand for: each rule finds candidates, the corrector weighs them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from rapidfuzz.distance import Levenshtein

from extract.correction.rules import Rule
from extract.correction.spelling.channel import BLANK, Proposal, alike
from extract.correction.spelling.corrector import OFTEN, Corrector, Source
from extract.language.lexicon import FUNCTION, word_set
from extract.language.token_shape import malformed
from extract.weights import weights

WITNESS = "word.witness"
_COMPOUND_COST, _THREE_COST, _PARTED_COST = weights("correction", "blank.compound", "blank.three_words", "blank.parted")
_OF_GRAMMAR, _LEAST_COST, _UNSEEN = weights("correction", "blank.of_grammar", "blank.least", "blank.unseen")
# Two words that never stand side by side elsewhere are parted only if both have so many letters.
_LONG_HALF = 4
_BETWEEN = re.compile(r"[,;:'’‘*•|._~]")
_CLOSES, _QUOTED = re.compile(r"\w[.,;:?!]?['’][.,;:?!]?$"), 8
_LETTERS = frozenset("aAI")
_CLIPPED = word_set("clipped") | {"s"}
(_LETTER_COST,) = weights("correction", "letter.any")
_WIDE = 3  # characters of a stretch with signs
_WITNESS_COST, _WITNESS_PER_LETTER = weights("correction", "witness.base", "witness.per_letter")


def confusions(corrector: Corrector, form: str, i: int) -> list[Proposal]:
    """Words that the channel's confusions turn into the form, or into the half of a compound that is no word."""
    found = corrector.channel.candidates(form, corrector.vocabulary)
    known = corrector.language.lexicon.known
    parts = form.split("-")
    if known(parts[-1]):
        found = [c for c in found if c.text != "".join(parts)]  # `re-examination` has its hyphen by right
    if len(parts) == 2 and all(parts) and known(parts[0]) != known(parts[1]):
        k = int(known(parts[0]))
        for c in corrector.channel.candidates(parts[k], corrector.vocabulary):
            found.append(Proposal("-".join((c.text, parts[1]) if k == 0 else (parts[0], c.text)), c.cost, c.path))
    return found


def stretch(corrector: Corrector, form: str, i: int) -> list[Proposal]:
    """Words that agree with the form but for a stretch that no known confusion explains.

    Where no print looks like the form, it may be any word; else a word that the book uses oftener.
    """
    odd, small, times = malformed(form), form.lower(), corrector.language.usage.word
    if form[-1] == "-" or ("," in form and parted(corrector, form, i)) or not (odd or form.isascii()):
        return []  # a hyphen ends the first part of a word, a comma parts two, and an accent is meant
    words = alike(form, corrector.vocabulary, _WIDE) if odd else alike(form, corrector.own)
    found: list[Proposal] = []
    for word, confusion in words.items():
        beside = small.replace(word, "", 1) if word in small else ""
        signs = beside != "" and not beside.isalnum()  # these have rules of their own
        other = beside == "s" or (len(beside) > 1 and small.endswith(word))  # a plural (`marchings`), `unknown`
        half = small in word and len(small) + 1 < len(word)  # of a word that a line end cuts
        own = not odd and times(form) >= times(word)
        if signs or other or half or own:
            continue
        text = word.upper() if form.isupper() else word.title() if form[0].isupper() else word
        cost = _LETTER_COST * Levenshtein.distance(small, word)
        found.append(Proposal(text, cost, (confusion,), unexplained=True))
    return found


def run_together(corrector: Corrector, form: str, i: int) -> list[Proposal]:
    """Words without the blanks between them, or a compound without its hyphen, where they are in use side by side."""
    usage, lost = corrector.language.usage, corrector.channel.lost_blank
    found: list[Proposal] = []
    for words in _divided(corrector, form, ()) if form.isalpha() else ():
        pairs = [(left.lower(), right.lower()) for left, right in pairwise(words)]
        seen = [_together(corrector, *pair) for pair in pairs]
        compound = "-".join(words)
        if len(words) == 2 and usage.word(compound) > usage.pairs[pairs[0]]:
            found.append(Proposal(compound, _COMPOUND_COST, (("", "-"),)))
        elif all(seen):
            of_grammar = len({*pairs[0]} & FUNCTION)
            two = max(lost - _OF_GRAMMAR * of_grammar, _LEAST_COST)
            cost = two if len(words) == 2 else _THREE_COST + (len(words) - 3) * lost
            found.append(Proposal(" ".join(words), cost, (BLANK,) * len(pairs)))
        elif len(words) == 2 and corrector.language.lexicon.size(form) is None and _long_enough(corrector, pairs[0]):
            found.append(Proposal(" ".join(words), lost + _UNSEEN, (BLANK,)))
    return found


def _divided(corrector: Corrector, form: str, before: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """The ways to divide a form into two words or more; inner ones are of grammar, if few blanks are lost."""

    def inner(word: str) -> bool:
        return word.lower() in FUNCTION or (corrector.blanks_lost and len(word) >= _LONG_HALF)

    for end in range(1, len(form) + 1):
        word, rest = form[:end], form[end:]
        known = corrector.language.lexicon.known(word, 50) and (len(word) > 1 or word in _LETTERS)
        if not known or (before and word != word.lower() and not form.isupper()):
            continue
        if not rest:
            if before:
                yield (*before, word)
        elif not before or (inner(word) and _together(corrector, before[-1].lower(), word.lower())):
            yield from _divided(corrector, rest, (*before, word))


def _long_enough(corrector: Corrector, pair: tuple[str, str]) -> bool:
    """Whether two words that stand side by side nowhere else may be parted: one may be short if blanks are lost."""
    short, long = sorted(map(len, pair))
    return short >= _LONG_HALF or (corrector.blanks_lost and long >= _LONG_HALF and bool({*pair} & FUNCTION))


def _together(corrector: Corrector, first: str, second: str) -> bool:
    return bool(corrector.language.usage.pairs[first, second] or corrector.language.lexicon.pair(first, second))


def parted(corrector: Corrector, form: str, i: int) -> list[Proposal]:
    """Words without the blank between them: after the comma that parts them, or for a speck that stands there."""
    words, signs = _BETWEEN.split(form), _BETWEEN.findall(form)
    lexicon, usage = corrector.language.lexicon, corrector.language.usage
    often = (lexicon.known(w, 50) or (usage.word(w) >= OFTEN and lexicon.known(w)) for w in words)
    if not signs or not all(map(str.isalpha, words)) or not all(often):
        return []
    text = words[0]
    for sign, left, word in zip(signs, words, words[1:], strict=False):
        shortened = sign in "'’" and (word.lower() in _CLIPPED or (len(word) < 2 and len(left) < _LONG_HALF))
        if shortened or (sign == "." and not (min(len(left), len(word)) > 1 and _together(corrector, left, word))):
            return []
        opens = sign in "'’‘" and any(_CLOSES.search(w.text) for w in corrector.words[i + 1 : i + 1 + _QUOTED])
        text += f"{sign if sign in ',;:' else ''} {sign if opens else ''}{word}"
    return [Proposal(text, _PARTED_COST, (BLANK,))]


def witness(corrector: Corrector, form: str, i: int) -> list[Proposal]:
    """The words that other prints of the passage read, if they are much like the form."""
    found: list[Proposal] = []
    own = corrector.language.usage.word(form) >= OFTEN
    if (own or corrector.language.lexicon.known(form)) and not malformed(form):
        return found  # a word, if a rare one (`re-double`), in whose place another print may have another
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
    Rule("word.stretch", "the case of the game, and th«{\\|a»t is the last of the game", stretch),
    Rule("word.parted", "the case of the«'| »game, and the last", parted),
    Rule("word.run-together", "it is of«| »the last that we speak", run_together),
    Rule(
        WITNESS,
        "He may look at the last tri«r|c»k but one of it; he may look at the last trick but one.",
        witness,
    ),
)
