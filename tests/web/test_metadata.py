"""What pages say of themselves to programs, the map of the site, the feed, and other forms of addresses."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest
from datasette.app import Datasette
from reading_pages import altered, get, mapped, started

from datasette_plugins.library import dated
from datasette_plugins.views import concepts, sitemap

LONDON = [{"@type": "Organization", "name": "The London clubs"}]
BOOK = {
    "@id": "http://localhost/book/drayson-1896", "@type": "Book", "datePublished": "1896",
    "author": [{"@type": "Person", "name": "A. W. Drayson"}], "name": "Whist Laws and Whist Decisions",
    "publisher": {"@type": "Organization", "location": "New York", "name": "Harper & Brothers"},
    "url": "http://localhost/book/drayson-1896",
}  # fmt: skip
CODE = {
    "@id": "http://localhost/code/english-1864", "@type": "Legislation", "author": LONDON, "legislationDate": "1864",
    "legislationIdentifier": "english-1864", "legislationPassedBy": LONDON, "legislationType": "Code",
    "name": "The Laws of Whist", "url": "http://localhost/code/english-1864",
}  # fmt: skip


@pytest.mark.parametrize(
    ("path", "matter"),
    [
        ("english-1864/law-72", {
            "@type": "Legislation", "author": LONDON, "isPartOf": [CODE, BOOK], "legislationDate": "1864",
            "legislationIdentifier": "english-1864/law-72", "legislationPassedBy": LONDON, "legislationType": "Law",
            "name": "The Laws of Whist (1864), law 72",
        }),
        ("code/english-1864", {**CODE, "isPartOf": BOOK}),
        ("book/drayson-1896", BOOK),
        ("concept/revoke", {"@type": "DefinedTerm", "name": "revoke", "alternateName": ["renounce in error"]}),
        # What is no provision is no legislation.
        ("drayson-1896/case-93", {"@type": "CreativeWork", "isPartOf": [BOOK], "legislationDate": None}),
        ("english-1864/section-the-revoke", {"@type": "CreativeWork", "author": LONDON, "legislationDate": None}),
    ],
)  # fmt: skip
async def test_what_a_page_tells_machines_of_its_matter(shared: Datasette, path: str, matter: dict[str, Any]) -> None:
    page = await get(shared, f"/{path}")
    found = json.loads(page.xpath("string(//script[@type='application/ld+json'])"))
    assert {key: found.get(key) for key in matter} == matter
    assert found["@id"] == f"http://localhost/{path}"


async def test_the_feed_has_the_build_with_its_date_and_what_it_holds(shared: Datasette, database: Path) -> None:
    answer = await shared.client.get("/feed.xml")
    assert answer.headers["content-type"].startswith("application/atom+xml")
    build = (shared.get_database("small").hash or "")[:8]
    assert f"<id>http://localhost/feed.xml#build-{build}</id>" in answer.text
    assert "4 codes from 3 books: 8 laws, 1 case, 1 definition" in answer.text
    assert answer.text.count(f"<updated>{dated(database)}</updated>") == 2


async def test_the_date_is_that_of_the_file_and_not_of_a_copy_of_it(database: Path, tmp_path: Path) -> None:
    original, copy = (Path(shutil.copy(database, tmp_path / name)) for name in ("original.db", "copy.db"))
    os.utime(original, (0, 86_400))
    ds = await started(copy, told=original)
    assert "<updated>1970-01-02T00:00:00Z</updated>" in (await ds.client.get("/feed.xml")).text


@pytest.mark.parametrize(
    ("path", "to"),
    [
        ("/english-1864", "/code/english-1864"),
        ("/drayson-1896", "/book/drayson-1896"),
        ("/ruling?q=he+trumped", "/dispute?q=he+trumped"),
        ("/borrowings/american-1894/american-1893.json", "/compare/american-1893/american-1894.json"),
        ("/compare.json?a=1864+law+72&b=1894+law+30", "/collate.json?u=1864+law+72&u=1894+law+30"),
        ("/1864/law-72", "/english-1864/law-72"),
        ("/1864/72/II", "/english-1864/law-72/ii"),
        ("/search/?q=revoke", "/search?q=revoke"),
        ("/ENGLISH-1864/LAW-72.json?a=b", "/english-1864/law-72.json?a=b"),
        ("/ENGLISH-1864/LAW-72.bib", "/english-1864/law-72.bib"),
        ("/1864/72.json", "/english-1864/law-72.json"),
        ("/1864/72/evidence", "/english-1864/law-72/evidence"),
        ("/1864/72.bib", "/english-1864/law-72.bib"),
        ("/english-1864/72", "/english-1864/law-72"),
        ("/1896/case-93", "/drayson-1896/case-93"),
    ],
)
async def test_other_forms_of_an_address_lead_to_the_page(shared: Datasette, path: str, to: str) -> None:
    answer = await shared.client.get(path)
    assert (answer.status_code, answer.headers["location"]) == (301, to)


async def test_a_year_with_the_number_in_two_codes_is_not_guessed_at(tmp_path: Path, database: Path) -> None:
    ds = await altered(database, tmp_path, "update code set year = 1893 where id = 'american-1894'")
    assert (await ds.client.get("/1893/30")).status_code == 404


@pytest.mark.parametrize(
    ("words", "filed"),
    [("THE REVOKE", "revoke"), ("a card left", "card left"), ("(American)", "american)"), ("[A] b", "a] b"),
     ("Theory", "theory"), ("The", "the"), ("A", "a"), ("—", "")],
)  # fmt: skip
def test_a_heading_is_filed_by_its_first_word_of_meaning(words: str, filed: str) -> None:
    assert concepts.IndexEntry(words, "/").filed == filed


async def test_a_map_too_long_is_told_in_parts(ds: Datasette, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = await mapped(ds, "/sitemap.xml")
    monkeypatch.setattr(sitemap, "MOST", len(whole) // 2)
    maps = await mapped(ds, "/sitemap.xml?all")
    assert len(maps) in (2, 3) and [path for part in maps for path in await mapped(ds, part)] == whole
