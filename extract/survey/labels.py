"""What may be a label where a line begins: `12.`, `§ 12.`, `SEC. 12.`, `Art. XII`, `(a)`.

A label is first read by its shape alone. The template that most labels of a shape have is then given to the lexer of
the build (`extract.numbering.template`): what that reads as one more of them, its word or its stop misread, is one.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from extract.language.lexicon import word_list
from extract.language.sentences import ends_paragraph
from extract.numbering.numerals import arabic
from extract.numbering.template import STRAY, Template
from extract.segment.outline import WorkingText
from extract.text.headings import is_heading
from extract.text.lines import Line, ends_line

Numeral = Literal["n", "I", "a"]
"""How a number is printed: in figures, in roman numerals, by a letter: so slots of templates are named."""

MEMBERS = dict(pair.split("=") for pair in word_list("members"))
"""The words before the numbers of provisions, each with what it begins ids with."""
_LABEL = re.compile(
    r"(?P<open>[_*=]{0,2}[(\[]?)(?:(?P<word>[§¶]|[A-Z][A-Za-z-]{1,14}\.?(?: No\.)?)(?P<gap>[ \t]+|(?<=[.§¶])))?"
    r"(?P<number>\d{1,4}|[IVXLC]{1,8}|(?(word)i|(?:[ivxlc]{1,8}|[A-Za-z])))(?P<letter>(?<=\d)[a-hA-H])?"
    r"(?P<tail>[_*=]{0,2}[ \t]?°?[.:,)\]]{0,2}[—–-]{0,3}[_*=]{0,2}[—–-]{0,2})(?=\s|$|(?<=[—–-])\S)"
)
_STOPPED, _DASHED = re.compile(r"[.:)\]]"), re.compile(r"—|–|--")
_CAPITAL = re.compile(r"[\s—–-]*[_*=\"“‘'(]?[A-Z]")
_FEWEST = 3  # labels of a shape of which misread ones are looked for


@dataclass(frozen=True, slots=True)
class LabelShape:
    """How the labels of a numbering look: the word before the number, how that is printed, what encloses it.

    `word` is what the word begins ids with (`sec` for `Section`, `Sec.`, `§`); `enclosed`: the number is in brackets,
    or has one behind it.
    """

    word: str
    numeral: Numeral
    enclosed: bool = False


@dataclass(frozen=True, slots=True)
class Sighting:
    """A label seen: its place in the working text, its shape, number and letter (`12a`), and how it is printed.

    `alone`: nothing follows on its line.
    """

    start: int
    end: int
    shape: LabelShape
    number: int
    letter: str
    template: str
    alone: bool


def sightings(work: WorkingText) -> list[Sighting]:
    """All that looks like a label where a line begins, misread ones too.

    Args:
        work: the working text of a scan, furniture gone.
    Returns:
        In reading order. A letter that may be a roman numeral is there as both, one after the other.
    """
    seen = [x for at in work.line_starts(0, len(work.text)) for x in read_label(work.text, at)]
    return sorted([*seen, *_misread(work, seen)], key=lambda x: x.start)


def read_label(text: str, at: int) -> list[Sighting]:
    """What a label at an offset may be: nothing, one reading, or two (`(i)`: a letter or a roman numeral)."""
    if stray := STRAY.match(text, at):
        at = stray.end()
    match = _LABEL.match(text, at)
    if match is None:
        return []
    number, tail, end = match["number"], match["tail"].strip(), match.end("tail")
    word = MEMBERS.get((match["word"] or "").partition(" ")[0].rstrip(".").casefold(), "")
    figures, alone = number.isdecimal(), ends_line(text, end, len(text))
    told = word or _STOPPED.search(tail) or (_DASHED.search(tail) if figures else alone)  # figures alone are folios
    if not told or (match["word"] and not word):
        return []
    enclosed = match["open"][-1:] in ("(", "[") or ")" in tail or "]" in tail
    values: list[tuple[Numeral, int]] = [("n", int(number))] if figures else [("I", arabic(number))]
    if number.isalpha() and len(number) == 1 and not word:
        values.append(("a", ord(number.lower()) - ord("a") + 1))
    before = f"{match['open']}{match['word'] or ''}{' ' if match['gap'] else ''}"
    after = tail.rstrip("—–-").rstrip(",")
    return [
        Sighting(
            at, end, LabelShape(word, kind, enclosed), value, match["letter"] or "", f"{before}{{{kind}}}{after}", alone
        )
        for kind, value in values
        if value
    ]


def _misread(work: WorkingText, seen: Sequence[Sighting]) -> Iterator[Sighting]:
    """The labels in figures of which all but the number is misread (`28, A pack`, `SEG, 24.`).

    Where a line begins at which nothing is seen, what the lexer reads as a label of a common shape is one, if a
    sentence begins a paragraph there.
    """
    templates: dict[LabelShape, list[str]] = defaultdict(list)
    for x in seen:
        if x.shape.numeral == "n" and not x.shape.enclosed:
            templates[x.shape].append(x.template)
    usual = {shape: Template(common_template(t).split("|")[0]) for shape, t in templates.items() if len(t) >= _FEWEST}
    ranked = sorted(usual, key=lambda shape: (not shape.word, -len(templates[shape])))
    known = {x.start for x in seen}
    for above, line in pairwise((Line(0, 0, "", 9, 9), *work.lines)):
        at = line.start + (stray.end() if (stray := STRAY.match(line.text)) else 0)
        if at in known or work.in_footnote(at):
            continue
        ended = is_heading(above) or ends_paragraph(above.text)
        for shape in ranked:
            label = usual[shape].read(work.text, at, len(work.text))
            if label and label.read.isdecimal() and int(label.read) and label.tail.strip():
                if ended + (line.above > 1) + bool(_CAPITAL.match(work.text, label.end)) > 1:
                    yield Sighting(at, label.end, shape, int(label.read), "", usual[shape].label, False)
                break


def common_template(templates: Iterable[str]) -> str:
    """The ways in which most labels of a numbering are printed, the commonest first: those that a fifth of them have.

    That of the first label is one of them, if it has another word (`SECTION 1.` in full, the rest shortened).
    """
    all_ = list(templates)
    (usual, _), *others = Counter(all_).most_common()
    ranked = [usual, *(template for template, count in others if count >= max(2, len(all_) // 5))]
    words = {template.partition("{")[0] for template in ranked}
    return "|".join(ranked if all_[0].partition("{")[0] in words else [*ranked, all_[0]])
