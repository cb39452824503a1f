"""Misreadings that are words themselves (`hut` for but, `arc` for are), which only their neighbours reveal.

After Mays, Damerau & Mercer, "Context based spelling correction" (Information Processing & Management 27, 1991):
each word competes with the words that the scan's confusions turn into it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from extract.correction.spelling.channel import BLANK, Channel
from extract.correction.spelling.context import Language
from extract.correction.spelling.corrector import Correction, Corrector
from extract.language.lexicon import FUNCTION
from extract.language.token_shape import edges, like_numeral
from extract.weights import weights

_SURE_IF_COMMON, _SURE, _COMMON = weights("correction", "real.sure_if_common", "real.sure", "real.common")
_WITNESS, _SURE_IF_WITNESSED, WORTH_A_LOOK = weights(
    "correction", "real.witness", "real.sure_if_witnessed", "real.worth_a_look"
)
_IN_USE = 3
_SHOWN, _SURE_IF_SHOWN = weights("correction", "word.learned", "real.sure_if_shown")
# How many times rarer a word must be than another for its occurrences in the scan not to count as evidence; and below
# how many occurrences in a million million words of general text a word counts as seldom met.
_RARER, _SELDOM = 25, 10_000_000
# A word that occurs more often in the book belongs to its vocabulary.
_RARE = 5

Confusables = Mapping[str, Mapping[str, float]]


def confusable_words(language: Language, channel: Channel) -> Confusables:
    """For each word of the scan, find the words in use that one confusion turns into it, with the cost.

    Args:
        language: word lists and the book's counts.
        channel: the confusions.
    """
    reads: dict[str, list[tuple[str, float]]] = defaultdict(list)
    for read, options in channel.confusions.items():
        for printed, cost in options:
            if read.isalpha() and read.islower() and printed.isalpha() and printed.islower():
                reads[printed].append((read, cost))
    words = language.usage.words
    found: dict[str, dict[str, float]] = defaultdict(dict)
    for word, count in words.items():
        if count < _IN_USE or not word.isalpha() or not language.lexicon.known(word):
            continue
        for start in range(len(word)):
            for end in range(start + 1, min(len(word), start + channel.longest) + 1):
                for read, cost in reads.get(word[start:end], ()):
                    form = word[:start] + read + word[end:]
                    if len(form) > 1 and form in words and cost < found[form].get(word, 99.0):
                        found[form][word] = cost
    return found


def correct_real_word(corrector: Corrector, confusables: Confusables, i: int) -> Correction | None:
    """Find the word that word `i` is a misreading of, if its neighbours favour it, or would with a witness.

    Args:
        corrector: the words, their context and the language.
        confusables: for each form, the words that it may stand for, with their costs.
        i: the word's index.
    """
    lead, form, tail = edges(corrector.words[i].text)
    small, language = form.lower(), corrector.language
    if small not in confusables or like_numeral(form) or not (form.islower() or form.istitle()):
        return None
    if form.istitle() and len(form) < 5 and tail[:1] == ".":
        return None  # an abbreviation
    before, after = corrector.context(i, i)
    votes: Mapping[str, int] = corrector.votes.get(i, {})
    # If a scan misreads a word again and again, the occurrences of the misreading are no evidence for it.
    as_is, unsupported = (language.fit(before, [small], after, less=n) for n in (1, language.usage.word(small)))
    rare = language.lexicon.counts.get(small, 0) < _SELDOM
    options: list[Correction] = []
    for other, cost in confusables[small].items():
        shown = cost <= _SHOWN and _much_rarer(small, other, language)
        margin = language.fit(before, [other], after) - cost - (unsupported if shown else as_is)
        need = _SURE_IF_SHOWN if shown and rare else _SURE_IF_COMMON if cost <= _COMMON else _SURE
        note = f"'{small}' for '{other}': {_evidence(before, small, other, after)}"
        if other in votes and small not in votes and {small, other} & FUNCTION:
            margin, need = margin + _WITNESS, _SURE_IF_WITNESSED
            note += f"; another print of the passage reads '{other}'"
        text = lead + (other.title() if form.istitle() else other) + tail
        options.append(Correction(i, i, text, margin, (), note, need))
    best = max(options, key=lambda option: option.margin - option.need)
    return best if best.margin + _WITNESS > WORTH_A_LOOK else None


def _much_rarer(word: str, other: str, language: Language) -> bool:
    """Whether a word, not a function word, is much rarer than another in general, and rarer in the book."""
    counts, usage = language.lexicon.counts, language.usage
    rarer = counts.get(word, 0) * _RARER < counts.get(other, 0) and usage.word(word) < usage.word(other)
    return word not in FUNCTION and rarer


def split_word(corrector: Corrector, i: int) -> Correction | None:
    """Find two words that were read as one rare word at `i`, in a scan that is known to lose blanks.

    Args:
        corrector: the words, their context and the language.
        i: the word's index.
    """
    lead, form, tail = edges(corrector.words[i].text)
    language, usage = corrector.language, corrector.language.usage
    if not form.isalpha() or form[1:] != form[1:].lower() or usage.word(form) > _RARE:
        return None
    before, after = corrector.context(i, i)
    as_is = language.fit(before, [form.lower()], after, less=usage.word(form))
    options: list[Correction] = []
    for pair in ((form[:at].lower(), form[at:]) for at in range(1, len(form))):
        if {*pair} & FUNCTION and language.lexicon.pair(*pair) and all(usage.word(w) >= _IN_USE for w in pair):
            margin = language.fit(before, pair, after) - corrector.channel.lost_blank - as_is
            note = f"'{form}' for '{' '.join(pair)}': the scan loses blanks, and {_evidence(before, *pair, after)}"
            text = f"{lead}{form[: len(pair[0])]} {pair[1]}{tail}"
            options.append(Correction(i, i, text, margin, (BLANK,), note, _SURE_IF_COMMON))
    # The next word must be evidence, too: a case may be tried anew, but no sentence ends with `a new`.
    best = max(options, key=lambda option: option.margin, default=None)
    return best if best and after.isalpha() and best.margin > WORTH_A_LOOK else None


def _evidence(before: str, small: str, other: str, after: str) -> str:
    context = " ".join(["..." if not before.isalpha() else before, other, "..." if not after.isalpha() else after])
    return f"'{context}' is much likelier"
