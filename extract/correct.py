"""Correction of misread words: candidates of the noisy channel, weighed by the language of the book."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import exp

from extract.channel import Candidate, Channel, Confusion, Vocabulary, garbled_candidates, load_channel
from extract.context import STOP, Language
from extract.lexicon import core, load_lexicon
from extract.words import Word

_EDGES = re.compile(r"^([\"'“‘(\[—]*)(.*?)([.,;:?!\"'”’)\]—]*)$", re.S)
_ELISION = re.compile(r"(?:s|t|d|ll|re|ve|m|er|en|tis|twas|clock)$|s$")
_NUMBER = re.compile(r"^\W*[\d,./½¼¾⅓⅔]+(?:st|nd|rd|th|s|d|do)?\W*$")
_MC = re.compile(r"^(?:Mc|Mac|Van|De|La|Le|O')[A-Z][a-z]+$|^[A-Z][a-z]+'[A-Z]")
_UNKNOWN_PER_LETTER, _UNKNOWN = 2.2, 5.0
_MALFORMED = 12.0
_NAME = 12.0
_SPLIT_COST = 6.0
_STRAY = 4.0
_CERTAIN = 8.0
_WINDOW = 4


@dataclass(frozen=True, slots=True)
class Correction:
    """Words [first, last] of the scan read as `text`; `margin` is the log odds against the next best reading."""

    first: int
    last: int
    text: str
    margin: float
    path: tuple[Confusion, ...]
    note: str

    @property
    def confidence(self) -> float:
        """The margin as a probability."""
        return round(1 / (1 + exp(-max(-20.0, min(20.0, self.margin)))), 4)


@dataclass(frozen=True, slots=True)
class Corrector:
    """What a pass over the words needs."""

    words: Sequence[Word]
    language: Language
    channel: Channel
    vocabularies: Sequence[Vocabulary]

    def correct(self, i: int, forms: Sequence[str]) -> Correction | None:
        """The best reading of a word that is not in the lists.

        Args:
            i: the word's index.
            forms: the words as they are read so far, in small letters, "" where they are no evidence.
        Returns:
            The best candidate, if any, with its margin over what stands there and over other candidates.
        """
        word = self.words[i]
        options: dict[str, tuple[float, Candidate]] = {}
        best_as_is = float("-inf")
        before = STOP if not i or self.words[i - 1].stop else forms[i - 1]
        after = STOP if word.stop or i + 1 == len(forms) else forms[i + 1]
        for lead, form, tail in splits(word.text):
            best_as_is = max(best_as_is, self.as_is(form, opens=before == STOP))
            for candidate in self.candidates(form):
                text = recase(candidate.text, form)
                if text is None or sorted(text.lower()) == sorted(form.lower()):
                    continue  # letters transposed are the compositor's slip, and stand on the page
                fit = self.language.fit(before, text.lower().split(" "), after)
                score = fit - candidate.cost + self.language.case(text, opens=before == STOP)
                if tail[:1] == "'" and text[-1] != "s":
                    score -= _STRAY
                whole = lead + text + tail
                if whole not in options or score > options[whole][0]:
                    options[whole] = (score, candidate)
        if not options:
            return None
        ranked = sorted(options.items(), key=lambda o: (-o[1][0], o[0]))
        whole, (score, candidate) = ranked[0]
        rival = max([best_as_is] + [s for text, (s, _) in ranked[1:] if core(text) != core(whole)])
        return Correction(i, i, whole, score - rival, candidate.path, "")

    def candidates(self, form: str) -> list[Candidate]:
        found = self.channel.candidates(form, self.vocabularies)
        odd = oddities(form)
        if any(odd):
            texts = {c.text for c in found}
            found += [c for c in garbled_candidates(form, self.vocabularies, odd) if c.text not in texts]
        parts = form.split("-")
        if len(parts) == 2 and all(parts):
            for k, part in enumerate(parts):
                if self.language.lexicon.known(parts[1 - k]) and not self.language.lexicon.known(part):
                    for c in self.channel.candidates(part, self.vocabularies):
                        text = f"{c.text}-{parts[1]}" if k == 0 else f"{parts[0]}-{c.text}"
                        found.append(Candidate(text, c.cost, c.path))
        if form.isalpha():
            found += self.splits(form)
        return found

    def splits(self, form: str) -> list[Candidate]:
        """A form as two words run together, where the pair is in use."""
        found: list[Candidate] = []
        known = self.language.lexicon.known
        for at in range(1, len(form)):
            left, right = form[:at], form[at:]
            if not (known(left, 50) and known(right, 50)) or right[0].isupper():
                continue
            pair = (left.lower(), right.lower())
            if self.language.usage.word(f"{left}-{right}") > 1:
                found.append(Candidate(f"{left}-{right}", _SPLIT_COST - 2, (("", "-"),)))
            elif self.language.usage.pairs[pair] or self.language.lexicon.pair(*pair):
                found.append(Candidate(f"{left} {right}", _SPLIT_COST, (("", " "),)))
        return found

    def as_is(self, form: str, *, opens: bool) -> float:
        """The log probability that a form in no list stands there as printed."""
        score = -(_UNKNOWN_PER_LETTER * len(form) + _UNKNOWN)
        if any(oddities(form)):
            return score - _MALFORMED
        if form[:1].isupper() and not opens and form[1:].islower():
            score = max(score, -_NAME)
        return score


def splits(text: str) -> list[tuple[str, str, str]]:
    """A word's text as signs before, form, signs after; doubtful signs go either way."""
    match = _EDGES.match(text)
    if not match:
        return []
    lead, form, tail = match.groups()
    if not form:
        return []
    found = [(lead, form, tail)]
    if tail and tail[0] in "'.;:" and form[-1] in "oO":
        found.append((lead, form + tail[0], tail[1:]))
    if lead and lead[-1] in "\"'":
        found.append((lead[:-1], lead[-1] + form, tail))
    return found


