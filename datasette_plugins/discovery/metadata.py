"""What the head of a page says of it to those who only look at the head: a description, and its kind for OpenGraph."""

from __future__ import annotations

from typing import NamedTuple

from datasette_plugins.page import TemplateResponse
from datasette_plugins.present import gist

SITE = "The Law Library of Whist"


class Picture(NamedTuple):
    """A picture in static/: its file, its size in pixels, and what it shows."""

    name: str
    width: int
    height: int
    shows: str


PICTURE = Picture("card.png", 1200, 630, "The title page of The Law Library of Whist")
# By template, for pages that do not describe themselves; {title} is the title of the page.
DESCRIPTIONS = {
    "about": "How the texts are read from the OCR text, what the marks mean, how provisions are linked and cited, and "
    "what programs can ask for.",
    "book": "{title}: where and when it was printed, its contents, and what is odd in its numbering.",
    "borrowed": "{title}, provision by provision.",
    "borrowings": "{title}: how much of each code an earlier one prints, and the families of provisions.",
    "browse": "Every term and heading of the laws of whist by the alphabet, with the place it leads to.",
    "changes": "{title}: every change of wording between two codes of the laws of whist, law by law.",
    "cite": "From a citation of the laws of whist to the provision it means.",
    "collate": "{title}: provisions of the laws of whist in parallel columns, with each difference marked.",
    "compare": "{title}, word by word: what both laws of whist say, and what only one of them says.",
    "compare_start": "The codes of whist on one matter, two codes law by law, or two provisions word by word.",
    "concept": "{title}: the words that the codes of whist have for it, and every place that speaks of it.",
    "concepts": "The thesaurus of whist by which the laws are found, whatever words they use.",
    "editor": "What waits for the editor of the laws of whist, each with its place and the next step.",
    "evidence": "{title}: the OCR text and the reading text side by side, with the reason for every change.",
    "read": "{title}: all its provisions on one page, as they were printed.",
    "references": "{title}: what the authors cite that this library cannot show, each with the reason.",
    "ruling": "{title}: the law of whist that decides it, with its source, to be read out or printed.",
    "search": "Search the laws of whist in your own words, or by citation.",
    "topic": "{title}: what each code of the laws of whist says on it, side by side.",
    "topic_answers": "{title}: what each code of the laws of whist answers, question by question.",
    "verify": "Whether the citations of a text on whist still hold.",
}
_OTHER = "{title}, in a library of the laws of whist as they were printed."
# What OpenGraph calls a page (https://ogp.me/#types); all others are pages of a website.
_TYPES = {"unit": "article", "book": "book"}
_LONGEST = 200


def description(page: TemplateResponse) -> str:
    """What the page is, in a sentence."""
    told = page.description or DESCRIPTIONS.get(page.template, _OTHER).format(title=page.title)
    if page.template == "unit":
        # A heading or a row of a table says too little by itself.
        told = f"{page.title}: {told}"
    return gist(told, _LONGEST)


def kind(page: TemplateResponse) -> str:
    """What the page is in the terms of OpenGraph."""
    return _TYPES.get(page.template, "website")
