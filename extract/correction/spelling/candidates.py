"""What a form that is in no list may stand for: each rule finds candidates, the corrector weighs them."""

from __future__ import annotations

import re

from rapidfuzz.distance import Levenshtein

from extract.correction.rules import Rule
from extract.correction.spelling.channel import BLANK, Proposal, garbled_candidates
from extract.correction.spelling.context import Usage
from extract.correction.spelling.corrector import OFTEN, Corrector, Source
from extract.correction.weights import weights
from extract.language.lexicon import FUNCTION, Lexicon, word_set
from extract.language.token_shape import malformed, oddities

WITNESS = "word.witness"
_COMPOUND_COST, _THREE_COST, _PARTED_COST = weights("blank.compound", "blank.three_words", "blank.parted")
_OF_GRAMMAR, _LEAST_COST, _UNSEEN = weights("blank.of_grammar", "blank.least", "blank.unseen")
# Two words that never stand side by side elsewhere are parted only if both have so many letters.
_LONG_HALF = 4
_GLUED = re.compile(r"^[^\W\d_]+(?:[,;:'’‘*•|.][^\W\d_]+)+$")
_BETWEEN = re.compile(r"[,;:'’‘*•|.]")
_CLOSES, _QUOTED = re.compile(r"\w[.,;:?!]?['’][.,;:?!]?$"), 8
_LETTERS, _VOWELS = frozenset("aI"), frozenset("aeiou")
_CLIPPED = word_set("clipped") | {"s"}
_LETTER_COST, _DOUBLED_COST = weights("letter.any", "letter.doubled")
_WITNESS_COST, _WITNESS_PER_LETTER = weights("witness.base", "witness.per_letter")


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


def letter(corrector: Corrector, form: str, i: int) -> list[Proposal]:
    """A word that the book uses again and again but for one letter, which no known confusion explains."""
    small = form.lower()
    if len(form) < _LONG_HALF or not form.isalpha():
        return []
    found: list[Proposal] = []
    for at, read in ((at, sign) for at, sign in enumerate(small) if sign.isascii()):  # an accent is meant
        for word in corrector.own.get(f"{small[:at]}*{small[at + 1 :]}", ()):
            text = form[:at] + (word[at].upper() if form[at].isupper() else word[at]) + form[at + 1 :]
            found.append(Proposal(text, _LETTER_COST, ((read, word[at]),), unexplained=True))
    return found


def stroke(corrector: Corrector, form: str, i: int) -> list[Proposal]:
    """A word that the book uses again and again, but for a letter that is lost, or that dirt was read as."""
    small = form.lower()
    if len(form) < _LONG_HALF or not form.isalpha() or form[1:] != small[1:]:
        return []
    usage, known = corrector.language.usage, corrector.language.lexicon.known
    found: dict[str, Proposal] = {}
    for at in range(len(small)):
        if form[0].isupper() and small[at] in _VOWELS:
            continue  # a name, or a word of another language (`Whiste`)
        word = small[:at] + small[at + 1 :]
        doubled = small[at : at + 1] == small[at + 1 : at + 2]
        if small[at:] == "s" and small[at - 1] != "s":
            continue  # a plural that is in no list (`marchings`)
        if len(word) >= _LONG_HALF - 1 and usage.word(word) >= OFTEN and known(word):
            text = word.title() if form[0].isupper() and at else word
            found[word] = Proposal(
                text, _DOUBLED_COST if doubled else _LETTER_COST, ((small[at], ""),), unexplained=True
            )
    for at in range(1, len(small) + 1):
        for word in corrector.own.get(f"{small[:at]}*{small[at:]}", ()):
            text = word.title() if form[0].isupper() else word
            found.setdefault(word, Proposal(text, _LETTER_COST, (("", word[at]),), unexplained=True))
    return list(found.values())


def garbled(corrector: Corrector, form: str, i: int) -> list[Proposal]:
    """Words that agree with the form but for a stretch that holds a sign, a figure or a stray capital."""
    if "," in form and parted(corrector, form, i):
        return []  # a comma parts two words
    odd = oddities(form)
    return garbled_candidates(form, corrector.vocabulary, odd) if any(odd) else []


