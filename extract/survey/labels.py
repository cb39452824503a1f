"""Find what may be a label at the start of a line: `12.`, `§ 12.`, `SEC. 12.`, `Art. XII`, `(a)`.

A label is first recognised by its shape alone. The template that most labels of a shape have is then given to the lexer
of the build (`extract.numbering.template`), which finds further labels of the shape whose word or stop is misread.
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
"""How a number is printed: figures, a roman numeral, or a letter. The slots of templates have the same names."""

MEMBERS = dict(pair.split("=") for pair in word_list("members"))
"""The words before the numbers of provisions, each with the prefix of the ids: `section` has `sec`."""
_LABEL = re.compile(
    r"(?P<open>[_*=]{0,2}[(\[]?)(?:(?P<word>[§¶]|[A-Z][A-Za-z-]{1,14}\.?(?: No\.)?)(?P<gap>[ \t]+|(?<=[.§¶])))?"
    r"(?P<number>\d{1,4}|[IVXLC]{1,8}|(?(word)i|(?:[ivxlc]{1,8}|[A-Za-z])))(?P<letter>(?<=\d)[a-hA-H])?"
    r"(?P<tail>[_*=]{0,2}[ \t]?°?[.:,)\]]{0,2}[—–-]{0,3}[_*=]{0,2}[—–-]{0,2})(?=\s|$|(?<=[—–-])\S)"
)
_STOPPED, _DASHED = re.compile(r"[.:)\]]"), re.compile(r"—|–|--")
_CAPITAL = re.compile(r"[\s—–-]*[_*=\"“‘'(]?[A-Z]")
_FEWEST = 3  # labels that a shape must have before misread ones are looked for


@dataclass(frozen=True, slots=True)
class LabelShape:
    """The form of the labels of a numbering: the word before the number, the kind of numeral, and its brackets.

    `word` is the id prefix for the word (`sec` for `Section`, `Sec.`, `§`); `enclosed`: the number is in brackets, or
    is followed by one.
    """

    word: str
    numeral: Numeral
    enclosed: bool = False


@dataclass(frozen=True, slots=True)
class LabelCandidate:
    """A possible label: its place in the working text, its shape, number and letter (`12a`), and its template.

    `alone`: nothing follows on its line.
    """

    start: int
    end: int
    shape: LabelShape
    number: int
    letter: str
    template: str
    alone: bool


def sightings(work: WorkingText) -> list[LabelCandidate]:
    """Find everything that looks like a label at the start of a line, including misread ones.

    Args:
        work: the working text of a scan, without furniture.
    Returns:
        The labels in reading order. A letter that may be a roman numeral yields two, one after the other.
    """
    seen = [x for at in work.line_starts(0, len(work.text)) for x in read_label(work.text, at)]
    return sorted([*seen, *_misread(work, seen)], key=lambda x: x.start)


def read_label(text: str, at: int) -> list[LabelCandidate]:
    """Return the possible readings of a label at an offset: none, one, or two (`(i)`: a letter or a roman numeral)."""
    if stray := STRAY.match(text, at):
        at = stray.end()
    match = _LABEL.match(text, at)
    if match is None:
        return []
    number, tail, end = match["number"], match["tail"].strip(), match.end("tail")
    word = MEMBERS.get((match["word"] or "").partition(" ")[0].rstrip(".").casefold(), "")
    figures, alone = number.isdecimal(), ends_line(text, end, len(text))
    marked = word or _STOPPED.search(tail) or (_DASHED.search(tail) if figures else alone)  # bare figures are folios
    if not marked or (match["word"] and not word):
        return []
    enclosed = match["open"][-1:] in ("(", "[") or ")" in tail or "]" in tail
    values: list[tuple[Numeral, int]] = [("n", int(number))] if figures else [("I", arabic(number))]
    if number.isalpha() and len(number) == 1 and not word:
        values.append(("a", ord(number.lower()) - ord("a") + 1))
    before = f"{match['open']}{match['word'] or ''}{' ' if match['gap'] else ''}"
    after = tail.rstrip("—–-").rstrip(",")
    return [
        LabelCandidate(
            at, end, LabelShape(word, kind, enclosed), value, match["letter"] or "", f"{before}{{{kind}}}{after}", alone
        )
        for kind, value in values
        if value
    ]


def _misread(work: WorkingText, seen: Sequence[LabelCandidate]) -> Iterator[LabelCandidate]:
    """Yield labels in figures of which everything except the number may be misread (`28, A pack`, `SEG, 24.`).

    Where no label is seen at the start of a line, one of a common shape that the lexer reads there counts if two of
    these hold: the line above is a heading or may end a paragraph, a blank line is above, a capital follows.
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
                    yield LabelCandidate(at, label.end, shape, int(label.read), "", usual[shape].label, False)
                break


def common_template(templates: Iterable[str]) -> str:
    """Join by `|` the templates that at least a fifth of the labels of a numbering have, the commonest first.

    The template of the first label is added if it has another word (`SECTION 1.` in full, the rest abbreviated).
    """
    all_ = list(templates)
    (usual, _), *others = Counter(all_).most_common()
    ranked = [usual, *(template for template, count in others if count >= max(2, len(all_) // 5))]
    words = {template.partition("{")[0] for template in ranked}
    return "|".join(ranked if all_[0].partition("{")[0] in words else [*ranked, all_[0]])
