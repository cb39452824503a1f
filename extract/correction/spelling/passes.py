"""The corrector's passes over a scan: learn, correct, join cut words, and find misreadings that are words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import replace
from functools import lru_cache
from typing import Any

from extract.correction.rules import Rule, active, first
from extract.correction.spelling.adaptation import confusions_shown, confusions_used
from extract.correction.spelling.candidates import SOURCES, WITNESS
from extract.correction.spelling.channel import Vocabulary, load_channel
from extract.correction.spelling.collation import witnesses_of
from extract.correction.spelling.context import Language
from extract.correction.spelling.corrector import CERTAIN, Correction, Corrector
from extract.correction.spelling.cut import CUTS, Cut
from extract.correction.spelling.headwords import correct_headwords
from extract.correction.spelling.realword import WORTH_A_LOOK, confusable_words, correct_real_word, split_word
from extract.correction.spelling.words import Word
from extract.language.lexicon import Lexicon, core, word_set
from extract.language.token_shape import edges, is_number, like_numeral, malformed

_LIGHT = 4.5
_WINDOW = 4
_EMPHASIS = frozenset("_=")
_CITING = word_set("citing")


Votes = Mapping[int, Counter[str]]


Disguise = Callable[[Corrector, Set[int], Callable[[Sequence[int]], Votes]], dict[int, Correction]]
"""Corrects misreadings that are words.