def run_together(corrector: Corrector, form: str, i: int) -> list[Proposal]:
    """Two words without their blank, or a compound without its hyphen, where the two are in use side by side."""
    lexicon, usage = corrector.language.lexicon, corrector.language.usage
    lost = corrector.channel.lost_blank
    found = _several(corrector, form) if form.isalpha() else []
    for at in range(1, len(form)) if form.isalpha() else ():
        left, right = form[:at], form[at:]
        if (right[0].isupper() and not form.isupper()) or not (lexicon.known(left, 50) and lexicon.known(right, 50)):
            continue
        pair = (left.lower(), right.lower())
        compound = f"{left}-{right}"
        if usage.word(compound) > usage.pairs[pair] or (lexicon.size(compound) is not None and min(map(len, pair)) > 2):
            found.append(Proposal(compound, _COMPOUND_COST, (("", "-"),)))
        elif usage.pairs[pair] or lexicon.pair(*pair):
            cost = max(lost - _OF_GRAMMAR * len({*pair} & FUNCTION), _LEAST_COST)
            found.append(Proposal(f"{left} {right}", cost, (BLANK,)))
        elif lexicon.size(form) is None and _long_enough(pair, shown=corrector.blanks_lost):
            found.append(Proposal(f"{left} {right}", lost + _UNSEEN, (BLANK,)))
    return found


def _long_enough(pair: tuple[str, str], *, shown: bool) -> bool:
    """Whether two words that stand side by side nowhere else may be parted; one of grammar may be short.

    `shown`: the scan is known to lose blanks.
    """
    if min(map(len, pair)) >= _LONG_HALF:
        return True
    return shown and max(map(len, pair)) >= _LONG_HALF and bool({*pair} & FUNCTION)


def _several(corrector: Corrector, form: str) -> list[Proposal]:
    """Three words or more in one, each beside the next elsewhere; all inner ones of grammar, if few blanks are lost."""
    lexicon, usage = corrector.language.lexicon, corrector.language.usage
    shown = corrector.blanks_lost
    found: list[Proposal] = []

    def walk(at: int, words: tuple[str, ...]) -> None:
        for end in range(at + 1, len(form) + 1):
            word = form[at:end]
            if end == len(form) and (len(words) < 2 or len(word) < 2):
                break
            if not lexicon.known(word, 50) or (len(word) == 1 and word not in _LETTERS):
                continue
            if words and (word != word.lower() or not _together(words[-1].lower(), word, usage, lexicon)):
                continue
            if end == len(form):
                if len(words) == 2 or shown:
                    cost = _THREE_COST + (len(words) - 2) * corrector.channel.lost_blank
                    found.append(Proposal(" ".join((*words, word)), cost, (BLANK,) * len(words)))
            elif not words or word in FUNCTION or (shown and len(word) >= _LONG_HALF):
                walk(end, (*words, word))

    walk(0, ())
    return found


def _together(first: str, second: str, usage: Usage, lexicon: Lexicon) -> bool:
    return bool(usage.pairs[first, second] or lexicon.pair(first, second))


def parted(corrector: Corrector, form: str, i: int) -> list[Proposal]:
    """Words without the blank between them: after the comma that parts them, or for a speck that stands there."""
    if not _GLUED.match(form):
        return []
    words, signs = _BETWEEN.split(form), _BETWEEN.findall(form)
    lexicon, usage = corrector.language.lexicon, corrector.language.usage
    often = [lexicon.known(w, 50) or (usage.word(w) >= OFTEN and lexicon.known(w)) for w in words]
    if not all(often) or not all(len(w) > 1 or w in _LETTERS or w.isupper() for w in words):
        return []
    text = words[0]
    for sign, left, word in zip(signs, words, words[1:], strict=False):
        if sign in "'’" and (word.lower() in _CLIPPED or (len(word) < 2 and len(left) < _LONG_HALF)):
            return []
        if sign == "." and not (
            word.islower() and min(len(left), len(word)) > 1 and _together(left, word, usage, lexicon)
        ):
            return []
        opens = sign in "'’‘" and any(_CLOSES.search(w.text) for w in corrector.words[i + 1 : i + 1 + _QUOTED])
        text += f"{sign if sign in ',;:' else ''} {sign if opens else ''}{word}"
    return [Proposal(text, _PARTED_COST, (BLANK,))]


_IN_USE = 10  # times that a book has a form which is no misreading, whatever another print has in its place


def witness(corrector: Corrector, form: str, i: int) -> list[Proposal]:
    """The words that other prints of the passage read, if they are much like the form."""
    found: list[Proposal] = []
    own = corrector.language.usage.word(form) >= _IN_USE
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
    Rule("word.letter", f"{'of the player ' * 20}and the pl«u|a»yer of the last", letter),
    Rule("word.stroke", f"{'of the player ' * 20}and the «p|»player of the last", stroke),
    Rule("word.garbled", "the case of the game, and th«{\\|a»t is the last of the game", garbled),
    Rule("word.parted", "the case of the«'| »game, and the last", parted),
    Rule("word.run-together", "it is of«| »the last that we speak", run_together),
    Rule(
        WITNESS,
        "He may look at the last tri«r|c»k but one of it; he may look at the last trick but one.",
        witness,
    ),
)
