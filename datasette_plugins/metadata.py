"""What a page says of itself to programs: a description, its kind for OpenGraph, and its subject for schema.org.

In the terms of schema.org a provision is `Legislation`, and what prints it a `Book`. A provision has two dates, and
each stands in one place only: `legislationDate` is that of its code, `datePublished` that of the book in which it is
read here, as in its citations. `legislationPassedBy` is who gave the code; the author of the book stands with the book.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from datasette_plugins.page import Page
from datasette_plugins.present import gist
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


PICTURE_SIZE = (1200, 630)  # pixels, as those who show a picture beside a link ask for
# By template, for pages that do not describe themselves; {title} is the title of the page, {holdings} what the library
# holds (`the laws of whist`), {provision} and {provisions}, {code} and {codes} what it calls them,
# {of} and {on} its subject with that word, if it has one.
DESCRIPTIONS = {
    "about": "How the texts are read from the OCR text, what the marks mean, how provisions are linked and cited, and "
    "what programs can ask for.",
    "book": "{title}: where and when it was printed, its contents, and what is odd in its numbering.",
    "borrowings": "{title}: how much of each {code} an earlier one prints, and the families of {provisions}.",
    "browse": "Every term and heading of {holdings} by the alphabet, with the place it leads to.",
    "changes": "{title}: two {codes} of {holdings}, {provision} by {provision}: what was changed, what one lacks.",
    "cite": "From a citation of {holdings} to the provision it means.",
    "collate": "{title}: provisions of {holdings} in parallel columns, with each difference marked.",
    "compare_start": "The {codes}{of} on one matter, two {codes} {provision} by {provision}, or two provisions word by "
    "word.",
    "concept": "{title}: the words that the {codes}{of} have for it, and every place that speaks of it.",
    "concepts": "The thesaurus{of} by which the {provisions} are found, whatever words they use.",
    "editor": "What waits for the editor of {holdings}, each with its place and the next step.",
    "evidence": "{title}: the OCR text and the reading text side by side, with the reason for every change.",
    "read": "{title}: all its provisions on one page, as they were printed.",
    "references": "{title}: what the authors cite that this library cannot show, each with the reason.",
    "ruling": "{title}: the {provision}{of} that decides it, with its source, to be read out or printed.",
    "search": "Search {holdings} in your own words, or by citation.",
    "topic": "{title}: what each {code} of {holdings} says on it, side by side.",
    "topic_answers": "{title}: what each {code} of {holdings} answers, question by question.",
    "verify": "Whether the citations of a text{on} still hold.",
}
_OTHER = "{title}, in a library of {holdings} as they were printed."
# What OpenGraph calls a page (https://ogp.me/#types); all others are pages of a website.
_TYPES = {"unit": "article", "book": "book"}
_LONGEST = 200


def description(page: Page, about: Domain) -> str:
    """What the page is, in a sentence; `about` has the words of the library."""
    told = page.description or DESCRIPTIONS.get(page.template, _OTHER).format(title=page.title, **words(about))
    if page.template == "unit":
        # A heading or a row of a table says too little by itself.
        told = f"{page.title}: {told}"
    return gist(told, _LONGEST)


def words(about: Domain) -> dict[str, str]:
    """The words that descriptions are filled in with."""
    return {
        "holdings": about.holdings,
        "of": f" of {about.library.subject}" if about.library.subject else "",
        "on": f" on {about.library.subject}" if about.library.subject else "",
        "provision": about.provision.singular,
        "provisions": about.provision.several,
        "code": about.code.singular,
        "codes": about.code.several,
    }


def kind(page: Page) -> str:
    """What the page is in the terms of OpenGraph."""
    return _TYPES.get(page.template, "website")