@lru_cache(maxsize=50_000)
def oddities(form: str) -> tuple[bool, ...]:
    """For each character of a form, whether it cannot stand there in a printed word."""
    if _NUMBER.match(form) or _MC.match(form):
        return (False,) * len(form)
    upper = sum(map(str.isupper, form))
    capitals = upper > 1 and upper >= sum(map(str.islower, form))
    odd: list[bool] = []
    for i, sign in enumerate(form):
        if sign.isalpha():
            odd.append(sign.isupper() and i > 0 and not capitals and form[i - 1] not in "-'’.")
        elif sign in "'’":
            odd.append(not (_ELISION.search(form[i + 1 :]) or i <= 2) and i + 1 < len(form))
        elif sign in "-.":
            odd.append(i in (0, len(form) - 1) and sign == "-")
        else:
            odd.append(sign != "&" or len(form) > 2)
    return tuple(odd)


def recase(text: str, form: str) -> str | None:
    """A candidate with capitals that make sense: none, the initial, or all; None if it has others.

    Args:
        text: the candidate as the confusions give it.
        form: what was read.
    """
    if text.islower() or text.isupper() or text.istitle() or _MC.match(text):
        return text
    capitals = sum(map(str.isupper, form))
    if capitals > 1 and capitals >= sum(map(str.islower, form)):
        return text.upper()
    parts = re.split(r"[- ']", text)
    return None if any(c.isupper() for part in parts for c in part[1:]) else text


def correct_words(words: Sequence[Word], language: Language) -> dict[int, Correction]:
    """Find readings for all words that are in no list.

    The first pass learns from what is certain which confusions the scan is prone to; the second decides.

    Args:
        words: the words of the scan.
        language: word lists and the book's counts.
    Returns:
        By the index of the first word: its best reading, with the margin by which it wins.
    """
    vocabularies = (_vocabulary(),)
    channel = load_channel()
    found: dict[int, Correction] = {}
    doubtful = [i for i, w in enumerate(words) if w.free and _doubtful(w.text, language)]
    for last in (False, True):
        forms = _forms(words, found, language)
        corrector = Corrector(words, language, channel, vocabularies)
        found = {}
        for i in doubtful:
            if _garbage(i, forms):
                continue
            correction = corrector.correct(i, forms)
            if correction:
                found[i] = correction
        if not last:
            channel = channel.learn(_learn(list(found.values())))
    return found


def _doubtful(text: str, language: Language) -> bool:
    parts = splits(text)
    return bool(parts) and not _NUMBER.match(parts[0][1]) and not language.lexicon.known(parts[0][1])


def _garbage(i: int, forms: Sequence[str]) -> bool:
    """Whether too many words around are unknown: noise, a table, or another language."""
    window = [forms[k] for k in range(max(0, i - _WINDOW), min(len(forms), i + _WINDOW + 1)) if k != i]
    return sum(not f for f in window) * 2 >= len(window)


def _forms(words: Sequence[Word], found: Mapping[int, Correction], language: Language) -> list[str]:
    """The words in small letters as read so far; "" for what is no word."""
    forms: list[str] = []
    for i, word in enumerate(words):
        text = found[i].text if i in found and found[i].margin >= _CERTAIN else word.text
        form = core(text)
        forms.append(form.lower() if form and language.lexicon.known(form) else "")
    return forms


def _learn(corrections: Sequence[Correction]) -> Counter[Confusion]:
    """In how many different words each confusion was met, by corrections that are certain."""
    seen = {(c.text.lower(), confusion) for c in corrections if c.margin >= _CERTAIN for confusion in c.path}
    return Counter(confusion for _, confusion in seen)


@lru_cache(maxsize=1)
def _vocabulary() -> Vocabulary:
    return Vocabulary(load_lexicon().common())
