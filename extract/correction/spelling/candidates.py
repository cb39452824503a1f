"""Candidates for a form that is in no word list: each rule finds some, the corrector ranks them."""

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
# Two words that never occur side by side elsewhere are split only if both have this many letters.
_LONG_HALF = 4
_BETWEEN = re.compile(r"[,;:'’‘*•|._~]")
_CLOSES, _QUOTED = re.compile(r"\w[.,;:?!]?['’][.,;:?!]?$"), 8
_LETTERS = frozenset("aAI")
_CLIPPED = word_set("clipped") | {"s"}
(_LETTER_COST,) = weights("correction", "letter.any")
_WIDE = 3  # maximum length of the replaced span of a malformed form, in characters
_WITNESS_COST, _WITNESS_PER_LETTER = weights("correction", "witness.base", "witness.per_letter")


def confusions(corrector: Corrector, form: str, i: int) -> list[Proposal]:
    """Words that known confusions turn into the form, or into the half of a compound that is not a word."""
    found = corrector.channel.candidates(form, corrector.vocabulary)
    known = corrector.language.lexicon.known
    parts = form.split("-")
    if known(parts[-1]):
        found = [c for c in found if c.text != "".join(parts)]  # the hyphen of `re-examination` is printed
    if len(parts) == 2 and all(parts) and known(parts[0]) != known(parts[1]):
        k = int(known(parts[0]))
        for c in corrector.channel.candidates(parts[k], corrector.vocabulary):
            found.append(Proposal("-".join((c.text, parts[1]) if k == 0 else (parts[0], c.text)), c.cost, c.path))
    return found


def stretch(corrector: Corrector, form: str, i: int) -> list[Proposal]:
    """Words that differ from the form in one span, which no known confusion explains.

    A malformed form may be any word; any other form, only a word that the book uses more often.
    """
    odd, small, times = malformed(form), form.lower(), corrector.language.usage.word
    if form[-1] == "-" or ("," in form and parted(corrector, form, i)) or not (odd or form.isascii()):
        return []  # a final hyphen means a cut word, a comma may separate two, and an accent is intended
    words = alike(form, corrector.vocabulary, _WIDE) if odd else alike(form, corrector.own)
    found: list[Proposal] = []
    for word, confusion in words.items():
        rest = small.replace(word, "", 1) if word in small else ""
        punctuation = rest != "" and not rest.isalnum()  # punctuation has its own rules
        derived = rest == "s" or (len(rest) > 1 and small.endswith(word))  # `marchings`, `unknown`
        partial = small in word and len(small) + 1 < len(word)  # the form may be part of a word cut by a line end
        own = not odd and times(form) >= times(word)
        if punctuation or derived or partial or own:
            continue
        text = word.upper() if form.isupper() else word.title() if form[0].isupper() else word
        cost = _LETTER_COST * Levenshtein.distance(small, word)
        found.append(Proposal(text, cost, (confusion,), unexplained=True))
    return found


def run_together(corrector: Corrector, form: str, i: int) -> list[Proposal]:
    """Words that lost the blanks between them, or a compound that lost its hyphen.

    The words must be known to occur side by side, unless they are two long ones.
    """
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
    """The ways to divide a form into two or more words; if few blanks are lost, inner ones must be function words."""

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
    """Whether two words that occur side by side nowhere else may be split; one may be short if blanks are lost."""
    short, long = sorted(map(len, pair))
    return short >= _LONG_HALF or (corrector.blanks_lost and long >= _LONG_HALF and bool({*pair} & FUNCTION))


def _together(corrector: Corrector, first: str, second: str) -> bool:
    return bool(corrector.language.usage.pairs[first, second] or corrector.language.lexicon.pair(first, second))


def parted(corrector: Corrector, form: str, i: int) -> list[Proposal]:
    """Words that lost the blank after the comma between them, or that have a speck in its place."""
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
    """Words that other prints of the passage have in this place, if they are similar to the form."""
    found: list[Proposal] = []
    own = corrector.language.usage.word(form) >= OFTEN
    if (own or corrector.language.lexicon.known(form)) and not malformed(form):
        return found  # a word, if a rare one (`re-double`): another print may have a different one
    for word in corrector.votes.get(i, ()):
        distance = Levenshtein.distance(word, form.lower())
        if corrector.language.lexicon.known(word) and distance <= _allowed(form):
            cost = _WITNESS_COST + _WITNESS_PER_LETTER * distance
            found.append(Proposal(word.title() if form[0].isupper() else word, cost, ()))
    return found


def _allowed(form: str) -> int:
    """The highest edit distance at which a witness counts as the same word."""
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
