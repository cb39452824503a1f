"""What may be a label where a line begins: `12.`, `§ 12.`, `SEC. 12.`, `Art. XII`, `(a)`, `LAW THE FIRST.`

A label is first read by its shape alone. The template that most labels of a shape have is then given to the lexer of
the build (`extract.numbering.template`): what that reads as one more of them, its word or its stop misread, is one.
"""

from __future__ import annotations

import re
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
from extract.numbering.template import STRAY, Template
from extract.segment.outline import WorkingText
from extract.text.headings import is_heading
from extract.text.lines import Line, ends_line

Numeral = Literal["n", "I", "a", "w"]
"""How a number is printed: in figures, in roman numerals, by a letter, in words: so slots of templates are named."""

MEMBERS = dict(pair.split("=") for pair in word_list("members"))
"""The words before the numbers of provisions, each with what it begins ids with."""
ORDINAL, BARE = "st", "-"
"""The words of shapes without one: of ordinals in figures (`1st.`, `2d.`), and of numbers without a stop."""
_NOT_NUMBERING = word_set("not_numbering")
_LABEL = re.compile(
    r"(?P<open>[_*=]{0,2}[(\[]?)"
    r"(?:(?P<word>§{1,2}|¶|(?![IVXLC]+[.,)\]]{0,2}(?:\s|$|[_*=—–-]))"
    r"[A-Z][A-Za-z-]{0,14}(?: (?:[A-Z][a-z]{2,9}|N[Oo](?=\.)))?\.?)(?P<gap>[ \t]+|(?<=[.§¶])))?"
    r"(?P<number>\d{1,4}|[IVXLC]{1,8}|(?(word)(?!)|(?:[ivxlc]{1,8}|[A-Za-z])))"
    r"(?:(?P<ordinal>(?<=\d)(?:st|nd|rd|th|(?<=(?<!1)[23])d)(?:ly)?)|(?P<letter>(?<=\d)[a-hA-H]))?"
    r"(?P<tail>[_*=]{0,2}[ \t]?°?[.:,)\]]{0,2}[—–-]{0,3}[_*=]{0,2}[—–-]{0,2})(?=\s|$|(?<=[—–-])\S)"
)
_STOPPED, _DASHED = re.compile(r"[.:)\]]"), re.compile(r"—|–|--")
_BEFORE_WORDS = re.compile(r"(?P<word>[A-Z][A-Za-z-]{2,13}\.?)[ \t]+(?P<the>[Tt]he[ \t]+|THE[ \t]+)?(?=[A-Z])")
_SENTENCE_END = re.compile(r"(?<=[.;:?!)\]\"'”’])[ \t]+(?=[\d§A-Z])")
_CAPITAL = re.compile(r"[\s—–-]*[_*=\"“‘'(]?[A-Z]")
_SENTENCE = re.compile(r"\s*[\"“‘'_]?[A-Z](?:[a-z]|\s)")
_ABOVE = 40  # characters above a number without a stop that are looked at
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_FEWEST = 3  # labels of a shape of which misread ones are looked for
_RARER = 3  # how many times rarer than what it stands for a misreading is, at least


@dataclass(frozen=True, slots=True)
class LabelShape:
    """How the labels of a numbering look: the word before the number, how that is printed, what encloses it.

    `word` is in small letters without its stop, a shortened one as that in full (`Sec.`, `Section`); `enclosed`: the
    number is in brackets, or has one behind it.
    """

    word: str
    numeral: Numeral
    enclosed: bool = False


@dataclass(frozen=True, slots=True)
class Sighting:
    """A label seen: its place in the working text, its shape, number and letter (`12a`), and how it is printed.

    `alone`: nothing follows on its line; `indent`: characters between the margin and it; `within`: it does not begin
    its line; `doubtful`: a part of it but the number is misread, if it is one.
    """

    start: int
    end: int
    shape: LabelShape
    number: int
    letter: str
    template: str
    alone: bool
    indent: int
    within: bool = False
    doubtful: bool = False


def sightings(work: WorkingText, *, within: bool = False) -> list[Sighting]:
    """All that looks like a label where a line begins, misread ones too.

    Args:
        work: the working text of a scan, furniture gone.
        within: look within lines too, behind the end of a sentence.
    Returns:
        In reading order. A letter that may be a roman numeral is there as both, one after the other.
    """
    text = work.text
    begun = set(work.line_starts(0, len(text)))
    running = within and work.layout != "single-line"
    further = {m.end() for m in _SENTENCE_END.finditer(text)} - begun if running else set()
    found: list[Sighting] = []
    for at in sorted(begun | further):
        if at in begun:
            found += read_label(text, at)
        elif not (found and at < found[-1].end) and not work.in_footnote(at):
            said = (x for x in read_label(text, at) if x.shape.numeral == "n" and not x.alone)
            found += [replace(x, within=True) for x in said if _CAPITAL.match(text, x.end)]
    return _with_misread(work, found)


