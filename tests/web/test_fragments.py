"""Parts of pages that are kept: made once, bounded, and never told where they do not belong."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from datasette.app import Datasette
from markupsafe import Markup

from datasette_plugins.fragments import Fragments

CHOICES = ("", "?differ=1", "?codes=english-1864,arnaud-1829", "?codes=arnaud-1829,english-1864",
           "?codes=american-1894", "?codes=american-1893,american-1894")  # fmt: skip


def test_parts_are_kept_within_a_bound_and_the_one_not_asked_for_longest_goes_first() -> None:
    kept = Fragments(most=6)

    def told(key: str, text: str) -> str:
        return kept.get(key, lambda: Markup(text))

    assert [told("a", "aaa"), told("b", "bbb"), told("a", "new"), told("c", "ccc")] == ["aaa", "bbb", "aaa", "ccc"]
    assert kept.parts.currsize == 6
    assert [told("a", "new"), told("b", "new")] == ["aaa", "new"]
    assert [told("d", "too long"), told("d", "changed")] == ["too long", "changed"]


async def test_a_choice_of_codes_reads_the_same_whatever_was_chosen_before(
    ds: Datasette, site: Callable[..., Awaitable[Datasette]]
) -> None:
    for choice in CHOICES + CHOICES[::-1]:
        alone = await (await site()).client.get(f"/compare/revoke{choice}")
        after_others = await ds.client.get(f"/compare/revoke{choice}")
        assert after_others.text == alone.text
    assert ds.jinja_env.globals["whist"].parts.parts.currsize > 0
