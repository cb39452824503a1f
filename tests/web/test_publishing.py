"""The site at a public address behind a proxy, and the container of the publishing guide."""

import json
import re
import tomllib
from pathlib import Path

import click
import httpx
import pytest
from lxml import html
from reading_pages import PAGES, twin

from datasette_plugins.command import cli
from datasette_plugins.pages.code import CATALOGUES
from datasette_plugins.pages.sitemap import CLOSED
from datasette_plugins.serve import instance

ROOT = Path(__file__).parents[2]
URL = "https://example.org/whist"


@pytest.fixture(scope="module")
def public(database: Path) -> httpx.ASGITransport:
    """The site at a public address."""
    return httpx.ASGITransport(instance(database, URL).app())


@pytest.fixture
def proxy(public: httpx.ASGITransport) -> httpx.AsyncClient:
    """A client that acts like a proxy: it forwards the path unchanged and sends its own host."""
    return httpx.AsyncClient(transport=public, base_url="http://127.0.0.1:8001")


# Other sites that pages link to.
OTHERS = ("https://creativecommons.org/", *CATALOGUES.values())


@pytest.mark.parametrize("path", PAGES)
async def test_links_behind_a_proxy_start_with_the_public_path(proxy: httpx.AsyncClient, path: str) -> None:
    response = await proxy.get(f"/whist{path}")
    assert response.status_code == 200 and "127.0.0.1" not in response.text
    page = html.document_fromstring(response.text)
    links = tuple(page.xpath("//@href | //@src | //@action"))
    assert [h for h in links if not h.startswith(("/whist/", "#", URL, "mailto:", *OTHERS))] == []
    urls = page.xpath("//meta[@property='og:url' or @property='og:image']/@content | //link[@rel='canonical']/@href")
    assert len(urls) == 3 and all(url.startswith(f"{URL}/") for url in urls)
    assert (await proxy.get(f"/whist{twin(path)}")).json()["url"].startswith(f"{URL}/")


async def test_files_for_crawlers_and_redirects_behind_a_proxy_have_the_public_path(proxy: httpx.AsyncClient) -> None:
    assert f"<loc>{URL}/english-1864/law-72</loc>" in (await proxy.get("/whist/sitemap.xml")).text
    robots = (await proxy.get("/whist/robots.txt")).text
    assert f"Sitemap: {URL}/sitemap.xml" in robots and "Disallow: /whist/cite\n" in robots
    assert all(f"Disallow: /whist{path}\n" in robots for path in CLOSED)
    for path in ("/1864/72", "/english-1864/law-72/", "/English-1864/72", "/arnaud-1829"):
        response = await proxy.get(f"/whist{path}")
        assert response.is_redirect and response.headers["location"].startswith("/whist/"), path
    page = html.document_fromstring((await proxy.get("/whist/english-1864/law-72")).text)
    for link in page.xpath("//link[@rel='stylesheet']/@href | //main//a/@href[starts-with(., '/whist/')]"):
        assert (await proxy.get(link)).status_code == 200, link


def test_container_builds_checks_and_serves_as_an_unprivileged_user() -> None:
    lines = re.sub(r"\\\n\s*", "", (ROOT / "docs" / "deploy" / "Containerfile").read_text("utf-8")).splitlines()
    steps = [line.split(" ", 1) for line in lines if line and not line.startswith("#")]
    paths = {path for word, rest in steps if word == "COPY" and "--from" not in rest for path in rest.split()[:-1]}
    assert all((ROOT / path).exists() for path in paths), paths
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    assert {name.rstrip("*") for name in project["tool"]["setuptools"]["packages"]["find"]["include"]} <= paths
    # The commands in exec form, which are run without a shell.
    run = [json.loads(rest) for word, rest in steps if word in ("RUN", "ENTRYPOINT")]
    whist = [step for step in run if step[0] == "/venv/bin/whist"]
    assert [step[1] for step in whist] == ["build", "check", "serve"]
    for step in whist:
        known = {option for param in cli.get_command(click.Context(cli), step[1]).params for option in param.opts}
        assert {word for word in step if word.startswith("--")} <= known
        assert step[step.index("--db") + 1] == "/srv/whist.db"
    assert ["USER", "whist"] in steps
