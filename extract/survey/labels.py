"""What may be a label where a line begins, read by its shape alone: `12.`, `§ 12.`, `SEC. 12.`, `Art. XII`, `(a)`."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import Literal

from extract.language.lexicon import word_list, word_set
from extract.language.sentences import ends_paragraph
from extract.numbering.numerals import arabic
from extract.numbering.spelled import worded
from extract.numbering.template import STRAY, Template, word_pattern
from extract.segment.outline import WorkingText
from extract.text.headings import is_heading
from extract.text.lines import ends_line

Numeral = Literal["n", "I", "a", "w"]
"""How a number is printed: in figures, in roman numerals, by a letter, in words. The names of the slots of a label."""

_MARKUP = r"[_*=]{1,2}"
_LABEL = re.compile(
    rf"(?P<open>(?:{_MARKUP})?[(\[]?)"
    r"(?:(?P<word>§{1,2}|¶|(?!(?:[IVXLC]+|[ivxlc]+)[.,)\]]{0,2}(?:\s|$|[_*=—–-]))"
    r"[A-Za-z][A-Za-z-]{0,14}(?: (?:[A-Z][a-z]{2,9}|N[Oo](?=\.)))?\.?)"
    r"(?P<gap>[ \t]*))?"
    r"(?P<number>\d{1,4}|[IVXLC]{1,8}|[ivxlc]{1,8}|[A-Z]|[a-z])"
    r"(?:(?P<ordinal>(?<=\d)(?:st|nd|rd|th|(?<=(?<!1)[23])d)(?:ly)?)|(?P<letter>(?<=\d)[a-hA-H]))?"
    rf"(?P<tail>(?:{_MARKUP})?[ \t]?(?:°?[.:,)\]]{{0,2}}[—–-]{{0,3}}(?:{_MARKUP})?[—–-]{{0,2}}))"
    r"(?P<after>\s|$|(?<=[—–-])\S)"
)
# Words that number pages, pictures and dates, and never provisions.
_NOT_NUMBERING = word_set("not_numbering")
_SENTENCE = re.compile(r"(?<=[.;:?!)\]\"'”’])[ \t]+(?=[\d§A-Z])")
_CAPITAL = re.compile(r"[\s—–-]*[_*=\"“‘'(]?[A-Z]")
_SHORT = {w: s for w, s in (pair.split("=") for pair in word_list("members")) if w.isalpha()}
_ORDINAL, _ORDINALS = "st", 5  # the word of the shape of `1st.`, `2d.`, `3rd.`, and in how many ways they may end
_ORDINAL_SLOT = re.compile(r"\}(?:st|nd|rd|th|d)")
_NUMBER = "no"
BARE = "-"
"""The word of the shape of a number without a stop."""
_DASHED = re.compile(r"\d{1,3}(?:—|–|--)[A-Z]?")  # `12—The`
_SENTENCE_BEGINS = re.compile(r"\s*[\"“‘'_]?[A-Z](?:[a-z]|\s)")
_BEFORE_WORDS = re.compile(r"(?P<word>[A-Z][A-Za-z-]{2,13}\.?)[ \t]+(?:(?P<the>[Tt]he|THE)[ \t]+)?(?=[A-Z])")
_GOES_ON, _ABOVE = re.compile(r"[^\s.?!][:;,—-]\s*$"), 20
_FEWEST = 3  # labels of a shape of which misread ones are looked for
_RARER = 3  # how many times rarer than a word its misreadings are, at least
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True, slots=True)
class LabelShape:
    """How the labels of a numbering look: the word before the number, how that is printed, what encloses it.

    `word` is in small letters without its stop, shortened ones (`Section 1.`, `Sec. 2.`) as one, and `st` for
    ordinals (`1st.`, `2d.`); `enclosed`: the number
    is in brackets, or has one behind it.
    """

    word: str
    numeral: Numeral
    enclosed: bool


@dataclass(frozen=True, slots=True)
class Sighting:
    """A label seen: its place in the working text, its shape, number and letter (`12a`), and how it is printed.

    `alone`: nothing follows on its line; `dashed`: a dash does; `within`: it does not begin its line;
    `doubtful`: it is one only if its number is due there; `indent`: characters between the margin and it;
    `listed`: what stands above it has not ended, as before the first item of a list.
    """

    start: int
    end: int
    shape: LabelShape
    number: int
    letter: str
    template: str
    alone: bool
    dashed: bool = False
    within: bool = False
    doubtful: bool = False
    indent: int = 0
    listed: bool = False


def sightings(work: WorkingText, *, within: bool = False) -> list[Sighting]:
    """All that looks like a label where a line begins.

    Args:
        work: the working text of a scan, furniture gone.
        within: look within lines too, behind the end of a sentence.
    Returns:
        In reading order. A letter that may be a roman numeral is told as both, one after the other.
    """
    found: list[Sighting] = []
    for at in work.line_starts(0, len(work.text)):
        found += read_label(work.text, at)
    if within and work.layout != "single-line":
        ends = {x.start: x.end for x in found}
        begun = sorted(ends)
        places = (m.end() for m in _SENTENCE.finditer(work.text) if not work.in_footnote(m.end()))
        places = (at for at in places if not (i := bisect_right(begun, at)) or ends[begun[i - 1]] <= at)
        found += [replace(x, within=True) for at in places for x in read_label(work.text, at) if _opens(work.text, x)]
        found.sort(key=lambda x: x.start)
    return found


def with_misread(work: WorkingText, seen: Sequence[Sighting]) -> list[Sighting]:
    """The labels seen, with those of which all but the number is misread (`28, A pack`, `SEG, 24.`).

    Args:
        work: the working text.
        seen: the labels that look like some; what none of them looks like is not looked for.
    Returns:
        In reading order. Where a paragraph begins, misread ones stand for labels of the shape that most have; they are
        doubtful, as are those of a shape that is a commoner one with its word misread.
    """
    templates: dict[LabelShape, Counter[str]] = {}
    for sighting in seen:
        if (
            sighting.shape.numeral == "n"
            and not sighting.shape.enclosed
            and sighting.shape.word not in (_ORDINAL, BARE)
        ):
            templates.setdefault(sighting.shape, Counter())[sighting.template] += 1
    ranked = sorted((s for s in templates if templates[s].total() >= _FEWEST), key=lambda s: -templates[s].total())
    known = {s: Template(templates[s].most_common(1)[0][0]) for s in sorted(ranked, key=lambda s: not s.word)}
    bare = sum(x.shape.word == BARE for x in seen)
    found: list[Sighting] = []
    for sighting in seen:
        count = bare if sighting.shape.word == BARE else templates.get(sighting.shape, Counter()).total()
        usual = next((s for s in ranked if count * _RARER <= templates[s].total() and _like(sighting.shape, s)), None)
        if usual:
            sighting = replace(sighting, shape=usual, template=known[usual].label, doubtful=True)
        found.append(sighting)
    taken = {x.start for x in seen}
    for before, line in pairwise(work.lines):
        at = line.start + (stray.end() if (stray := STRAY.match(line.text)) else 0)
        if at in taken or work.in_footnote(at):
            continue
        ended = is_heading(before) or ends_paragraph(before.text)
        for shape, template in known.items():
            label = template.read(work.text, at, len(work.text))
            misread = label and label.read.isdecimal() and int(label.read) and label.tail.strip()
            if label and misread and ended + (line.above > 1) + bool(_CAPITAL.match(work.text, label.end)) > 1:
                found.append(
                    Sighting(at, label.end, shape, int(label.read), "", template.label, alone=False, doubtful=True)
                )
                break
    return sorted(found, key=lambda x: x.start)


def _like(shape: LabelShape, usual: LabelShape) -> bool:
    """Whether a shape is another with its word misread, or its stop lost; a word that labels provisions is none so."""
    if shape.word == BARE:
        return not usual.word
    if not shape.word.isalpha() or replace(shape, word=usual.word) != usual or shape.word in {usual.word, *_SHORT}:
        return False
    return bool(re.fullmatch(word_pattern(usual.word), shape.word))


def _opens(text: str, label: Sighting) -> bool:
    """Whether a sentence begins behind what may be a label within a line; figures alone tell a label there."""
    return label.shape.numeral == "n" and not label.alone and bool(_CAPITAL.match(text, label.end))


def read_label(text: str, at: int) -> list[Sighting]:
    """What a label at an offset may be: nothing, one reading, or two (`(i)`: a letter or a roman numeral)."""
    if stray := STRAY.match(text, at):
        at = stray.end()
    match = _LABEL.match(text, at)
    if (match is None or match["number"].isalpha()) and (said := _in_words(text, at)):
        return [said]
    if match is None:
        return []
    word = (match["word"] or "").rstrip(".").casefold().removesuffix(f" {_NUMBER}")
    if word == _NUMBER and (
        match["word"] != "No." or (not match["number"].isupper() and not match["number"].isdecimal())
    ):
        return []
    if word and (word in _NOT_NUMBERING or (word.isalpha() and match["word"][0].islower()) or not _stands(match)):
        return []
    tail = match["tail"].strip()
    alone = "\n" in match["after"] or ends_line(text, match.end(), len(text))
    bare = not word and not alone and match["number"].isdecimal() and not tail and _bare(text, at, match.end())
    set_apart = alone and (match["number"].isdecimal() or match["number"].isupper())
    if not word and not (re.search(r"[.:)\]]", tail) or set_apart or bare or _DASHED.fullmatch(match[0].strip())):
        return []
    if not word and tail.startswith(",") and not match["number"].isdecimal():
        return []
    word = _ORDINAL if match["ordinal"] else BARE if bare else _SHORT.get(word, word)
    bracket = bool(re.search(r"[(\[]", match["open"])) or bool(re.search(r"[)\]]", tail))
    end = match.end("tail")
    return [
        Sighting(at, end, LabelShape(word, kind, bracket), number, (match["letter"] or "").strip(),
                 _template(match, kind), alone, tail.endswith(("-", "–", "—")), indent=at - text.rfind("\n", 0, at) - 1,
                 listed=bool(_GOES_ON.search(text, max(0, at - _ABOVE), at)))
        for kind, number in _values(match["number"])
    ]  # fmt: skip


def _bare(text: str, at: int, end: int) -> bool:
    """Whether a number without a stop begins a paragraph, as where a print sets it apart by its place alone."""
    above = text[max(0, at - 40) : at].rstrip(" \t")
    return (not above.strip() or above.endswith("\n\n")) and bool(_SENTENCE_BEGINS.match(text, end))


def _in_words(text: str, at: int) -> Sighting | None:
    """A label with its number in words: `LAW THE FIRST.`, `Article Two.`, `Third.--` where a sentence follows."""
    match = _BEFORE_WORDS.match(text, at)
    if match and (match["word"].rstrip(".").casefold() in _NOT_NUMBERING or not worded(text, match.end())):
        match = None
    found = worded(text, match.end() if match else at)
    if found is None or not text[at].isupper() or (match and match["the"] and not found.ordinal):
        return None
    label = match["word"] if match else ""
    alone = ends_line(text, found.end, len(text))
    dashed = text[found.end - 1] in "—–-"
    if not label and not (found.ordinal and (alone or _CAPITAL.match(text, found.end))):
        return None
    if not dashed and (found.stop in ("", ",") if not label else not (alone or found.stop)):
        return None
    word = label.rstrip(".").casefold()
    before = " ".join(filter(None, (label, match["the"] if match else "")))
    return Sighting(
        at, found.end, LabelShape(_SHORT.get(word, word), "w", False), found.value, "",
        f"{before}{' ' if before else ''}{{w}}{found.stop.rstrip(',')}", alone, dashed,
        indent=at - text.rfind("\n", 0, at) - 1,
    )  # fmt: skip


def _stands(match: re.Match[str]) -> bool:
    """Whether a word and what follows it may be a label: `A 3` is, `A b` and `At 3 o'clock` are no more than text."""
    number = match["number"]
    if match["word"][0] in "§¶":
        return number.isdecimal() or (bool(arabic(number)) and number.isupper())
    if not match["gap"] and not match["word"].endswith("."):
        return False  # one word: `Illness`
    if number.isdecimal():
        return True
    return len(match["word"].rstrip(".")) > 1 and bool(arabic(number)) and number.isupper()


def _values(number: str) -> list[tuple[Numeral, int]]:
    if number.isdecimal():
        return [("n", int(number))] if int(number) else []
    found: list[tuple[Numeral, int]] = [("I", arabic(number))] if arabic(number) else []
    if len(number) == 1:
        found.append(("a", _LETTERS.index(number.lower()) + 1))
    return found


def _template(match: re.Match[str], kind: Numeral) -> str:
    """The label as book.toml has it: what is printed, with a slot for the number."""
    word = f"{match['word']}{' ' if match['gap'] else ''}" if match["word"] else ""
    tail = re.sub(r"[—–-]+$", "", match["tail"].strip())
    tail = tail.rstrip(",") if tail.endswith((".,", ",")) else tail
    return f"{match['open']}{word}{{{kind}}}{match['ordinal'] or ''}{tail}"


@lru_cache
def common_template(templates: Sequence[str]) -> str:
    """The way in which most labels of a numbering are printed.

    Ways that a fifth of them have stand beside it, and that of the first label if it has another word, as where
    `SECTION 1.` is printed in full and the rest are shortened.
    """
    counts: dict[str, int] = {}
    for template in templates:
        counts[template] = counts.get(template, 0) + 1
    ranked = sorted(counts, key=lambda t: (-counts[t], t))
    least = 1 if _ORDINAL_SLOT.search(ranked[0]) else max(2, len(templates) // 5)
    kept = [ranked[0], *(t for t in ranked[1:] if counts[t] >= least)]
    kept = kept[: _ORDINALS if least == 1 else 3]
    if (begins := templates[0]) not in kept and begins.split("{")[0] not in {t.split("{")[0] for t in kept}:
        kept.append(begins)
    return "|".join(kept)
