"""Correction of misread words: candidates of the noisy channel, weighed by the language of the book."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import exp, log

from extract.channel import Candidate, Channel, Confusion, Vocabulary, garbled_candidates, load_channel, stretches
from extract.context import STOP, Language
from extract.lexicon import FUNCTION, core, load_lexicon
from extract.words import Word

_EDGES = re.compile(r"^([\"'“‘(\[—]*)(.*?)((?:(?<=\w)['’]s)?[.,;:?!\"'”’)\]—]*)$", re.S)
_ELISION = re.compile(r"(?:s|t|d|ll|re|ve|m|er|en|tis|twas|clock)$|s$")
_NUMBER = re.compile(r"^\W*[\d,./½¼¾⅓⅔]+(?:st|nd|rd|th|'?s|d|do)?\W*$|^[\diIlOoSs.]*\d[\diIlOoSs.]*$|^[A-Z]\d+$")
_MC = re.compile(r"^(?:Mc|Mac|Van|De|La|Le|O')[A-Z][a-z]+$|^[A-Z][a-z]+'[A-Z]")
SURE, SURE_IF_MALFORMED = 6.0, 3.0
"""Log odds from which a correction is made."""
_UNKNOWN_PER_LETTER, _UNKNOWN = 2.2, 5.0
_MALFORMED = 12.0
_NAME = 12.0
_SPLIT_COST = 6.0
_CUT_COST = 6.0
_STROKES = frozenset("1l|!")
_STRAY = 4.0
_CERTAIN = 8.0
_LIGHT = 4.5
_RECURS = 3
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
    lenient: bool

    @property
    def sure(self) -> bool:
        """Whether the correction is made; if not, it is suggested. `lenient`: the form cannot be a word."""
        return self.margin >= (SURE_IF_MALFORMED if self.lenient else SURE)

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
        options: dict[str, tuple[float, Candidate, bool]] = {}
        best_as_is = float("-inf")
        opens = not i or self.words[i - 1].ends
        before = STOP if not i else self.words[i - 1].sign or forms[i - 1]
        after = STOP if i + 1 == len(forms) else word.sign or forms[i + 1]
        if self._bare(word.text):
            return None
        for lead, form, tail in splits(word.text):
            best_as_is = max(best_as_is, self.as_is(form, opens=opens))
            for candidate in self.candidates(form):
                text = recase(candidate.text, form)
                if text is None or _transposed(text, form) or (len(text) < 2 and form not in _STROKES):
                    continue
                fit = self.language.fit(before, text.lower().split(" "), after)
                score = fit - candidate.cost + self.language.case(text, opens=opens)
                if tail[:1] == "'" and text[-1] != "s":
                    score -= _STRAY
                whole = lead + text + tail
                if whole not in options or score > options[whole][0]:
                    options[whole] = (score, candidate, _trims(candidate, form))
        if not options:
            return None
        ranked = sorted(options.items(), key=lambda o: (-o[1][0], o[0]))
        whole, (score, candidate, trims) = ranked[0]
        if trims:
            return None
        rival = max([best_as_is] + [s for text, (s, _, _) in ranked[1:] if core(text) != core(whole)])
        form = splits(word.text)[0][1]
        lenient = not candidate.garbled and len(form) > 3 and any(oddities(form))
        return Correction(i, i, whole, score - rival, candidate.path, "", lenient)

    def _bare(self, text: str) -> bool:
        """Whether a form is a word, however rare, but for signs at its edges."""
        return any(core(f) != f and self.language.lexicon.known(core(f), 99) for _, f, _ in splits(text)[:1])

    def merge(self, i: int, forms: Sequence[str]) -> Correction | None:
        """A word that a blank cuts in two, if one of its halves is no word.

        Args:
            i: the index of the first half.
            forms: as for `correct`.
        Returns:
            The word put together, with its margin over the halves as they stand.
        """
        word, other = self.words[i], self.words[i + 1]
        if word.sign or word.after != " " or not other.free:
            return None
        left, right = _EDGES.match(word.text), _EDGES.match(other.text)
        if not left or not right or left[3] or right[1] or not left[2] or not right[2] or right[2][0].isupper():
            return None
        known = self.language.lexicon.known
        rare = [not known(h[2], 60) or (len(h[2]) == 1 and h[2] not in "aIO") for h in (left, right)]
        if not any(rare):
            return None
        form = left[2] + right[2]
        exact = {left[2].lower(), right[2].lower()} & FUNCTION
        before = STOP if not i else self.words[i - 1].sign or forms[i - 1]
        after = STOP if i + 2 >= len(forms) else other.sign or forms[i + 2]
        halves = [
            self.as_is(h[2], opens=False) if odd else log(self.language.share(h[2].lower()))
            for h, odd in zip((left, right), rare, strict=True)
        ]
        found = [Candidate(form, 0.0, ())] if known(form, 60) and form.isalpha() else []
        if not exact and len(form) > 4:
            found += self.channel.candidates(form, self.vocabularies, worst=8.0, most=2)
        best: tuple[float, Candidate] | None = None
        for candidate in found:
            text = recase(candidate.text, form)
            if text is None or len(text) < 4:
                continue
            fit = self.language.fit(before, [text.lower()], after) - candidate.cost - _CUT_COST
            if best is None or fit > best[0]:
                best = (fit, Candidate(text, candidate.cost, candidate.path))
        if best is None:
            return None
        text = left[1] + best[1].text + right[3]
        stump = min(len(left[2]), len(right[2])) == 1
        return Correction(i, i + 1, text, best[0] - sum(halves), (*best[1].path, (" ", "")), "", stump)

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


def _transposed(text: str, form: str) -> bool:
    """Whether a candidate only changes the order, or the case, of the letters: the compositor's slip, not the scan's."""
    return sorted(text.lower()) == sorted(form.lower())


def _trims(candidate: Candidate, form: str) -> bool:
    """Whether a candidate leaves out a sign at the form's edge: that is for the rules of punctuation."""
    first, last = (form[0], ""), (form[-1], "")
    return (candidate.path[0] == first and not form[0].isalnum()) or (
        candidate.path[-1] == last and not form[-1].isalnum()
    )


