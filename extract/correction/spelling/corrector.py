"""Correction of words that are in no list: candidates, ranked by the language model of the book."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import exp

from extract.correction.rules import Rule
from extract.correction.spelling.channel import BLANK, Channel, Confusion, Proposal, Vocabulary
from extract.correction.spelling.context import STOP, Language
from extract.correction.spelling.words import Word
from extract.language.lexicon import FUNCTION, core, word_set
from extract.language.token_shape import edges, malformed, readings, recase, transposed
from extract.weights import weights

SURE, SURE_IF_MALFORMED, CERTAIN = weights("correction", "word.sure", "word.sure_if_malformed", "word.certain")
"""Log odds from which a correction is made; the same for a malformed form; and to be evidence for other words."""
_SURE_IF_GLUED, _SURE_IF_COMMA = weights("correction", "word.sure_if_glued", "word.sure_if_comma")
_COMMA = re.compile(r"[^\W\d_],[^\W\d_]")
_SHOWN, _LEARNED, _LEARNED_IN_PART = weights("correction", "word.blanks_lost", "word.learned", "word.learned_in_part")
OFTEN, _SHORTEST = 10, 4
"""How often a word of the book's vocabulary occurs; the fewest letters of a form that may be its misreading."""
(_NO_NAME,) = weights("correction", "word.sure_if_no_name")
_TIMES = 20
_UNKNOWN_PER_LETTER, _UNKNOWN = weights("correction", "as_printed.per_letter", "as_printed.unknown")
_MALFORMED, _NAME, _RARE = weights("correction", "as_printed.malformed", "as_printed.name", "as_printed.rare")
_STRAY, _WEAK, _WITNESS = weights("correction", "word.stray_apostrophe", "word.weak", "word.witness")
_SURE_IF_RESPELT, _SHOWN_VOWEL, _NEVER = weights("correction", "word.sure_if_respelt", "word.shown_vowel", "word.never")
_VOWELS = frozenset("aeiou")
_STROKES = frozenset("1l|!")
_CITING = word_set("citing")

Source = Callable[["Corrector", str, int], list[Proposal]]
"""Finds candidates, given the corrector, the form without the punctuation around it, and the index of its word."""


@dataclass(frozen=True, slots=True)
class Correction:
    """Words [first, last] of the scan read as `text`.

    `margin`: the log odds against the next best reading; `need`: the margin from which the correction is made;
    `path`: the confusions; `rule`: the name of the rule that found it.
    """

    first: int
    last: int
    text: str
    margin: float
    path: tuple[Confusion, ...]
    note: str
    need: float = SURE
    rule: str = ""

    @property
    def sure(self) -> bool:
        """Whether the correction is made; if not, it is suggested."""
        return self.margin >= self.need

    @property
    def confidence(self) -> float:
        """The margin as a probability."""
        return probability(self.margin)


def probability(margin: float) -> float:
    """Log odds as a probability."""
    return round(1 / (1 + exp(-max(-20.0, min(20.0, margin)))), 4)


