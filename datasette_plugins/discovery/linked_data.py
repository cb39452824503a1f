"""The library in the terms of schema.org: provisions as `Legislation`, what prints them as `Book`.

A provision has two dates, and each stands in one place only: `legislationDate` is that of its code, `datePublished`
that of the book in which it is read here, as in its citations. `legislationPassedBy` is who gave the code; the author
of the book stands with the book.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from extract.corpus.domain import Domain
from kb.read.cite import Cited, titled
from kb.read.rows import BookRow, CodeRow, ConceptRow

CONTEXT = "https://schema.org"
Names = Sequence[Mapping[str, str]]
Absolute = Callable[[str], str]


def of_unit(cited: Cited, absolute: Absolute) -> dict[str, Any]:
    """A unit: `Legislation` if it is a provision of a code or a part of one, else a `CreativeWork`.

    Args:
        cited: the unit with its code and book.
        absolute: makes a path of the site a whole address.
    """
    unit, code, by = cited.unit, cited.code, people(cited.by)
    rules = code is not None and unit.role in ("provision", "paragraph")
    told: dict[str, Any] = {
        "@context": CONTEXT,
        "@type": "Legislation" if rules else "CreativeWork",
        "@id": absolute(f"/{unit.id}"),
        "url": absolute(f"/{unit.id}"),
        "name": titled(cited),
        "author": by,
        "text": unit.text,
        "inLanguage": "en",
        "datePublished": str(cited.book.year),
        **_license(cited.domain),
    }
    if unit.page:
        told["pagination"] = unit.page
    book = _book(cited.book, cited.writers, absolute)
    if rules and code:
        told["legislationIdentifier"] = unit.id
        told |= _given(code, by)
    told["isPartOf"] = [_code(code, by, absolute), book] if code else [book]
    return told


def of_code(
    about: Domain, code: CodeRow, by: Names, book: BookRow, writers: Names, absolute: Absolute
) -> dict[str, Any]:
    """A code as a whole; the book is that in which it is read here, `about` what the library is about."""
    return {
        "@context": CONTEXT,
        **_code(code, people(by), absolute),
        "inLanguage": "en",
        **_license(about),
        "isPartOf": _book(book, writers, absolute),
    }


def of_book(about: Domain, book: BookRow, writers: Names, absolute: Absolute) -> dict[str, Any]:
    """A book."""
    return {"@context": CONTEXT, **_book(book, writers, absolute), "inLanguage": "en", **_license(about)}


def of_concept(about: Domain, concept: ConceptRow, labels: Sequence[str], absolute: Absolute) -> dict[str, Any]:
    """A concept, as a term of the thesaurus."""
    return {
        "@context": CONTEXT,
        "@type": "DefinedTerm",
        "@id": absolute(f"/concept/{concept.id}"),
        "name": concept.label,
        **({"description": concept.note} if concept.note else {}),
        **({"alternateName": list(labels)} if labels else {}),
        "inDefinedTermSet": {
            "@type": "DefinedTermSet",
            "@id": absolute("/concepts"),
            "name": about.concepts,
        },
    }


def _license(about: Domain) -> dict[str, str]:
    return {"license": about.library.rights_url} if about.library.rights_url else {}


def people(names: Names) -> list[dict[str, str]]:
    """Names of CSL-JSON in the terms of schema.org; what is literal there is a body's."""
    return [
        {"@type": "Organization", "name": name["literal"]}
        if "literal" in name
        else {"@type": "Person", "name": f"{name['given']} {name['family']}"}
        for name in names
    ]


def _given(code: CodeRow, by: list[dict[str, str]]) -> dict[str, Any]:
    return {"legislationType": code.provision, "legislationDate": str(code.year), "legislationPassedBy": by}


def _code(code: CodeRow, by: list[dict[str, str]], absolute: Absolute) -> dict[str, Any]:
    address = absolute(f"/code/{code.id}")
    return {
        "@type": "Legislation",
        "@id": address,
        "url": address,
        "name": code.title,
        "author": by,
        "legislationIdentifier": code.id,
        **_given(code, by),
        "legislationType": "Code",
    }


def _book(book: BookRow, writers: Names, absolute: Absolute) -> dict[str, Any]:
    address = absolute(f"/book/{book.id}")
    return {
        "@type": "Book",
        "@id": address,
        "url": address,
        "name": book.title,
        "author": people(writers),
        "datePublished": str(book.year),
        "publisher": {"@type": "Organization", "name": book.publisher, "location": book.place},
    }
