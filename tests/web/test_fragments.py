"""Parts of pages that are kept: made once, and never told where they do not belong."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from datasette.app import Datasette

CHOICES = ("", "?differ=1", "?codes=english-1864,arnaud-1829", "?codes=arnaud-1829,english-1864",
           "?codes=american-1894", "?codes=american-1893,american-1894")  # fmt: skip


async def test_a_choice_of_codes_reads_the_same_whatever_was_chosen_before(
    ds: Datasette, site: Callable[..., Awaitable[Datasette]]
) -> None:
    for choice in CHOICES + CHOICES[::-1]:
        alone = await (await site()).client.get(f"/compare/revoke{choice}")
        after_others = await ds.client.get(f"/compare/revoke{choice}")
        assert after_others.text == alone.text
    assert ds.jinja_env.globals["whist"].parts.currsize > 0
