"""What the first visitors of a build would wait for, made while nobody asks.

That is the index of disputes, what search knows of the build, the texts of the topics, and the styles of citations:
each takes up to a second, in a large library ten.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from datasette.app import Datasette

from datasette_plugins import library
from kb.comparison.answers import question_counts
from kb.dispute.index import index_of
from kb.read import queries
from kb.search.catalogue import catalogue_of

# A page asked for with a cookie passes by the cache of finished pages: nobody has asked for this one.
_ASIDE = {"cookie": "warming=1"}


async def warm(datasette: Datasette, rest: Callable[[], Awaitable[None]]) -> None:
    """Load what a build has loaded once, and make the parts of pages that are kept.

    Args:
        datasette: serves the build.
        rest: returns when nobody waits for an answer; awaited before each piece of work.
    """
    knowledge = await library.find(datasette)
    if knowledge is None or not knowledge.seed:  # of a file that may change nothing is kept
        return
    await rest()
    await knowledge.db.execute_fn(index_of)
    await knowledge.db.execute_fn(catalogue_of)
    topics = await knowledge.db.execute_fn(question_counts)
    samples = await knowledge.db.execute_fn(queries.samples)
    for path in (*(f"/compare/{topic}" for topic in topics), *(f"/{unit_id}" for unit_id in samples)):
        await rest()
        await datasette.client.get(datasette.urls.path(path), headers=_ASIDE)