@dataclass(frozen=True, slots=True)
class Corrector:
    """The data that a pass over the words needs.

    `forms`: the words as read so far, in lower case, "" where they are not evidence; `votes`: the words that other
    prints of the passage have, by the index of the word; `own`: the words that the book uses;
    `sources`: the rules that find candidates.
    """

    words: Sequence[Word]
    forms: Sequence[str]
    language: Language
    channel: Channel
    vocabulary: Vocabulary
    votes: Mapping[int, Counter[str]] = field(default_factory=dict)
    own: Vocabulary = field(default_factory=lambda: Vocabulary([]))
    sources: Sequence[Rule[Source]] = ()

    @property
    def blanks_lost(self) -> bool:
        """Whether the scan is known to lose blanks."""
        return self.channel.lost_blank <= _SHOWN

    def context(self, first: int, last: int) -> tuple[str, str]:
        """What precedes and what follows words [first, last]: a word, STOP, PAUSE, or "" for no evidence."""
        before = STOP if not first else self.words[first - 1].sign or self.forms[first - 1]
        after = STOP if last + 1 == len(self.words) else self.words[last].sign or self.forms[last + 1]
        return before, after

    def correct(self, i: int) -> Correction | None:
        """Find the best correction of word `i`, with its margin over the next best reading."""
        word = self.words[i]
        if self._is_word_but_for_signs(word.text) or self._is_word_but_for_case(word.text):
            return None
        opens = not i or self.words[i - 1].ends
        before, after = self.context(i, i)
        options: dict[str, tuple[float, Proposal, bool]] = {}
        as_is = float("-inf")
        for lead, form, tail in readings(word.text):
            as_is = max(as_is, self.as_is(form, opens=opens))
            for candidate in self.candidates(form, i):
                text = recase(candidate.text, form)
                if text is None or transposed(text, form) or (len(text) < 2 and form not in _STROKES):
                    continue
                fit = self.language.fit(before, [core(part) or part for part in text.lower().split(" ")], after)
                score = fit - candidate.cost + self.language.case(text, opens=opens)
                score += _WITNESS * (text.lower() in self.votes.get(i, ()))
                if tail[:1] == "'" and tail[1:2] != "s" and text[-1] != "s":
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
        others = [(s, c) for text, (s, c, _) in ranked[1:] if core(text).lower() != core(whole).lower()]
        # An unexplained candidate does not compete with one that a known confusion explains.
        rival = max([as_is] + [s for s, c in others if not c.unexplained or candidate.unexplained])
        witnessed = core(whole).lower() in self.votes.get(i, ())
        need = self._need(edges(word.text)[1], candidate, opens=opens, witnessed=witnessed)
        note = self.note(whole, candidate, i)
        return Correction(i, i, whole, score - rival, candidate.path, note, need, candidate.rule)

    def _need(self, form: str, candidate: Proposal, *, opens: bool, witnessed: bool) -> float:
        """The log odds needed to accept a candidate: fewer if the form is malformed, or rare in the book."""
        learned = _LEARNED_IN_PART if "-" in form else _LEARNED
        odd = malformed(form)
        lenient = (not candidate.unexplained and len(form) > 2 and odd) or (
            candidate.path and candidate.cost <= learned
        )
        short = len(candidate.text) < 3 and odd
        split = " " in candidate.text and not set(candidate.text.lower().split()) & FUNCTION
        weak = not witnessed and (_at_edge(candidate, form) or short or split)
        need = (SURE_IF_MALFORMED if lenient else SURE) + _WEAK * weak
        if {*candidate.path} == {BLANK}:
            if _COMMA.search(form):
                need = _SURE_IF_COMMA
            elif not weak or self.blanks_lost:
                need = min(need, _SURE_IF_GLUED)
        elif self._once_for_often(form, candidate):
            need = min(need, _NO_NAME if form[0].isupper() and not opens else SURE_IF_MALFORMED)
        elif not witnessed and not lenient and candidate.path and all({*pair} <= _VOWELS for pair in candidate.path):
            # The spelling of the author or compositor, unless many words of the scan show the same exchange of vowels.
            need = _SURE_IF_RESPELT if candidate.cost <= _SHOWN_VOWEL * len(candidate.path) else _NEVER
        return need

    def candidates(self, form: str, i: int) -> list[Proposal]:
        """All candidates for a form; an unexplained one is dropped if an earlier rule found the same word."""
        found: list[Proposal] = []
        for rule in self.sources:
            texts = {c.text for c in found}
            new = [c for c in rule.apply(self, form, i) if not (c.unexplained and c.text in texts)]
            found += [replace(c, rule=rule.name) for c in new]
        return found

    def as_is(self, form: str, *, opens: bool) -> float:
        """The log probability that a form in no list is printed as it was read."""
        if self.language.lexicon.size(form) is not None and not malformed(form):
            return -_RARE
        score = -(_UNKNOWN_PER_LETTER * len(form) + _UNKNOWN)
        if malformed(form):
            return score - _MALFORMED
        if form[:1].isupper() and not opens and form[1:].islower():
            score = max(score, -_NAME)
        return score

    def note(self, text: str, candidate: Proposal, i: int) -> str:
        """Describe the evidence for a reading."""
        seen = [f"{read} for {printed or 'nothing'}" for read, printed in candidate.path if read]
        parts = ["misread " + ", ".join(seen)] if seen else []
        if core(text).lower() in self.votes.get(i, ()):
            parts.append(f"another print of the passage reads '{core(text).lower()}'")
        parts.append(self.stands(core(text)))
        before, after = self.context(i, i)
        pair = self.language.usage.pairs
        word = core(text).lower()
        if before.isalpha() and pair[before, word]:
            parts.append(f"'{before} {word}' as elsewhere")
        elif after.isalpha() and pair[word, after]:
            parts.append(f"'{word} {after}' as elsewhere")
        return "; ".join(parts)

    def stands(self, word: str) -> str:
        times = self.language.usage.word(word)
        if not times:
            return f"'{word}' is in the word list"
        return f"'{word}' stands {'once' if times == 1 else f'{times} times'} elsewhere"

    def _once_for_often(self, form: str, candidate: Proposal) -> bool:
        """Whether a form is one confusion from a word used often, and occurs only once or a twentieth as often.

        If so, it is neither a name nor the author's spelling.
        """
        word, usage = candidate.text.lower(), self.language.usage
        if len(candidate.path) != 1 or len(form) < _SHORTEST or usage.word(word) < OFTEN:
            return False
        if usage.word(form) > max(1, usage.word(word) // _TIMES):
            return False
        return not form[0].isupper() or 2 * usage.capitals[word] > usage.word(word)

    def _is_word_but_for_signs(self, text: str) -> bool:
        """Whether a form is a word except for signs at its edges, which other rules correct."""
        form = edges(text)[1]
        return core(form) != form and self.language.lexicon.known(core(form), 50)

    def _is_word_but_for_case(self, text: str) -> bool:
        """Whether a form with a stray capital is a word (`SEc.`, `reCognizance`), so that no other word is meant."""
        form = edges(text)[1]
        is_word = self.language.lexicon.size(form.lower()) is not None or form.lower() in _CITING
        return form.isalpha() and malformed(form) and is_word


def _at_edge(candidate: Proposal, form: str) -> bool:
    """Whether the unexplained span is at the beginning or end of the form, where it may be punctuation."""
    if not candidate.unexplained:
        return False
    span = candidate.path[0][0]
    return form.startswith(span) or form.endswith(span)


def _trims(candidate: Proposal, form: str) -> bool:
    """Whether a candidate drops a sign at the edge of the form, which is left to the rules for punctuation."""
    if not candidate.path:
        return False
    first, last = (form[0], ""), (form[-1], "")
    return (candidate.path[0] == first and not form[0].isalnum()) or (
        candidate.path[-1] == last and not form[-1].isalnum()
    )
