"""Printed pages whose running heads and folios follow a convention, and what a search for them must find."""

from __future__ import annotations

import random
from collections.abc import Callable
from statistics import mean
from typing import Any

from samples import Sheets, broken, folios_right, found_of, lost_to, prose, sheets

from extract.pages.furniture import Furniture

Ornaments = Callable[[int], tuple[list[str], list[str]]]
"""The lines at the head and at the foot of a page, given its number."""


def by_side(left: str, right: str, *foot: str) -> Ornaments:
    """A running head for left and for right pages; `{}` is the folio."""

    def ornaments(page: int) -> tuple[list[str], list[str]]:
        head = (right if page % 2 else left).format(page)
        return head.split("|") if head else [], [line.format(page) for line in foot]

    return ornaments


CONVENTIONS = {
    "a head in capitals and its folio": by_side("{} LAWS OF WHIST.", "THE REVOKE. {}"),
    "a head like a title and its folio": by_side("{} The Laws of Whist", "The Revoke {}"),
    "a folio alone": by_side("{}", "{}"),
    "a folio in brackets": by_side("( {} )", "( {} )"),
    "a folio between dashes at the foot": by_side("", "", "— {} —"),
    "a folio at the foot": by_side("", "", "{}"),
    "a folio at the foot and a head": by_side("LAWS OF WHIST", "THE REVOKE", "{}"),
    "a head between ornaments": by_side("© The Laws of Whist ©", "® The Revoke 9", "( {} )"),
}


def print_pages(ornaments: Ornaments, apart: str, below: str, count: int = 34, first: int = 12) -> Sheets:
    """Print pages of prose; `apart` separates pages, `below` separates a page's text from its ornaments."""
    noise = random.Random(5)
    pieces: list[str] = []
    furniture: list[tuple[int, int]] = []
    bodies: list[tuple[int, int, int]] = []

    def add(text: str) -> tuple[int, int]:
        begin = sum(map(len, pieces))
        pieces.append(text)
        return begin, begin + len(text)

    for number in range(first, first + count):
        head, foot = ornaments(number)
        add(apart if pieces else "")
        for line in head:
            if number > first or str(number) in line:  # the first page opens with its title
                furniture.append(add(line))
                add(below)
        bodies.append((*add("\n".join(broken(prose(noise, 170)))), number))
        for line in foot:
            add(below)
            furniture.append(add(line))
    return Sheets("".join(pieces), tuple(furniture), (), tuple(bodies))


def assert_furniture_goes(
    find: Callable[[str], Furniture], damage: dict[str, Any], found: float, placed: float, **print_so: Any
) -> None:
    """Assert that six books lose no text, and that enough furniture and enough folios are found.

    Args:
        find: the search.
        damage: arguments of `sheets`, which take precedence over `print_so`.
        found, placed: the least share of furniture found, and of pages with the right folio.
        print_so: further arguments of `sheets`.
    """
    shares: list[tuple[float, float]] = []
    for seed in range(6):
        sheet = sheets(36, seed=seed, **(print_so | damage))
        furniture = find(sheet.scan)
        assert lost_to(sheet, furniture.edits) == []
        shares.append((found_of(sheet, furniture.edits), folios_right(sheet, furniture.pages)))
    assert mean(f for f, _ in shares) >= found
    assert mean(p for _, p in shares) >= placed
