"""Pages of the shipped library are light to fetch."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

import datasette_plugins

MOST = 60_000
PAGES = (
    "/", "/about", "/english-1864/law-72", "/drayson-1896/case-93", "/search?q=revoke", "/search?q=revoke&kind=law",
    "/compare/revoke", "/code/english-1864/read", "/code/deschapelles-1839/read", "/code/english-1864", "/concepts",
    "/concept/revoke", "/dispute?q=my+partner+revoked+and+the+trick+is+turned", "/ruling?unit=english-1864/law-72",
    "/book/drayson-1896", "/english-1864/law-72/evidence",
)  # fmt: skip


@pytest.mark.parametrize("path", PAGES)
async def test_a_page_is_under_sixty_kilobytes_over_the_wire(library: Path, path: str) -> None:
    ds = datasette_plugins.instance(library)
    await ds.invoke_startup()
    answer = await ds.client.get(path)
    assert answer.status_code == 200 and answer.headers["content-encoding"] == "gzip"
    assert int(answer.headers["content-length"]) < MOST, f"{path} is too heavy"


def test_style_and_fonts_are_light() -> None:
    static = Path(datasette_plugins.__file__).parent / "static"
    assert len(gzip.compress((static / "whist.css").read_bytes())) < 15_000
    assert sum(font.stat().st_size for font in static.glob("fonts/*.woff2")) < 110_000
