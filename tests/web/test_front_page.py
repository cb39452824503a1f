"""The front page of a library of many works: on several pages, its time line as bars."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from datasette.app import Datasette
from lxml import html

from datasette_plugins.present import timeline
from datasette_plugins.views import home
from kb.read.rows import CodeRow

ALL = ["arnaud-1829", "english-1864", "american-1893", "american-1894"]


def codes(*years: int) -> list[CodeRow]:
    return [CodeRow(f"c-{i}", f"c-{i}", f"c-{i}", year, "", "", "Law", "") for i, year in enumerate(years)]


async def listed(ds: Datasette, path: str) -> tuple[html.HtmlElement, list[str]]:
    page = html.document_fromstring((await ds.client.get(path)).text)
    return page, [href.rpartition("/")[2] for href in page.xpath("//ol[@class = 'codes']//h3/a/@href")]


async def test_few_works_stand_on_one_page(ds: Datasette) -> None:
    page, found = await listed(ds, "/")
    assert found == ALL and not page.xpath("//nav[@class = 'pages']")


async def test_many_works_stand_on_pages_that_follow(ds: Datasette, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(home, "WORKS_ON_A_PAGE", 3)
    page, first = await listed(ds, "/")
    (after,) = page.xpath("//nav[@aria-label = 'Pages of codes']//a[@rel = 'next']/@href")
    assert first == ALL[:3] and "1 to 3 of 4 codes" in page.text_content()
    page, rest = await listed(ds, after.partition("#")[0])
    assert rest == ALL[3:] and after.endswith("#codes") and page.get_element_by_id("codes") is not None
    assert page.xpath("//nav[@aria-label = 'Pages of codes']//a/@rel") == ["prev"]
    assert (await listed(ds, "/?page=99"))[1] == rest
    assert [code["id"] for code in (await ds.client.get("/index.json?page=2")).json()["codes"]] == ALL


@pytest.mark.parametrize("years", [range(1860, 1868), [1853] * 3 + [1859] * 5, [1853] * 8, [1853] * 7 + [1990]])
def test_codes_that_have_room_are_cards(years: Sequence[int]) -> None:
    line = timeline(codes(*years), {})
    assert line and not line.bars and len(line.cards) == 8
    assert all(b.left - a.left >= 126 for a, b in zip(line.cards, line.cards[1:], strict=False))
    assert line.cards[0].left >= 0 and line.cards[-1].left + 112 <= line.width


@pytest.mark.parametrize("years", [[1855] * 9, [1829, *range(1850, 1860)], [900, *range(1700, 1990)], [1, 9999] * 9])
def test_codes_that_have_no_room_are_counted_in_bars(years: list[int]) -> None:
    line = timeline(codes(*sorted(years)), {})
    assert line and not line.cards and 0 < len(line.bars) <= 50 and len(line.years) <= 21
    assert sum(bar.codes for bar in line.bars) == len(years)
    for bar in line.bars:
        assert bar.place == sum(year < bar.year for year in years) and 0 < bar.height <= 190
        assert bar.left >= 0 and bar.width > 0 and bar.left + bar.width <= line.width
    assert all(a.left + a.width <= b.left for a, b in zip(line.bars, line.bars[1:], strict=False))
