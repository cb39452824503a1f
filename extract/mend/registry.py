"""All rules of correction, in the order in which they are applied."""

from __future__ import annotations

from typing import Any

from extract.mend.joins import JOINS
from extract.mend.numbers import NUMBERS
from extract.mend.passes import WORDS
from extract.mend.repair import SPACES
from extract.mend.rules import Rule
from extract.mend.signs import SIGNS
from extract.mend.specks import SPECKS

RULES: tuple[Rule[Any], ...] = (*SPECKS, *SIGNS, *NUMBERS, *JOINS, *WORDS, *SPACES)
