"""What a search for page furniture must find on printed pages."""

from __future__ import annotations

from collections.abc import Callable
from statistics import mean
from typing import Any

from samples import folios_right, found_of, lost_to, sheets

from extract.pages.furniture import Furniture


def assert_furniture_goes(
    find: Callable[[str], Furniture], damage: dict[str, Any], found: float, placed: float, **print_so: Any
) -> None:
    """No text of six books is lost, and enough of their furniture is found, and enough pages have their folio.

    Args:
        find: the search.
        damage: what is particular to these pages, as for `sheets`.
        found, placed: the least share of furniture found, and of pages with the right folio.
        print_so: how pages are printed otherwise.
    """
    shares: list[tuple[float, float]] = []
    for seed in range(6):
        sheet = sheets(36, seed=seed, **(print_so | damage))
        furniture = find(sheet.scan)
        assert lost_to(sheet, furniture.edits) == []
        shares.append((found_of(sheet, furniture.edits), folios_right(sheet, furniture.pages)))
    assert mean(f for f, _ in shares) >= found
    assert mean(p for _, p in shares) >= placed
