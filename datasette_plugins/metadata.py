"""Metadata of a page for programs: a description, its type for OpenGraph, and its subject for schema.org.

In the terms of schema.org a provision is `Legislation`, and the work that prints it a `Book`. A provision has two
dates, each in one property only: `legislationDate` is the date of its code, `datePublished` that of the book from which
it is read here, as in its citations. `legislationPassedBy` names who issued the code; the author of the book is given
with the book.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from datasette_plugins.page import Page
from datasette_plugins.present import gist
from datasette_plugins.site import SitePage
from extract.corpus.domain import Domain
from kb.cite.writing import Cited, titled
from kb.read.rows import BookRow, CodeRow, ConceptRow

CONTEXT = "https://schema.org"
Names = Sequence[Mapping[str, str]]
Absolute = Callable[[str], str]


def of_unit(cited: Cited, absolute: Absolute) -> dict[str, Any]:
    """Describe a unit: as `Legislation` if it is a provision of a code or a part of one, else as a `CreativeWork`.

    Args:
        cited: the unit with its code and book.
        absolute: turns a path of the site into an absolute URL.
    """
    unit, code, by = cited.unit, cited.code, people(cited.by)
    rules = code is not None and unit.role in ("provision", "paragraph")
    data: dict[str, Any] = {
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
        data["pagination"] = unit.folio
    book = _book(cited.book, cited.writers, absolute)
    if rules and code:
        data["legislationIdentifier"] = unit.id
        data |= _issued(code, by)
    data["isPartOf"] = [_code(code, by, absolute), book] if code else [book]
    return data


def of_code(
    about: Domain, code: CodeRow, by: Names, book: BookRow, writers: Names, absolute: Absolute
) -> dict[str, Any]:
    """Describe a code as a whole; `book` is the book from which it is read here, `about` the domain of the library."""
    return {
        "@context": CONTEXT,
        **_code(code, people(by), absolute),
        "inLanguage": "en",
        **_license(about),
        "isPartOf": _book(book, writers, absolute),
    }


def of_book(about: Domain, book: BookRow, writers: Names, absolute: Absolute) -> dict[str, Any]:
    """Describe a book."""
    return {"@context": CONTEXT, **_book(book, writers, absolute), "inLanguage": "en", **_license(about)}


def of_concept(about: Domain, concept: ConceptRow, labels: Sequence[str], absolute: Absolute) -> dict[str, Any]:
    """Describe a concept as a term of the thesaurus."""
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
    """Convert CSL-JSON names to schema.org; a `literal` name is that of an organisation."""
    return [
        {"@type": "Organization", "name": name["literal"]}
        if "literal" in name
        else {"@type": "Person", "name": f"{name['given']} {name['family']}"}
        for name in names
    ]


def _issued(code: CodeRow, by: list[dict[str, str]]) -> dict[str, Any]:
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
        **_issued(code, by),
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


PICTURE_SIZE = (1200, 630)  # pixels, the size that link previews expect
# Descriptions by template, for pages without one of their own. In them {title} is the title of the page, {holdings}
# what the library holds (`the laws of whist`), {provision}, {provisions}, {code} and {codes} its words for these, {of}
# its subject after that word, or nothing if it has none.
DESCRIPTIONS = {
    "about": "How the text is made from the OCR text, what the marks mean, how provisions are linked and cited, and "
    "what there is for programs.",
    "book": "{title}: where and when it was printed, its contents, and its missing or doubtful numbers.",
    "borrowings": "{title}: how much of each {code} is already in an earlier one, and the rules they share.",
    "changes": "{title}: two {codes} of {holdings} compared {provision} by {provision}.",
    "cite": "Find a cited {provision} of {holdings}.",
    "collate": "{title}: provisions of {holdings} in parallel columns, with the differences marked.",
    "compare_start": "Compare the {codes}{of} on one topic, two {codes} {provision} by {provision}, or two provisions "
    "word by word.",
    "concept": "{title}: the terms that the {codes}{of} have for it, and every place that mentions it.",
    "concepts": "The thesaurus{of}, which finds the {provisions} whatever words they use.",
    "evidence": "{title}: its OCR text and its reading text, with the reason for every change.",
    "read": "{title}: all its provisions on one page, as they were printed.",
    "search": "Search {holdings} in your own words, or by citation.",
}
_OTHER = "{title}, in a library of {holdings} as they were printed."
# OpenGraph types by template (https://ogp.me/#types); all other pages are of type `website`.
_TYPES = {"law": "article", "question": "article", "book": "book"}
_LONGEST = 300


def description(page: Page | SitePage, about: Domain) -> str:
    """Describe a page in a sentence, with the words of the library (`about`)."""
    text = page.description or DESCRIPTIONS.get(page.template, _OTHER).format(title=page.title, **words(about))
    return gist(text, _LONGEST)


def words(about: Domain) -> dict[str, str]:
    """The values for the placeholders of `DESCRIPTIONS`, except the title."""
    return {
        "holdings": about.holdings,
        "of": f" of {about.library.subject}" if about.library.subject else "",
        "provision": about.provision.singular,
        "provisions": about.provision.several,
        "code": about.code.singular,
        "codes": about.code.several,
    }


def kind(page: Page | SitePage) -> str:
    """The OpenGraph type of a page."""
    return _TYPES.get(page.template, "website")
