"""Defined terms in black letter, which OCR of roman type misreads beyond its usual confusions (`Monours` for Honours).

A headword of a glossary is a term of the book, so it occurs in the text as well. A headword that occurs nowhere else
is read as the term of the book that it most resembles in black letter.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from extract.correction.spelling.channel import Channel, load_channel
from extract.correction.spelling.corrector import Correction, Corrector
from extract.correction.spelling.words import Word
from extract.language.token_shape import edges, recase
from extract.text.spacing import PARAGRAPH
from extract.weights import weights

_LONGEST_HEAD = 3
_NEED, _NEED_IF_KNOWN, _UNUSED = weights("correction", "headword.sure", "headword.sure_if_known", "headword.unused")


def correct_headwords(corrector: Corrector) -> dict[int, Correction]:
    """Correct the headwords of definitions: words that begin a paragraph and end at a dash.

    Args:
        corrector: the words, their context and the language.
    Returns:
        By the word's index: its correction to the term of the book that it most likely stands for.
    """
    channel = load_channel("confusions.tsv", "blackletter.tsv")
    found: dict[int, Correction] = {}
    for i in _head_words(corrector.words):
        if correction := _read(i, corrector, channel):
            found[i] = correction
    return found


def _head_words(words: Sequence[Word]) -> Iterator[int]:
    for first in range(len(words)):
        if first and words[first - 1].after != PARAGRAPH:
            continue
        for last in range(first, min(len(words) - 1, first + _LONGEST_HEAD)):
            if words[last + 1].text.startswith(("—", "–")):
                yield from range(first, last + 1)
            if words[last].after == PARAGRAPH or (last > first and not words[last].text[:1].isupper()):
                break


def _read(i: int, corrector: Corrector, channel: Channel) -> Correction | None:
    lead, form, tail = edges(corrector.words[i].text)
    language, small = corrector.language, form.lower()
    used = language.usage.word(small)
    if used > 1 or len(form) < 4 or not corrector.words[i].free or form[0].islower():
        return None
    known = language.lexicon.known(form)
    as_is = language.fit("", [small], "", less=1) - _UNUSED if known else corrector.as_is(form, opens=True)
    options: list[tuple[float, str]] = []
    for candidate in channel.candidates(form, corrector.own, worst=12.0):
        text = recase(candidate.text, form)
        if text is not None and text.lower() != small:
            text = text[0].upper() + text[1:]
            options.append((language.fit("", [text.lower()], "") - candidate.cost, text))
    if not options:
        return None
    options.sort(key=lambda o: (-o[0], o[1]))
    score, text = options[0]
    rival = max([as_is] + [s for s, t in options[1:] if t != text])
    times = language.usage.word(text)
    note = f"a defined term in black letter; '{text.lower()}' stands {times} times in the book, '{small}' nowhere else"
    return Correction(i, i, lead + text + tail, score - rival, (), note, _NEED_IF_KNOWN if known else _NEED)