Arguments: the corrector, the indices of words already corrected, a function that collects the votes on given words.
"""


def correct_words(
    words: Sequence[Word], language: Language, witnesses: Sequence[str] = (), without: Set[str] = frozenset()
) -> dict[int, Correction]:
    """Find corrections for the words that are in no list, and for some that are.

    The first pass learns the scan's confusions from the certain corrections; the second decides.

    Args:
        words: the words of the scan.
        language: word lists and the book's counts.
        witnesses: reading texts of other books.
        without: names of rules to leave out.
    Returns:
        The best corrections, by the index of their first word.
    """
    if not active(WORDS, without):
        return {}
    sources, cuts = active(SOURCES, without), active(CUTS, without)
    vocabulary, own = _vocabulary(language.lexicon), _own_words(language)
    shapes = {text: is_doubtful(text, language) for text in {word.text for word in words}}
    doubtful = [i for i, w in enumerate(words) if w.free and shapes[w.text] and not _cites(words, i)]
    channel = load_channel().learn(confusions_shown([core(words[i].text) for i in doubtful], language, own))
    found: dict[int, Correction] = {}
    forms = _forms(words, found, language)

    def votes(places: Sequence[int]) -> Votes:
        return {} if WITNESS in without else witnesses_of(places, forms, witnesses)

    for last in (False, True):
        seen = votes(doubtful) if last else {}
        corrector = Corrector(words, forms, language, channel, vocabulary, seen, own, sources)
        found = _correct_unknown(corrector, doubtful, cuts)
        forms = _forms(words, found, language)
        if not last:
            certain = [(c.text, c.path) for c in found.values() if c.margin >= CERTAIN]
            channel = channel.learn(confusions_used(certain))
    corrector = replace(corrector, forms=forms, channel=channel)
    for rule in active(DISGUISES, without):
        inside = {k for c in found.values() for k in range(c.first + 1, c.last + 1)}
        new = rule.apply(corrector, found.keys() | inside, votes)
        found |= {i: replace(c, rule=rule.name) for i, c in new.items() if i not in inside}
    return found


def headwords(corrector: Corrector, taken: Set[int], votes: Callable[[Sequence[int]], Votes]) -> dict[int, Correction]:
    """A defined term in black letter, misread."""
    return correct_headwords(corrector)


def real_words(corrector: Corrector, taken: Set[int], votes: Callable[[Sequence[int]], Votes]) -> dict[int, Correction]:
    """A word misread as another word; noise, and letters where a number is due, are skipped."""
    words, forms = corrector.words, corrector.forms
    confusables = confusable_words(corrector.language, corrector.channel)
    free = [i for i, form in enumerate(forms) if form and i not in taken and words[i].free]
    places = [
        i for i in free
        if not _cites(words, i) and correct_real_word(corrector, confusables, i) and not _is_garbage(i, forms)
    ]  # fmt: skip
    corrector = replace(corrector, votes=votes(places))
    others = ((i, correct_real_word(corrector, confusables, i)) for i in places)
    found = {i: c for i, c in others if c and c.margin > WORTH_A_LOOK}
    if corrector.blanks_lost:
        parted = {i: c for i in free if i not in found and (c := split_word(corrector, i))}
        found |= {i: c for i, c in parted.items() if not _is_garbage(i, forms)}
    return found


DISGUISES: tuple[Rule[Disguise], ...] = (
    Rule("word.headword", "The horses here; horses held by two; four horses.\n\n«M|H»orses,—The first.", headwords),
    Rule("word.real", "he may go, but not the king; but not the last, but not this; «h|b»ut not the rest", real_words),
)
WORDS: tuple[Rule[Any], ...] = (*SOURCES, *CUTS, *DISGUISES)


def guesser(language: Language) -> Callable[[str], str | None]:
    """Return a function that finds the word a misread form most likely stands for, among those that the book uses."""
    channel, vocabulary = load_channel(), _vocabulary(language.lexicon)

    def guess(form: str) -> str | None:
        for candidate in channel.candidates(form, vocabulary, worst=_LIGHT, most=1):
            if language.usage.word(candidate.text) > 0:
                return candidate.text
        return None

    return guess


def _correct_unknown(corrector: Corrector, doubtful: Sequence[int], cuts: Sequence[Rule[Cut]]) -> dict[int, Correction]:
    found: dict[int, Correction] = {}
    words, forms = corrector.words, corrector.forms
    for i in doubtful:
        if not _is_garbage(i, forms) and (correction := corrector.correct(i)):
            found[i] = correction
    for i in sorted({k for d in doubtful for k in (d - 1, d)}):
        if not (0 <= i < len(words) - 1 and words[i].free) or _is_garbage(i, forms):
            continue
        if i - 1 in found and found[i - 1].last == i:
            continue
        merged = first(cuts, corrector, i)
        apart = [found[k] for k in (i, i + 1) if k in found]
        if merged and len(merged.path) > 1 and any(c.margin > 0 for c in apart):
            continue  # a misread word is likelier than one both misread and cut
        if merged and merged.margin > max((c.margin for c in apart), default=0.0):
            found[i] = merged
            found.pop(i + 1, None)
    return found


def is_doubtful(text: str, language: Language) -> bool:
    """Whether a word of a scan, punctuation included, is in no list or malformed, and is not a number."""
    lead, form, tail = edges(text)
    if _emphasised(lead, tail):
        return False  # a transcription, read by eye
    if not form or " " in form or "(" in form or is_number(form) or (like_numeral(form) and form.isupper()):
        return False
    if "-" in form:
        rare = any(not language.lexicon.known(part, 50) for part in form.split("-"))
        return not language.lexicon.known(form) or (rare and language.lexicon.size(form) is None)
    return not language.lexicon.known(form) or malformed(form)


def _emphasised(lead: str, tail: str) -> bool:
    """Whether a word has marks of italics or bold type at either end, which OCR does not produce."""
    return not _EMPHASIS.isdisjoint(lead + tail)


def _cites(words: Sequence[Word], i: int) -> bool:
    """Whether a number is due at `i`, as after `Law`: other rules correct numbers."""
    return i > 0 and core(words[i - 1].text).lower() in _CITING and len(core(words[i].text)) < 4


def _is_garbage(i: int, forms: Sequence[str]) -> bool:
    """Whether too many words around `i` are unknown: it is in noise, a table, or another language."""
    window = [forms[k] for k in range(max(0, i - _WINDOW), min(len(forms), i + _WINDOW + 1)) if k != i]
    return sum(not f for f in window) * 2 >= len(window)


def _own_words(language: Language) -> Vocabulary:
    """The words that the book uses more than once, which are therefore not misreadings."""
    words = language.usage.words.items()
    return Vocabulary(word for word, n in words if n > 1 and word.isalpha() and language.lexicon.known(word))


def _forms(words: Sequence[Word], found: dict[int, Correction], language: Language) -> list[str]:
    """The words as read so far, in lower case; "" for a form that is not a word."""
    read = [word.text for word in words]
    for i, correction in found.items():
        if correction.margin >= CERTAIN:
            read[i] = correction.text
    forms: dict[str, str] = {}
    for text in {*read}:
        form = core(text)
        forms[text] = form.lower() if form and language.lexicon.known(form) else ""
    return [forms[text] for text in read]


@lru_cache(maxsize=1)
def _vocabulary(lexicon: Lexicon) -> Vocabulary:
    return Vocabulary(lexicon.common())
