"""The site behind a proxy, the commands and settings of the publishing guide, and the container."""

import json
import re
import shlex
import tomllib
from pathlib import Path
from unittest.mock import AsyncMock

import click
import httpx
import pytest
from datasette.app import Datasette
from lxml import html
from reading_pages import PAGES, twin

from datasette_plugins.command import cli
from datasette_plugins.pages import sitemap
from datasette_plugins.serve import instance

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "docs" / "publishing.md").read_text(encoding="utf-8")
CONTAINERFILE = (ROOT / "docs" / "deploy" / "Containerfile").read_text(encoding="utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
URL = "https://example.org/whist"


@pytest.fixture(scope="module")
def public(database: Path) -> httpx.ASGITransport:
    """The site at a public address."""
    return httpx.ASGITransport(instance(database, URL).app())


@pytest.fixture
def proxy(public: httpx.ASGITransport) -> httpx.AsyncClient:
    """A client that acts like a proxy: it forwards the path unchanged and sends its own host."""
    return httpx.AsyncClient(transport=public, base_url="http://127.0.0.1:8001")


@pytest.mark.parametrize("path", PAGES)
async def test_links_behind_a_proxy_start_with_the_public_path(proxy: httpx.AsyncClient, path: str) -> None:
    response = await proxy.get(f"/whist{path}")
    assert response.status_code == 200 and "127.0.0.1" not in response.text
    page = html.document_fromstring(response.text)
    links = tuple(page.xpath("//@href | //@src | //@action"))
    assert [h for h in links if not h.startswith(("/whist/", "#", URL, "mailto:", "https://creativecommons.org"))] == []
    urls = page.xpath("//meta[@property='og:url' or @property='og:image']/@content | //link[@rel='canonical']/@href")
    assert len(urls) == 3 and all(url.startswith(f"{URL}/") for url in urls)
    assert (await proxy.get(f"/whist{twin(path)}")).json()["url"].startswith(f"{URL}/")


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("sitemap.xml", f"<loc>{URL}/english-1864/law-72</loc>"),
        *(("robots.txt", f"Disallow: /whist{path}\n") for path in sitemap.CLOSED),
        ("robots.txt", "Disallow: /whist/cite\n"), ("robots.txt", f"Sitemap: {URL}/sitemap.xml"),
    ],
)  # fmt: skip
async def test_files_for_crawlers_behind_a_proxy_have_the_public_path(
    proxy: httpx.AsyncClient, path: str, told: str
) -> None:
    assert told in (await proxy.get(f"/whist/{path}")).text


async def test_redirects_behind_a_proxy_keep_the_path_and_links_work(proxy: httpx.AsyncClient) -> None:
    for path in ("/1864/72", "/english-1864/law-72/", "/English-1864/72", "/arnaud-1829"):
        response = await proxy.get(f"/whist{path}")
        assert response.is_redirect and response.headers["location"].startswith("/whist/"), path
    page = html.document_fromstring((await proxy.get("/whist/english-1864/law-72")).text)
    for link in page.xpath("//link[@rel='stylesheet']/@href | //main//a/@href[starts-with(., '/whist/')]"):
        assert (await proxy.get(link)).status_code == 200, link


async def test_datasette_can_serve_the_site_as_a_plugin(database: Path) -> None:
    """Like `datasette serve`: with the settings and metadata of the guide, and with ASGI lifespan events."""
    metadata = {"plugins": {"whist": {"url": URL}}}
    app = Datasette([], immutables=[str(database)], metadata=metadata, settings={"default_allow_sql": False}).app()
    receive, send = AsyncMock(side_effect=[{"type": "lifespan.startup"}, {"type": "lifespan.shutdown"}]), AsyncMock()
    await app({"type": "lifespan", "asgi": {"version": "3.0"}}, receive, send)
    assert [message["type"] for ((message,), _) in send.await_args_list] == [
        "lifespan.startup.complete", "lifespan.shutdown.complete"
    ]  # fmt: skip
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://127.0.0.1:8001") as client:
        assert f'href="{URL}/english-1864/law-72"' in (await client.get("/english-1864/law-72")).text


def test_command_in_the_guide_writes_the_metadata(capsys: pytest.CaptureFixture[str]) -> None:
    (line,) = re.findall(r"^python -c (.*) > metadata.json$", GUIDE, re.M)
    exec(shlex.split(line)[0])
    output = json.loads(capsys.readouterr().out)
    assert output["plugins"]["whist"]["url"].startswith("https://") and output["databases"]["whist"]["tables"]["unit"]


STEPS = [
    (line.partition(" ")[0], line.partition(" ")[2])
    for line in re.sub(r"\\\n\s*", "", CONTAINERFILE).splitlines()
    if line and not line.startswith("#")
]
# The commands of the container, each in exec form (run without a shell).
RUN = [json.loads(rest) for word, rest in STEPS if word in ("RUN", "ENTRYPOINT")]


def test_container_builds_checks_and_serves_as_an_unprivileged_user() -> None:
    copies = [rest.split()[:-1] for word, rest in STEPS if word == "COPY" and not rest.startswith("--from")]
    paths = {path for step in copies for path in step}
    assert all((ROOT / path).exists() for path in paths), paths
    assert {pattern.rstrip("*") for pattern in PROJECT["tool"]["setuptools"]["packages"]["find"]["include"]} <= paths
    whist = [step for step in RUN if step[0] == "/venv/bin/whist"]
    assert [step[1] for step in whist] == ["build", "check", "serve"]
    for step in whist:
        known = {option for param in cli.get_command(click.Context(cli), step[1]).params for option in param.opts}
        assert {word for word in step if word.startswith("--")} <= known
        assert step[step.index("--db") + 1] == "/srv/whist.db"
    assert ("USER", "whist") in STEPS
