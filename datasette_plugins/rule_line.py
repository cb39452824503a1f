"""The drawing of a rule through time: a bar for each code from its year to that of the next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kb.comparison.answers import Stage

WIDTH, HEIGHT = 480, 68
# A bar narrower than this bears no letter; a sign of its years takes so much room; no bar is narrower than the last.
_LETTERED = 20
_DIGIT = 11
_LEAST = 3


@dataclass(frozen=True, slots=True)
class Bar:
    """A stage of a rule, in units of the drawing; `letter` is another for another rule, `style` its class."""

    stage: Stage
    x: float
    width: float
    letter: str
    style: str
    years: str
    told: str

    @property
    def lettered(self) -> bool:
        """Whether the letter has room in the bar."""
        return self.width >= _LETTERED

    @property
    def above(self) -> str:
        """What stands above the bar: its years, and its letter if that has no room within."""
        return self.years if self.lettered or not self.letter else f"{self.years} {self.letter}"

    @property
    def date_x(self) -> float:
        """Where the years stand: from the beginning of the bar on, or up to its end if they have no room there."""
        room = WIDTH - self.x if self.stage.until is None else self.width
        return self.x if room >= _DIGIT * len(self.above) else round(self.x + self.width, 1)


@dataclass(frozen=True, slots=True)
class RuleLine:
    """The bars above an axis with the decades on it; `label` says in words what they show."""

    bars: tuple[Bar, ...]
    decades: tuple[tuple[int, float], ...]
    width: int = WIDTH
    height: int = HEIGHT

    @property
    def label(self) -> str:
        """The drawing in words."""
        return "; ".join(f"{' '.join(filter(None, (bar.letter, bar.years)))}: {bar.told}" for bar in self.bars)


def rule_line(stages: Sequence[Stage]) -> RuleLine | None:
    """Draw the course of a rule; nothing if it has no stage."""
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
        bars.append(Bar(stage, round(x, 1), drawn, _letter(stage), _style(stage), years, _told(stage)))
    decades = tuple((y, round((y - first) * scale, 1)) for y in range(-(-first // 10) * 10, end, 10))
    return RuleLine(tuple(bars), decades)


def _letter(stage: Stage) -> str:
    return stage.rule.replace("'", "′")


def _style(stage: Stage) -> str:
    if not stage.rule:
        return stage.state.replace(" ", "-")
    return f"rule{(ord(stage.rule[0]) - ord('A')) % 5}" + (" altered" if "'" in stage.rule else "")


def _told(stage: Stage) -> str:
    if stage.brief:
        return stage.brief
    before = stage.against.year if stage.against else ""
    return {
        "first": "the first of them to rule",
        "twin": f"as {before}",
        "same": f"the same rule as {before}",
        "altered": f"the rule of {before}, broader or narrower",
        "changed": f"differs from {before}",
    }.get(stage.state, stage.state)
