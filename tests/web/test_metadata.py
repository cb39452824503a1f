"""Structured data of pages, the sitemap, and redirects from other forms of an address."""

import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest
from datasette.app import Datasette
from reading_pages import get, started

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
    ("path", "expected"),
    [
        ("english-1864/law-72", {
            "@type": "Legislation", "author": LONDON, "isPartOf": [CODE, BOOK], "legislationDate": "1864",
            "legislationIdentifier": "english-1864/law-72", "legislationPassedBy": LONDON, "legislationType": "Law",
            "name": "The Laws of Whist (1864), law 72", "license": "https://creativecommons.org/publicdomain/zero/1.0/",
        }),
        ("data", {"@type": "Dataset", "license": "https://creativecommons.org/publicdomain/zero/1.0/"}),
        ("code/english-1864", {**CODE, "isPartOf": BOOK}),
        ("book/drayson-1896", BOOK),
        ("concept/revoke", {"@type": "DefinedTerm", "name": "revoke", "alternateName": ["renounce in error"]}),
        # A unit that is not a provision is not legislation.
        ("drayson-1896/case-93", {"@type": "CreativeWork", "isPartOf": [BOOK], "legislationDate": None}),
        ("english-1864/section-the-revoke", {"@type": "CreativeWork", "author": LONDON, "legislationDate": None}),
    ],
)  # fmt: skip
async def test_json_ld_of_a_page(shared: Datasette, path: str, expected: dict[str, Any]) -> None:
    json_ld = json.loads((await get(shared, f"/{path}")).xpath("string(//script[@type='application/ld+json'])"))
    assert {key: json_ld.get(key) for key in expected} == expected
    assert json_ld["@id"] == f"http://localhost/{path}"


async def test_date_in_the_sitemap_is_that_of_the_file(database: Path, tmp_path: Path) -> None:
    original = Path(shutil.copy(database, tmp_path))
    os.utime(original, (0, 86_400))
    assert "<lastmod>1970-01-02</lastmod>" in (await (await started(original)).client.get("/sitemap.xml")).text


@pytest.mark.parametrize(
    ("path", "target"),
    [
        ("/english-1864", "/code/english-1864"),
        ("/drayson-1896", "/book/drayson-1896"),
        ("/dispute?q=he+trumped&code=1864", "/search?q=he+trumped&code=1864"),
        ("/dispute", "/search"),
        ("/ruling/revoke/penalty", "/compare/revoke/penalty"),
        ("/compare/misdeal", "/concept/misdeal"),
        ("/code/1864", "/code/english-1864"),
        ("/code/1864/read.json?number=72", "/code/english-1864/read.json?number=72"),
        ("/1864/law-72", "/english-1864/law-72"),
        ("/1864/72/II", "/english-1864/law-72/ii"),
        ("/ENGLISH-1864/LAW-72.json?a=b", "/english-1864/law-72.json?a=b"),
        ("/ENGLISH-1864/LAW-72.bib", "/english-1864/law-72.bib"),
        ("/1864/72.json", "/english-1864/law-72.json"),
        ("/1864/72/evidence", "/english-1864/law-72/evidence"),
        ("/1864/72.bib", "/english-1864/law-72.bib"),
        ("/english-1864/72", "/english-1864/law-72"),
        ("/1896/case-93", "/drayson-1896/case-93"),
        # Two codes are compared with the older first; a code compared with itself is that code.
        ("/compare/american-1894/arnaud-1829", "/compare/arnaud-1829/american-1894"),
        ("/compare/english-1864/english-1864", "/code/english-1864"),
    ],
)
async def test_other_forms_of_an_address_redirect_to_the_page(shared: Datasette, path: str, target: str) -> None:
    response = await shared.client.get(path)
    assert (response.status_code, response.headers["location"]) == (301, target)
