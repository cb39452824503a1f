"""Words that a blank cuts in two, where at least one half is not a word."""

from __future__ import annotations

from collections.abc import Callable
from math import log

from extract.correction.rules import Rule
from extract.correction.spelling.channel import Proposal
from extract.correction.spelling.corrector import SURE, SURE_IF_MALFORMED, Correction, Corrector
from extract.language.lexicon import FUNCTION
from extract.language.token_shape import edges, recase
from extract.weights import weights

(_CUT_COST,) = weights("correction", "blank.inside_word")

Cut = Callable[[Corrector, int], Correction | None]


def put_together(corrector: Corrector, i: int) -> Correction | None:
    """A word that a blank cuts in two, misread or not: word `i` and the next one are read as one.

    The margin is that over the two words as they are.
    """
    word, other = corrector.words[i], corrector.words[i + 1]
    if word.sign or word.after != " " or not (word.adjoins and other.free):
        return None
    (lead, left, between), (inner, right, tail) = edges(word.text), edges(other.text)
    if between or inner or not left[-1:].isalpha() or not right[:1].islower():
        return None
    known = corrector.language.lexicon.known
    rare = [not known(h, 60) or (len(h) == 1 and h not in "aIO") for h in (left, right)]
    if not any(rare):
        return None
    form = left + right
    before, after = corrector.context(i, i + 1)
    halves = [
        corrector.as_is(half, opens=False) if odd else log(corrector.language.share(half.lower()))
        for half, odd in zip((left, right), rare, strict=True)
    ]
    found = [Proposal(form, 0.0, ())] if known(form, 60) and form.isalpha() else []
    if not {left.lower(), right.lower()} & FUNCTION and len(form) > 4:
        found += corrector.channel.candidates(form, corrector.vocabulary, worst=8.0, most=2)
    options: list[tuple[float, str, Proposal]] = []
    for candidate in found:
        text = recase(candidate.text, form)
        if text is not None and len(text) > 3:
            fit = corrector.language.fit(before, [text.lower()], after)
            options.append((fit - candidate.cost - _CUT_COST, text, candidate))
    if not options:
        return None
    score, text, candidate = max(options, key=lambda o: (o[0], o[1]))
    path = (*candidate.path, (" ", ""))
    need = SURE_IF_MALFORMED if min(len(left), len(right)) == 1 else SURE
    note = f"one word cut in two; {corrector.stands(text)}"
    return Correction(i, i + 1, lead + text + tail, score - sum(halves), path, note, need)


CUTS: tuple[Rule[Cut], ...] = (
    Rule("word.cut", "all adversaries are here, and the adver« |»saries are there", put_together),
)
