"""Where a comparison begins: the topics, and the codes two by two."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from urllib.parse import urlencode

from datasette_plugins.endpoint import Moved, PageRequest
from datasette_plugins.page import Page, Shape, says
from kb.comparison import answers, changes, concordance
from kb.comparison import topics as subjects


class TopicListed(Shape):
    """A topic, with how many questions it has."""

    id: str
    label: str
    concept_id: str | None
    note: str
    questions: int


class Start(Page, template="compare_start", at=["/compare.json"]):
    """Where a comparison begins."""

    topics: Sequence[TopicListed] = says("the topics, with how many questions each has")
    twins: Sequence[tuple[str, str]] = says("codes that print the same provisions: see /compare/CODE/CODE.json")
    pairs: Sequence[tuple[str, str]] = says("pairs of codes listed: all of a few codes, of more the twins")


def compare(conn: sqlite3.Connection, request: PageRequest) -> Start | Moved:
    """What can be compared; two provisions `a` and `b`, as earlier addresses have them, are collated."""
    if given := [("u", typed) for side in ("a", "b") if (typed := request.get(side))]:
        build = [("build", build)] if (build := request.get("build")) else []
        return Moved("/collate", urlencode([*given, *build]))
    counts = answers.question_counts(conn)
    return Start(
        url="/compare",
        title="Compare",
        topics=[
            TopicListed(id=t.id, label=t.label, concept_id=t.concept_id, note=t.note, questions=counts.get(t.id, 0))
            for t in subjects.topics(conn)
        ],
        twins=list(concordance.twin_codes(conn)),
        pairs=changes.listed_pairs(conn),
    )