def read_label(text: str, at: int) -> list[Sighting]:
    """What a label at an offset may be: nothing, one reading, or two (`(i)`: a letter or a roman numeral)."""
    if stray := STRAY.match(text, at):
        at = stray.end()
    match = _LABEL.match(text, at)
    if match is None or match["number"].isalpha():
        if said := _in_words(text, at):
            return [said]
        if match is None:
            return []
    number, tail, end = match["number"], match["tail"].strip(), match.end("tail")
    word = (match["word"] or "").rstrip(".").casefold().removesuffix(" no")
    figures, alone = number.isdecimal(), ends_line(text, end, len(text))
    bare = not (word or tail or alone) and figures and _begins_paragraph(text, at, end)
    apart = alone and (figures or number.isupper())
    told = word or _STOPPED.search(tail) or bare or apart or (figures and _DASHED.search(tail))
    if not told or word in _NOT_NUMBERING:
        return []
    word = ORDINAL if match["ordinal"] else BARE if bare else MEMBERS.get(word, word)
    enclosed = match["open"][-1:] in ("(", "[") or ")" in tail or "]" in tail
    before = f"{match['open']}{match['word'] or ''}{' ' if match['gap'] else ''}"
    after = (match["ordinal"] or "") + tail.rstrip("—–-").rstrip(",")
    values: list[tuple[Numeral, int]] = [("n", int(number))] if figures else [("I", arabic(number))]
    if number.isalpha() and len(number) == 1 and not word:
        values.append(("a", _LETTERS.index(number.lower()) + 1))
    return [
        Sighting(at, end, LabelShape(word, kind, enclosed), value, match["letter"] or "",
                 f"{before}{{{kind}}}{after}", alone, _indent(text, at))
        for kind, value in values if value
    ]  # fmt: skip


def _indent(text: str, at: int) -> int:
    return at - text.rfind("\n", 0, at) - 1


def _begins_paragraph(text: str, at: int, end: int) -> bool:
    """Whether a number without a stop begins a paragraph, as where a print sets it apart by its place alone."""
    above = text[max(0, at - _ABOVE) : at].rstrip(" \t")
    return (not above.strip() or above.endswith("\n\n")) and _SENTENCE.match(text, end) is not None


def _in_words(text: str, at: int) -> Sighting | None:
    """A label with its number in words: `LAW THE FIRST.`, `Article Two.`, `Third.--` where a sentence follows."""
    before = _BEFORE_WORDS.match(text, at)
    word = before["word"].rstrip(".").casefold() if before else ""
    found = worded(text, before.end()) if before and word not in _NOT_NUMBERING else None
    if before is None or found is None:
        before, word, found = None, "", worded(text, at)
    if found is None or not text[at].isupper():
        return None
    alone, dashed = ends_line(text, found.end, len(text)), text[found.end - 1] in "—–-"
    follows = bool(word) or alone or _CAPITAL.match(text, found.end) is not None
    stopped = dashed or found.stop not in ("", ",") or (bool(word) and (alone or found.stop == ","))
    if not (follows and stopped) or (not found.ordinal and (not before or before["the"])):
        return None
    opening = " ".join(before[0].split()) + " " if before else ""
    template, shape = f"{opening}{{w}}{found.stop.rstrip(',')}", LabelShape(MEMBERS.get(word, word), "w")
    return Sighting(at, found.end, shape, found.value, "", template, alone, _indent(text, at))


def _with_misread(work: WorkingText, seen: Sequence[Sighting]) -> list[Sighting]:
    """The labels seen, with those of which all but the number is misread (`28, A pack`, `SEG, 24.`).

    Where a line begins, what the lexer reads as a label of a common shape is one, if it has a much rarer shape, or
    none and a sentence begins a paragraph there.
    """
    counts = Counter(x.shape for x in seen)
    templates: dict[LabelShape, Counter[str]] = {}
    for x in seen:
        if x.shape.numeral == "n" and not x.shape.enclosed and x.shape.word not in (ORDINAL, BARE):
            templates.setdefault(x.shape, Counter())[x.template] += 1
    usual = {s: Template(t.most_common(1)[0][0]) for s, t in templates.items() if counts[s] >= _FEWEST}
    ranked = sorted(usual, key=lambda shape: (not shape.word, -counts[shape]))
    first = {x.start: x for x in reversed(seen)}
    misread: dict[int, Sighting] = {}
    for above, line in pairwise((Line(0, 0, "", 9, 9), *work.lines)):
        at = line.start + (stray.end() if (stray := STRAY.match(line.text)) else 0)
        known = first.get(at)
        if work.in_footnote(at) or (known and (known.shape.numeral != "n" or known.shape.word in MEMBERS.values())):
            continue
        for shape in ranked:
            label = usual[shape].read(work.text, at, len(work.text))
            if label is None or not label.read.isdecimal() or not int(label.read):
                continue
            ended = is_heading(above) or ends_paragraph(above.text)
            begins = ended + (line.above > 1) + bool(_CAPITAL.match(work.text, label.end)) > 1
            rare = counts[known.shape] * _RARER <= counts[shape] if known else begins and label.tail.strip()
            if rare:
                misread[at] = Sighting(
                    at, label.end, shape, int(label.read), "", usual[shape].label, False, _indent(work.text, at),
                    doubtful=True,
                )  # fmt: skip
                break
    return sorted([*(x for x in seen if x.start not in misread), *misread.values()], key=lambda x: x.start)


@lru_cache
def common_template(templates: Sequence[str]) -> str:
    """The way in which most labels of a numbering are printed.

    Ways that a fifth of them have stand beside it, and that of the first label if it has another word, as where
    `SECTION 1.` is printed in full and the rest are shortened; of ordinals (`1st`, `2d`) all ways.
    """
    (usual, _), *others = Counter(templates).most_common()
    least = 1 if re.search(r"\}[a-z]", usual) else max(2, len(templates) // 5)
    ranked = [usual, *(template for template, count in others if count >= least)]
    first = templates[0]
    other = first.partition("{")[0] not in {template.partition("{")[0] for template in ranked}
    return "|".join([*ranked, first] if other else ranked)
