"""What the head of a page says of it to those who only look at the head: a description, and its kind for OpenGraph."""

from __future__ import annotations

from datasette_plugins.page import Page
from datasette_plugins.present import gist
from extract.corpus.domain import Domain

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