def splits(text: str) -> list[tuple[str, str, str]]:
    """A word's text as signs before, form, signs after; doubtful signs go either way."""
    match = _EDGES.match(text)
    if not match:
        return []
    lead, form, tail = match.groups()
    if not form:
        return []
    found = [(lead, form, tail)]
    if tail and (tail[0] == "'" or (tail[0] in ".;:" and form[-1] in "oO")):
        found.append((lead, form + tail[0], tail[1:]))
    if form[-1] == "^" and len(form) > 3:
        found.append((lead, form[:-1], "," + tail))
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
    initial = next((c for c in form if c.isalpha()), "")
    if text[0] != initial and text[0].lower() == initial.lower():
        text = initial + text[1:]
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
    channel = channel.learn(_induce([core(words[i].text) for i in doubtful], language))
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
        for i in sorted({k for d in doubtful for k in (d - 1, d)}):
            if 0 <= i < len(words) - 1 and words[i].free and not _garbage(i, forms):
                merged = corrector.merge(i, forms)
                if merged and merged.margin > max(found[k].margin if k in found else 0.0 for k in (i, i + 1)):
                    found[i] = merged
                    found.pop(i + 1, None)
        if not last:
            channel = channel.learn(_learn(list(found.values())))
    return found


def _induce(forms: Sequence[str], language: Language) -> Counter[Confusion]:
    """Confusions that a scan shows again and again: what turns its unknown forms into words it uses elsewhere."""
    own = Vocabulary(w for w, n in language.usage.words.items() if n > 1 and w.isalpha() and language.lexicon.known(w))
    seen: Counter[Confusion] = Counter()
    for form in {f.lower() for f in forms if len(f) > 3}:
        found = {}
        for word, confusion in stretches(form, own):
            if not _transposed(word, form):
                found.setdefault(word, confusion)
        ranked = sorted(found, key=lambda w: (-language.usage.words[w], w))
        if ranked and all(language.usage.words[ranked[0]] > 4 * language.usage.words[w] for w in ranked[1:2]):
            seen[found[ranked[0]]] += 1
    return Counter({c: n for c, n in seen.items() if n >= _RECURS and c[1] not in ("", c[0])})


def mender(language: Language) -> Callable[[str], str | None]:
    """A function that gives the word a misread form most likely stands for, if the book uses that word."""
    channel, vocabularies = load_channel(), (_vocabulary(),)

    def mend(form: str) -> str | None:
        for candidate in channel.candidates(form, vocabularies, worst=_LIGHT, most=1):
            if language.usage.word(candidate.text) > 1:
                return candidate.text
        return None

    return mend


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
