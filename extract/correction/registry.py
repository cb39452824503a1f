"""All rules of correction, in the order in which they are applied."""

from __future__ import annotations

from typing import Any

from extract.correction.joins import JOINS
from extract.correction.numbers import NUMBERS
from extract.correction.post_correction import SPACES
from extract.correction.rules import Rule
from extract.correction.signs import SIGNS
from extract.correction.spelling.passes import WORDS

RULES: tuple[Rule[Any], ...] = (*SIGNS, *NUMBERS, *JOINS, *WORDS, *SPACES)
