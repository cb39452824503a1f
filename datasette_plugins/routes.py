"""The site's routes, and whether a path belongs to one of its pages."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

from datasette_plugins import library, missing
from datasette_plugins.answering import cache
from datasette_plugins.endpoint import View, endpoint
from datasette_plugins.pages import question, ruling, search, topic
from datasette_plugins.views import (
    borrowings,
    cases,
    citing,
    compare,
    concepts,
    concordance,
    home,
    sitemap,
    unit,
    works,
)
from extract.corpus.table import WORK_ID

_JSON = r"(?P<json>\.json)?$"
# The gate sends requests for missing pages to this path, followed by the path that was requested.
MISSING = "/-/missing"
# What follows the id of a work in a path: a unit, its evidence, and a format suffix.
_WITHIN = r"/(?P<rest>[^.]+?)(?P<evidence>/evidence)?(?:(?P<json>\.json)|\.(?P<format>bib|ris|csl\.json|tei\.xml))?$"
_SLUG = r"[a-z][a-z0-9-]*"
_CODE = r"[a-z][a-z0-9-]*-\d{4}"  # the id of a code ends in its year, no topic's does
ADDRESSES: tuple[tuple[str, View], ...] = (
    (r"^/$", home.home),
    (r"^/(?:index)?(?P<json>\.json)$", home.home),
    (rf"^/about{_JSON}", home.about),
    (rf"^/data{_JSON}", home.data),
    (r"^/openapi\.json$", home.description),
    (r"^/schemas/whist-tei\.rng$", home.tei_schema),
    (r"^/schemas/(?P<name>\w+)\.json$", home.schema),
    (rf"^/code/(?P<code>{_SLUG}){_JSON}", works.code),
    (rf"^/code/(?P<code>{_SLUG})/read{_JSON}", works.read),
    (rf"^/book/(?P<book>{_SLUG}){_JSON}", works.book),
    (rf"^/search{_JSON}", search.search),
    (rf"^/dispute{_JSON}", search.dispute),
    (rf"^/ruling/(?P<topic>{_SLUG})/(?P<question>{_SLUG}){_JSON}", ruling.ruling),
    (rf"^/concepts{_JSON}", concepts.concepts),
    (rf"^/concept/(?P<concept>{_SLUG}){_JSON}", concepts.concept),
    (rf"^/compare{_JSON}", compare.compare),
    (rf"^/compare/(?P<topic>{_SLUG})(?:(?P<json>\.json)|\.(?P<format>csv))?$", topic.topic),
    (rf"^/compare/(?P<a>{_CODE})/(?P<b>{_CODE}){_JSON}", compare.codes),
    (rf"^/compare/(?P<topic>{_SLUG})/(?P<question>{_SLUG})(?:(?P<json>\.json)|\.(?P<format>csv))?$", question.question),
    (rf"^/collate{_JSON}", compare.collate),
    (r"^/concordance(?:(?P<json>\.json)|\.(?P<format>csv))?$", concordance.page),
    (r"^/borrowings(?:(?P<json>\.json)|\.(?P<format>csv))?$", borrowings.page),
    (rf"^/borrowings/(?P<code>{_SLUG}){_JSON}", borrowings.page),
    (r"^/cases(?:(?P<json>\.json)|\.(?P<format>csv))?$", cases.page),
    (rf"^/cite{_JSON}", citing.cite),
    (r"^/robots\.txt$", sitemap.robots),
    (r"^/sitemap\.xml$", sitemap.sitemap),
    (rf"^{MISSING}(?P<wanted>/.*?)(?P<json>\.(?i:json))?$", missing.nowhere),
    (rf"^/(?P<work>(?i:{WORK_ID}))$", works.work),
    (rf"^/(?P<year>\d{{4}}){_WITHIN}", unit.of_year),
    (rf"^/(?P<work>(?i:{WORK_ID})){_WITHIN}", unit.unit),
)
_NAMED_GROUP = re.compile(r"\(\?P<[a-z]+>")
_OWN = re.compile("|".join(_NAMED_GROUP.sub("(?:", pattern) for pattern, _ in ADDRESSES))


def routes(others: Iterable[str]) -> list[tuple[str, Callable[..., Any]]]:
    """The routes with their endpoints, in the order in which they are tried.

    Args:
        others: first path segments of databases that are not knowledge bases; paths that begin with them stay theirs.
    """
    taken = "|".join(map(re.escape, others))
    free = rf"^(?!/(?:{taken})(?:[/.]|$))" if taken else "^"
    pages = [(free + pattern[1:], endpoint(view)) for pattern, view in ADDRESSES]
    return [*pages, (rf"^{re.escape(library.static_folder())}/(?P<file>.+)$", cache.static_file)]


def is_own(path: str) -> bool:
    """Whether a path (without base_url) is one of the site's own pages."""
    return _OWN.match(path) is not None
