"""The drawing of a rule's history: a bar for each code, from its year to that of the next code."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from lxml import etree
from lxml.builder import ElementMaker

from kb.comparison.answers import SHOWN, Stage

WIDTH, HEIGHT = 480, 68
# Widths in units of the drawing: the narrowest bar with a letter in it, a character above the bars, the narrowest bar.
_LETTERED = 20
_DIGIT = 11
_LEAST = 3
# A standalone drawing has no style sheet, so it contains its colours: those of the site's light colour scheme.
_FILLS = {"rule0": "#e6dcc3", "rule1": "#ecc9c0", "rule2": "#c9dccd", "rule3": "#ccd6e6", "rule4": "#e2cfe4"}
_DASHES = {"silent": "2 3", "not-printed": ".8 4", "not-judged": ".8 4"}
_INK, _SOFT, _PAPER, _RUBRIC = "#1d1b18", "#5c574e", "#fcfbf8", "#9c1f1a"
_MARGIN, _LINE = 20, 18
# Characters in a line of the heading and of the text below the bars, in the widest common serif font.
_HEADING, _SMALL = 50, 74
_SVG = ElementMaker(namespace="http://www.w3.org/2000/svg", nsmap={None: "http://www.w3.org/2000/svg"})


@dataclass(frozen=True, slots=True)
class Bar:
    """The bar of a stage, in units of the drawing; `letter` identifies the rule, `style` is the CSS class."""

    stage: Stage
    x: float
    width: float
    letter: str
    style: str
    years: str
    summary: str

    @property
    def lettered(self) -> bool:
        """Whether the bar is wide enough for its letter."""
        return self.width >= _LETTERED

    @property
    def above(self) -> str:
        """The text above the bar: its years, and its letter if the bar is too narrow for it."""
        return self.years if self.lettered or not self.letter else f"{self.years} {self.letter}"

    @property
    def date_x(self) -> float:
        """The x position of the years: the start of the bar, or its end (they end there) if they do not fit."""
        room = WIDTH - self.x if self.stage.until is None else self.width
        return self.x if room >= _DIGIT * len(self.above) else round(self.x + self.width, 1)


@dataclass(frozen=True, slots=True)
class RuleLine:
    """The bars above an axis with the decades; `label` describes them in words."""

    bars: tuple[Bar, ...]
    decades: tuple[tuple[int, float], ...]
    width: int = WIDTH
    height: int = HEIGHT

    @property
    def label(self) -> str:
        """The drawing in words."""
        return "; ".join(f"{' '.join(filter(None, (bar.letter, bar.years)))}: {bar.summary}" for bar in self.bars)


def rule_line(stages: Sequence[Stage]) -> RuleLine | None:
    """Compute the drawing of a rule's history; None if it has no stage."""
    if not stages:
        return None
    first, last = stages[0].codes[0].year, stages[-1].codes[-1].year
    end = last + max((last - first) // 8, 5)
    scale = WIDTH / (end - first)
    bars = []
    for stage in stages:
        x = (stage.codes[0].year - first) * scale
        width = ((stage.until or end) - stage.codes[0].year) * scale
        years = " = ".join(str(code.year) for code in stage.codes)
        drawn = round(max(width - 2, _LEAST), 1)
        bars.append(Bar(stage, round(x, 1), drawn, _letter(stage), _style(stage), years, _in_words(stage)))
    decades = tuple((y, round((y - first) * scale, 1)) for y in range(-(-first // 10) * 10, end, 10))
    return RuleLine(tuple(bars), decades)


def standalone(line: RuleLine, question: str, sources: Mapping[str, str], citation: str, address: str) -> str:
    """Render the drawing of a rule as a standalone SVG document, for other people's pages.

    Args:
        line: the drawing.
        question: the question that the rule answers; it becomes the heading and the title of the picture.
        sources: the provisions with a code's answer (`law 72`), by the id of the code.
        citation: the citation of the comparison; `address` is its URL.
    Returns:
        A self-contained SVG 1.1 document; its `desc`, and the text below the bars, describe it in words.
    """
    captions = [f"{bar.letter or '—'}  {_with_source(bar, sources)}" for bar in line.bars]
    head = textwrap.wrap(question, _HEADING)
    below = [piece for one in captions for piece in textwrap.wrap(one, _SMALL, subsequent_indent="\u2003 ")]
    foot = [*textwrap.wrap(citation, _SMALL), address]
    top = _MARGIN + 22 * len(head) + _LINE // 2
    under = top + HEIGHT + 2 * _LINE
    size = (WIDTH + 2 * _MARGIN, under + _LINE * (len(below) + len(foot)) + _MARGIN)
    style = {"font-family": "Georgia, 'Times New Roman', serif", "font-size": "13", "fill": _SOFT}
    described = _SVG.desc(". ".join(one.replace("—  ", "").replace("  ", ": ") for one in captions) + ".", id="desc")
    picture = _SVG.svg(
        _SVG.title(question, id="title"),
        described,
        _SVG.rect(width="100%", height="100%", fill=_PAPER),
        *(_text(one, _MARGIN, _MARGIN + 18 + 22 * at, fill=_INK, **{"font-size": "18"}) for at, one in enumerate(head)),
        _SVG.g(*_bars(line), *_axis(line), transform=f"translate({_MARGIN} {top})"),
        *(_text(one, _MARGIN, under + _LINE * at, fill=_INK) for at, one in enumerate(below)),
        _SVG.a(
            *(_text(one, _MARGIN, under + _LINE * at + 8) for at, one in enumerate(foot, len(below))), href=address
        ),
        {"viewBox": f"0 0 {size[0]} {size[1]}", "width": str(size[0]), "height": str(size[1]), "role": "img",
         "aria-labelledby": "title desc"},
        style,
    )  # fmt: skip
    return etree.tostring(picture, encoding="unicode", pretty_print=True)


def _with_source(bar: Bar, sources: Mapping[str, str]) -> str:
    """Describe a bar in words, with its provisions: only once if they have the same numbers in all its codes."""
    places = {code.year: sources[code.id] for code in bar.stage.codes if sources.get(code.id)}
    alike = len(set(places.values())) == 1
    where = next(iter(places.values())) if alike else "; ".join(f"{year}: {place}" for year, place in places.items())
    return f"{bar.years}: {bar.summary}" + (f" ({where})" if where else "")


def _text(text: str, x: float, y: float, **attributes: str) -> etree._Element:
    element: etree._Element = _SVG.text(text, x=f"{x:g}", y=f"{y:g}", **attributes)
    return element


def _bars(line: RuleLine) -> Iterator[etree._Element]:
    for bar in line.bars:
        kind, _, altered = bar.style.partition(" ")
        drawn = {"fill": _FILLS.get(kind, "none"), "stroke": _SOFT, "stroke-width": ".8"}
        drawn |= {"fill-opacity": ".5"} if altered else {}
        drawn |= {"stroke-dasharray": _DASHES[kind]} if kind in _DASHES else {}
        yield _SVG.rect(x=f"{bar.x:g}", y="19", width=f"{bar.width:g}", height="24", rx="2", **drawn)
        if bar.lettered and bar.letter:
            yield _text(bar.letter, bar.x + bar.width / 2, 36, fill=_INK, **{"text-anchor": "middle"})
        anchor = "end" if bar.date_x > bar.x else "start"
        yield _text(bar.above, bar.date_x, 13, fill=_RUBRIC, **{"text-anchor": anchor})


def _axis(line: RuleLine) -> Iterator[etree._Element]:
    drawn = {"stroke": _SOFT, "stroke-width": ".7"}
    yield _SVG.line(x1="0", y1="48", x2=str(line.width), y2="48", **drawn)
    for at, (year, x) in enumerate(line.decades):
        yield _SVG.line(x1=f"{x:g}", y1="48", x2=f"{x:g}", y2="52", **drawn)
        if at % 2 == 0:
            yield _text(str(year), x, 65, **{"text-anchor": "middle", "font-size": "12"})


def _letter(stage: Stage) -> str:
    return stage.rule.replace("'", "′")


def _style(stage: Stage) -> str:
    if not stage.rule:
        return stage.state.replace(" ", "-")
    return f"rule{(ord(stage.rule[0]) - ord('A')) % 5}" + (" altered" if "'" in stage.rule else "")


def _in_words(stage: Stage) -> str:
    if stage.brief:
        return stage.brief
    before = stage.against.year if stage.against else ""
    return {
        "first": "the first of them to rule",
        "twin": f"as {before}",
        "same": f"the same rule as {before}",
        "altered": f"the rule of {before}, broader or narrower",
        "changed": f"differs from {before}",
    }.get(stage.state, SHOWN.get(stage.state, stage.state))
