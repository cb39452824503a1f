"""The site's routes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

from datasette_plugins.endpoint import endpoint
from datasette_plugins.pages import (
    about,
    cases,
    cite,
    code,
    collate,
    compare,
    concept,
    concordance,
    data,
    home,
    law,
    question,
    ruling,
    search,
    shared,
    sitemap,
    topic,
)
from datasette_plugins.site import View
from extract.corpus.table import WORK_ID

_JSON = r"(?P<json>\.json)?$"
_LIST = r"(?:(?P<json>\.json)|\.(?P<format>csv))?$"
# What follows the id of a work in a path: a unit, its evidence, and a format suffix.
_WITHIN = (
    r"/(?P<rest>[^.]*?[^./])(?P<evidence>/evidence)?"
    r"(?:(?P<json>\.json)|\.(?P<format>bib|ris|csl\.json|tei\.xml))?$"
)
_SLUG = r"[a-z][a-z0-9-]*"
_CODE = r"[a-z][a-z0-9-]*-\d{4}"  # the id of a code ends in its year, no topic's does
ADDRESSES: tuple[tuple[str, View], ...] = (
    (r"^/$", home.home),
    (r"^/(?:index)?(?P<json>\.json)$", home.home),
    (rf"^/about{_JSON}", about.about),
    (rf"^/data{_JSON}", data.data),
    (r"^/data/(?P<name>\w+)\.(?P<format>csv|json)$", data.table),
    (r"^/schemas/whist-tei\.rng$", data.tei_schema),
    (rf"^/code/(?P<code>{_SLUG}|\d{{4}}){_JSON}", code.code),
    (rf"^/code/(?P<code>{_SLUG}|\d{{4}})/read{_JSON}", code.read),
    (rf"^/book/(?P<book>{_SLUG}){_JSON}", code.book),
    (rf"^/search{_JSON}", search.search),
    (rf"^/dispute{_JSON}", search.dispute),
    (rf"^/ruling/(?P<topic>{_SLUG})/(?P<question>{_SLUG}){_JSON}", ruling.ruling),
    (rf"^/concepts{_LIST}", concept.concepts),
    (rf"^/concept/(?P<concept>{_SLUG}){_LIST}", concept.concept),
    (rf"^/compare{_JSON}", compare.start),
    (rf"^/compare/(?P<topic>{_SLUG}){_LIST}", topic.topic),
    (rf"^/compare/(?P<a>{_CODE})/(?P<b>{_CODE}){_LIST}", compare.codes),
    (rf"^/compare/(?P<topic>{_SLUG})/(?P<question>{_SLUG}){_LIST}", question.question),
    (rf"^/collate{_JSON}", collate.collated),
    (rf"^/concordance{_LIST}", concordance.concordance),
    (rf"^/shared{_LIST}", shared.overview),
    (rf"^/shared/(?P<code>{_SLUG}){_LIST}", shared.of_code),
    (rf"^/cases{_LIST}", cases.page),
    (rf"^/cite{_JSON}", cite.cite),
    (rf"^/(?P<kind>code|book)/(?P<work>{_SLUG})\.(?P<format>bib|ris|csl\.json)$", cite.record),
    (r"^/robots\.txt$", sitemap.robots),
    (r"^/sitemap\.xml$", sitemap.sitemap),
    (rf"^/(?P<work>(?i:{WORK_ID}))$", code.work),
    (rf"^/(?P<work>(?i:{WORK_ID})|\d{{4}}){_WITHIN}", law.law),
)


def routes(others: Iterable[str]) -> list[tuple[str, Callable[..., Any]]]:
    """The routes with their endpoints, in the order in which they are tried.

    Args:
        others: first path segments of databases that are not knowledge bases; paths that begin with them stay theirs.
    """
    taken = "|".join(map(re.escape, others))
    free = rf"^(?!/(?:{taken})(?:[/.]|$))" if taken else "^"
    return [(free + pattern[1:], endpoint(view)) for pattern, view in ADDRESSES]


def hides(name: str) -> bool:
    """Whether pages of the site would hide those of a database of this name."""
    return any(re.match(pattern, f"/{name}{rest}") for pattern, _ in ADDRESSES for rest in ("", ".json", "/unit.json"))
