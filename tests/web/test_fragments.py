"""Parts of pages that are kept: made once, bounded, and never told where they do not belong."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

from datasette.app import Datasette
from markupsafe import Markup

from datasette_plugins.fragments import Fragments

CHOICES = ("", "?differ=1", "?codes=english-1864,arnaud-1829", "?codes=arnaud-1829,english-1864",
           "?codes=american-1894", "?codes=american-1893,american-1894")  # fmt: skip


def _part(text: str) -> Callable[[], Markup]:
    return lambda: Markup(text)


def test_a_part_is_made_once() -> None:
    kept = Fragments()
    assert kept.get("a", _part("first")) == "first"
    assert kept.get("a", _part("second")) == "first"


def test_the_part_not_asked_for_longest_goes_first() -> None:
    kept = Fragments(most=6)
    kept.get("a", _part("aaa"))
    kept.get("b", _part("bbb"))
    kept.get("a", _part("new"))
    kept.get("c", _part("ccc"))
    assert kept.parts.currsize == 6
    assert kept.get("a", _part("new")) == "aaa"
    assert kept.get("b", _part("new")) == "new"


def test_a_part_longer_than_all_may_be_is_told_and_not_kept() -> None:
    kept = Fragments(most=2)
    assert kept.get("a", _part("long")) == "long"
    assert kept.parts.currsize == 0


async def test_a_choice_of_codes_reads_the_same_whatever_was_chosen_before(
    ds: Datasette, site: Callable[..., Awaitable[Datasette]]
) -> None:
    for choice in CHOICES + CHOICES[::-1]:
        alone = await (await site()).client.get(f"/compare/revoke{choice}")
        after_others = await ds.client.get(f"/compare/revoke{choice}")
        assert after_others.text == alone.text


async def test_the_parts_of_a_library_that_may_change_are_not_kept(ds: Datasette, database: Path) -> None:
    changing = Datasette([str(database)])
    await changing.invoke_startup()
    for served in (changing, ds):
        await served.client.get("/compare/revoke")
    assert changing.jinja_env.globals["whist"].parts.parts.currsize == 0
    assert ds.jinja_env.globals["whist"].parts.parts.currsize > 0
