"""Correction of words that are in no list: candidates of the noisy channel, weighed by the language of the book."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import exp, log

from rapidfuzz.distance import Levenshtein

from extract.forms import edges, malformed, oddities, readings, recase, transposed
from extract.mend.channel import Candidate, Channel, Confusion, Vocabulary, garbled_candidates
from extract.mend.context import STOP, Language
from extract.mend.lexicon import FUNCTION, core
from extract.mend.words import Word

SURE, SURE_IF_MALFORMED = 6.0, 3.0
"""Log odds from which a correction is made; a form that cannot be a word, or a habit of the scan, needs less."""
_LEARNED = 3.0
_UNKNOWN_PER_LETTER, _UNKNOWN = 2.2, 5.0
_MALFORMED = 12.0
_NAME = 12.0
_RARE = 14.0
_SPLIT_COST = 6.0
_CUT_COST = 6.0
_STRAY = 4.0
_WEAK = 3.0
_NEVER = 99.0
_VOWELS = frozenset("aeiou")
_STROKES = frozenset("1l|!")
_WITNESS = 5.0
_WITNESS_COST, _WITNESS_PER_LETTER = 3.0, 2.5


@dataclass(frozen=True, slots=True)
class Correction:
    """Words [first, last] of the scan read as `text`.

    `margin` is the log odds against the next best reading, `need` how much it takes; `path` are the confusions.
    """

    first: int
    last: int
    text: str
    margin: float
    path: tuple[Confusion, ...]
    note: str
    need: float = SURE

    @property
    def sure(self) -> bool:
        """Whether the correction is made; if not, it is suggested."""
        return self.margin >= self.need

    @property
    def confidence(self) -> float:
        """The margin as a probability."""
        return round(1 / (1 + exp(-max(-20.0, min(20.0, self.margin)))), 4)


@dataclass(frozen=True, slots=True)
class Corrector:
    """What a pass over the words needs.

    `forms`: the words as read so far, in small letters, "" where they are no evidence; `votes`: what other
    prints of the passage read, by word.
    """

    words: Sequence[Word]
    forms: Sequence[str]
    language: Language
    channel: Channel
    vocabulary: Vocabulary
    votes: Mapping[int, Counter[str]] = field(default_factory=dict)

    def context(self, first: int, last: int) -> tuple[str, str]:
        """What stands before and after words [first, last]: a word, STOP or PAUSE, or "" for no evidence."""
        before = STOP if not first else self.words[first - 1].sign or self.forms[first - 1]
        after = STOP if last + 1 == len(self.words) else self.words[last].sign or self.forms[last + 1]
        return before, after

    def correct(self, i: int) -> Correction | None:
        """The best reading of word `i`, if there is any, with its margin over what stands there."""
        word = self.words[i]
        if self._is_word_but_for_signs(word.text):
            return None
        opens = not i or self.words[i - 1].ends
        before, after = self.context(i, i)
        options: dict[str, tuple[float, Candidate, bool]] = {}
        as_is = float("-inf")
        for lead, form, tail in readings(word.text):
            as_is = max(as_is, self.as_is(form, opens=opens))
            for candidate in self.candidates(form, i):
                text = recase(candidate.text, form)
                if text is None or transposed(text, form) or (len(text) < 2 and form not in _STROKES):
                    continue
                fit = self.language.fit(before, text.lower().split(" "), after)
                score = fit - candidate.cost + self.language.case(text, opens=opens)
                score += _WITNESS * (text.lower() in self.votes.get(i, ()))
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
        rival = max([as_is] + [s for text, (s, _, _) in ranked[1:] if core(text).lower() != core(whole).lower()])
        form = edges(word.text)[1]
        lenient = not candidate.garbled and len(form) > 2 and malformed(form)
        note = self.note(whole, candidate, i)
        lenient = lenient or (bool(candidate.path) and candidate.cost <= _LEARNED)
        witnessed = core(whole).lower() in self.votes.get(i, ())
        short = len(candidate.text) < 3 and malformed(form)
        split = " " in candidate.text and not set(candidate.text.lower().split()) & FUNCTION
        weak = not witnessed and (_at_edge(candidate, form) or short or split)
        need = (SURE_IF_MALFORMED if lenient else SURE) + _WEAK * weak
        if not witnessed and not lenient and _respelt(candidate):
            need = _NEVER
        return Correction(i, i, whole, score - rival, candidate.path, note, need)

    def merge(self, i: int) -> Correction | None:
        """A word that a blank cuts in two, from word `i` and the next, if one of the halves is no word."""
        word, other = self.words[i], self.words[i + 1]
        if word.sign or word.after != " " or not other.free:
            return None
        (lead, left, between), (inner, right, tail) = edges(word.text), edges(other.text)
        if between or inner or not left[-1:].isalpha() or not right[:1].islower():
            return None
        known = self.language.lexicon.known
        rare = [not known(h, 60) or (len(h) == 1 and h not in "aIO") for h in (left, right)]
        if not any(rare):
            return None
        form = left + right
        before, after = self.context(i, i + 1)
        halves = [
            self.as_is(half, opens=False) if odd else log(self.language.share(half.lower()))
            for half, odd in zip((left, right), rare, strict=True)
        ]
        found = [Candidate(form, 0.0, ())] if known(form, 60) and form.isalpha() else []
        if not {left.lower(), right.lower()} & FUNCTION and len(form) > 4:
            found += self.channel.candidates(form, self.vocabulary, worst=8.0, most=2)
        options: list[tuple[float, str, Candidate]] = []
        for candidate in found:
            text = recase(candidate.text, form)
            if text is not None and len(text) > 3:
                fit = self.language.fit(before, [text.lower()], after)
                options.append((fit - candidate.cost - _CUT_COST, text, candidate))
        if not options:
            return None
        score, text, candidate = max(options, key=lambda o: (o[0], o[1]))
        path = (*candidate.path, (" ", ""))
        need = SURE_IF_MALFORMED if min(len(left), len(right)) == 1 else SURE
        note = f"one word cut in two; {self._stands(text)}"
        return Correction(i, i + 1, lead + text + tail, score - sum(halves), path, note, need)

    def candidates(self, form: str, i: int) -> list[Candidate]:
        """Everything that a form may stand for: by confusions, by a garbled stretch, run together, by witnesses."""
        found = self.channel.candidates(form, self.vocabulary)
        odd = oddities(form)
        if any(odd):
            texts = {c.text for c in found}
            found += [c for c in garbled_candidates(form, self.vocabulary, odd) if c.text not in texts]
        known = self.language.lexicon.known
        parts = form.split("-")
        if len(parts) == 2 and all(parts):
            for k, part in enumerate(parts):
                if known(parts[1 - k]) and not known(part):
                    for c in self.channel.candidates(part, self.vocabulary):
                        text = f"{c.text}-{parts[1]}" if k == 0 else f"{parts[0]}-{c.text}"
                        found.append(Candidate(text, c.cost, c.path))
        if form.isalpha():
            found += self.parted(form)
        for word in self.votes.get(i, ()):
            if known(word) and (distance := Levenshtein.distance(word, form.lower())) <= _allowed(form):
                cost = _WITNESS_COST + _WITNESS_PER_LETTER * distance
                found.append(Candidate(word.title() if form[0].isupper() else word, cost, ()))
        return found

    def parted(self, form: str) -> list[Candidate]:
        """A form as two words run together, where the pair, or the compound with a hyphen, is in use."""
        found: list[Candidate] = []
        lexicon, usage = self.language.lexicon, self.language.usage
        for at in range(1, len(form)):
            left, right = form[:at], form[at:]
            if right[0].isupper() or not (lexicon.known(left, 50) and lexicon.known(right, 50)):
                continue
            pair = (left.lower(), right.lower())
            compound = f"{left}-{right}"
            if usage.word(compound) > 0 or (lexicon.size(compound) is not None and min(map(len, pair)) > 2):
                found.append(Candidate(compound, _SPLIT_COST - 2, (("", "-"),)))
            elif usage.pairs[pair] or lexicon.pair(*pair):
                cost = _SPLIT_COST - 2 * len({*pair} & FUNCTION)
                found.append(Candidate(f"{left} {right}", cost, (("", " "),)))
        return found

    def as_is(self, form: str, *, opens: bool) -> float:
        """The log probability that a form in no list stands there as printed."""
        if self.language.lexicon.size(form) is not None and not malformed(form):
            return -_RARE
        score = -(_UNKNOWN_PER_LETTER * len(form) + _UNKNOWN)
        if malformed(form):
            return score - _MALFORMED
        if form[:1].isupper() and not opens and form[1:].islower():
            score = max(score, -_NAME)
        return score

    def note(self, text: str, candidate: Candidate, i: int) -> str:
        """The evidence for a reading, in words."""
        seen = [f"{read} for {printed or 'nothing'}" for read, printed in candidate.path if read]
        parts = ["misread " + ", ".join(seen)] if seen else []
        if core(text).lower() in self.votes.get(i, ()):
            parts.append(f"another print of the passage reads '{core(text).lower()}'")
        parts.append(self._stands(core(text)))
        before, after = self.context(i, i)
        pair = self.language.usage.pairs
        word = core(text).lower()
        if before.isalpha() and pair[before, word]:
            parts.append(f"'{before} {word}' as elsewhere")
        elif after.isalpha() and pair[word, after]:
            parts.append(f"'{word} {after}' as elsewhere")
        return "; ".join(parts)

    def _stands(self, word: str) -> str:
        times = self.language.usage.word(word)
        if not times:
            return f"'{word}' is in the word list"
        return f"'{word}' stands {'once' if times == 1 else f'{times} times'} elsewhere"

    def _is_word_but_for_signs(self, text: str) -> bool:
        """Whether a form is a word, however rare, but for signs at its edges, which have rules of their own."""
        form = edges(text)[1]
        return core(form) != form and self.language.lexicon.known(core(form), 50)


def _allowed(form: str) -> int:
    """How many letters a witness may differ in and still print the same word."""
    return 1 if len(form) < 4 else max(2, len(form) // 3)


def _respelt(candidate: Candidate) -> bool:
    """Whether only vowels are exchanged: more often the author's or compositor's spelling than the scan's."""
    return bool(candidate.path) and all({*pair} <= _VOWELS for pair in candidate.path)


def _at_edge(candidate: Candidate, form: str) -> bool:
    """Whether a garbled stretch is the form's head or tail, where it may be punctuation."""
    if not candidate.garbled:
        return False
    stretch = candidate.path[0][0]
    return form.startswith(stretch) or form.endswith(stretch)


def _trims(candidate: Candidate, form: str) -> bool:
    """Whether a candidate leaves out a sign at the form's edge: that is for the rules of punctuation."""
    if not candidate.path:
        return False
    first, last = (form[0], ""), (form[-1], "")
    return (candidate.path[0] == first and not form[0].isalnum()) or (
        candidate.path[-1] == last and not form[-1].isalnum()
    )
