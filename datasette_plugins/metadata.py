"""What a page says of itself to programs: a description, its type for OpenGraph, and its subject for schema.org.

In the terms of schema.org a law is `Legislation`, and the work that prints it a `Book`. A law has two dates, each in
one property only: `legislationDate` is that of its code, `datePublished` that of the book from which it is read here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from datasette_plugins.present import gist
from datasette_plugins.site import SitePage
from kb.cite.writing import Cited, titled
from kb.read.rows import BookRow, CodeRow, ConceptRow

CONTEXT = {"@context": "https://schema.org"}
COMMON = {"inLanguage": "en", "license": "https://creativecommons.org/publicdomain/zero/1.0/"}
LONGEST = 300  # characters of a description
Names = Sequence[Mapping[str, str]]
Absolute = Callable[[str], str]


def description(page: SitePage) -> str:
    """Describe a page in a sentence."""
    text = page.description or f"{page.title.rstrip('.')}: from a library of the laws of whist as they were printed."
    return gist(text, LONGEST)


def kind(page: SitePage) -> str:
    """The OpenGraph type of a page (https://ogp.me/#types)."""
    return {"law": "article", "question": "article", "book": "book"}.get(page.template, "website")


def of_unit(cited: Cited, absolute: Absolute) -> dict[str, Any]:
    """Describe a unit: as `Legislation` if it is a law or a part of one, else as a `CreativeWork`.

    Args:
        cited: the unit with its code and book.
        absolute: turns a path of the site into an absolute URL.
    """
    unit, code, by = cited.unit, cited.code, people(cited.by)
    rules = code is not None and unit.role in ("provision", "paragraph")
    book = _thing("Book", f"/book/{cited.book.id}", absolute) | _of_book(cited.book, cited.writers)
    return {
        **CONTEXT,
        **_thing("Legislation" if rules else "CreativeWork", f"/{unit.id}", absolute),
        **COMMON,
        "name": titled(cited),
        "author": by,
        "text": unit.text,
        "datePublished": str(cited.book.year),
        **({"pagination": unit.folio} if unit.page else {}),
        **({"legislationIdentifier": unit.id, **_issued(code, by, code.provision)} if rules and code else {}),
        "isPartOf": [_code(code, by, absolute), book] if code else [book],
    }


def of_code(code: CodeRow, by: Names, book: BookRow, writers: Names, absolute: Absolute) -> dict[str, Any]:
    """Describe a code as a whole; `book` is the book from which it is read here."""
    printed = _thing("Book", f"/book/{book.id}", absolute) | _of_book(book, writers)
    return {**CONTEXT, **_code(code, people(by), absolute), **COMMON, "isPartOf": printed}


def of_book(book: BookRow, writers: Names, absolute: Absolute) -> dict[str, Any]:
    """Describe a book."""
    return {**CONTEXT, **_thing("Book", f"/book/{book.id}", absolute), **_of_book(book, writers), **COMMON}


def of_concept(concept: ConceptRow, labels: Sequence[str], absolute: Absolute) -> dict[str, Any]:
    """Describe a concept as a term of the thesaurus."""
    return {
        **CONTEXT,
        **_thing("DefinedTerm", f"/concept/{concept.id}", absolute),
        "name": concept.label,
        **({"description": concept.note} if concept.note else {}),
        **({"alternateName": list(labels)} if labels else {}),
        "inDefinedTermSet": absolute("/concepts"),
    }


def of_data(name: str, told: str, file: str, absolute: Absolute) -> dict[str, Any]:
    """Describe the data as a whole; `file` is the address of the SQLite file."""
    download = {"@type": "DataDownload", "encodingFormat": "application/vnd.sqlite3", "contentUrl": file}
    thing = _thing("Dataset", "/data", absolute)
    return {**CONTEXT, **thing, **COMMON, "name": name, "description": told, "distribution": download}


def people(names: Names) -> list[dict[str, str]]:
    """Convert CSL-JSON names to schema.org; a `literal` name is that of an organisation."""
    return [
        {"@type": "Organization", "name": name["literal"]}
        if "literal" in name
        else {"@type": "Person", "name": f"{name['given']} {name['family']}"}
        for name in names
    ]


def _thing(kind: str, path: str, absolute: Absolute) -> dict[str, Any]:
    return {"@type": kind, "@id": absolute(path), "url": absolute(path)}


def _issued(code: CodeRow, by: list[dict[str, str]], kind: str) -> dict[str, Any]:
    return {"legislationType": kind, "legislationDate": str(code.year), "legislationPassedBy": by}


def _code(code: CodeRow, by: list[dict[str, str]], absolute: Absolute) -> dict[str, Any]:
    thing = _thing("Legislation", f"/code/{code.id}", absolute)
    return {**thing, "name": code.title, "author": by, "legislationIdentifier": code.id, **_issued(code, by, "Code")}


def _of_book(book: BookRow, writers: Names) -> dict[str, Any]:
    publisher = {"@type": "Organization", "name": book.publisher, "location": book.place}
    return {"name": book.title, "author": people(writers), "datePublished": str(book.year), "publisher": publisher}
