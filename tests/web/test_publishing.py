"""The site under a path of a public address, and what is written of publishing it: commands, settings, container."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import AsyncIterator
from pathlib import Path

import click
import httpx
import pytest
from datasette.app import Datasette
from lxml import html
from pages import PAGES, twin

import datasette_plugins
from datasette_plugins.command import cli
from datasette_plugins.discovery import sitemap
from datasette_plugins.serving.application import SETTINGS

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "docs" / "publishing.md").read_text(encoding="utf-8")
CONTAINERFILE = (ROOT / "docs" / "deploy" / "Containerfile").read_text(encoding="utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
URL = "https://example.org/whist"


@pytest.fixture
async def behind(database: Path) -> AsyncIterator[httpx.AsyncClient]:
    """A client of the site as a proxy is one, that hands on the path as it came and its own idea of the host."""
    app = datasette_plugins.instance(database, URL).app()
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://127.0.0.1:8001") as client:
        yield client


@pytest.mark.parametrize("path", PAGES)
async def test_behind_a_proxy_every_link_of_every_page_begins_with_the_path(
    behind: httpx.AsyncClient, path: str
) -> None:
    answer = await behind.get(f"/whist{path}")
    assert answer.status_code == 200 and "127.0.0.1" not in answer.text
    page = html.document_fromstring(answer.text)
    links = tuple(page.xpath("//@href | //@src | //@action"))
    assert [h for h in links if not h.startswith(("/whist/", "#", URL, "mailto:", "https://creativecommons.org"))] == []
    named = page.xpath("//meta[@property='og:url' or @property='og:image']/@content | //link[@rel='canonical']/@href")
    assert len(named) == 3 and all(address.startswith(f"{URL}/") for address in named)
    assert (await behind.get(f"/whist{twin(path)}")).json()["url"].startswith(f"{URL}/")


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("sitemap.xml", f"<loc>{URL}/english-1864/law-72</loc>"), ("feed.xml", f"<id>{URL}/feed.xml</id>"),
        *(("robots.txt", f"Disallow: /whist{path}\n") for path in sitemap.CLOSED),
        ("robots.txt", f"Sitemap: {URL}/sitemap.xml"),
    ],
)  # fmt: skip
async def test_behind_a_proxy_what_machines_read_has_the_path_too(
    behind: httpx.AsyncClient, path: str, told: str
) -> None:
    assert told in (await behind.get(f"/whist/{path}")).text


async def test_behind_a_proxy_links_and_redirects_lead_to_a_page(behind: httpx.AsyncClient) -> None:
    for path in ("/1864/72", "/english-1864/law-72/", "/English-1864/72", "/arnaud-1829"):
        answer = await behind.get(f"/whist{path}")
        assert answer.status_code == 301 and answer.headers["location"].startswith("/whist/"), path
    page = html.document_fromstring((await behind.get("/whist/english-1864/law-72")).text)
    for link in page.xpath("//link[@rel='stylesheet']/@href | //main//a/@href[starts-with(., '/whist/')]"):
        assert (await behind.get(link)).status_code == 200, link


async def test_datasette_itself_can_serve_the_site_as_a_plugin(database: Path) -> None:
    """As `datasette serve` does: with the settings and metadata of the guide, and its start told to it."""
    metadata = {"plugins": {"whist": {"url": URL}}}
    app = Datasette([], immutables=[str(database)], metadata=metadata, settings={"default_allow_sql": False}).app()
    told: list[str] = []

    async def receive() -> dict[str, str]:
        return {"type": f"lifespan.{'shutdown' if told else 'startup'}"}

    async def send(message: dict[str, str]) -> None:
        told.append(message["type"])

    await app({"type": "lifespan", "asgi": {"version": "3.0"}}, receive, send)
    assert told == ["lifespan.startup.complete", "lifespan.shutdown.complete"]
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://127.0.0.1:8001") as client:
        assert f'href="{URL}/english-1864/law-72"' in (await client.get("/english-1864/law-72")).text


def test_the_guide_gives_datasette_the_settings_of_whist_serve() -> None:
    options = shlex.split(re.search(r'--extra-options "(.*?)"', GUIDE)[1])
    given = {name: value for flag, name, value in zip(options[::3], options[1::3], options[2::3], strict=True)}
    written = {name: {False: "off", True: "on"}.get(value, str(value)) for name, value in SETTINGS.items()}
    assert given | {"allow_download": "on"} == written


def test_the_guide_makes_the_metadata(tmp_path: Path) -> None:
    (line,) = re.findall(r"^(python -c .*) > metadata.json$", GUIDE, re.M)
    command, *arguments = shlex.split(line)
    assert command == "python"
    made = subprocess.run([sys.executable, *arguments], capture_output=True, text=True, cwd=ROOT, check=True)
    told = json.loads(made.stdout)
    assert told["plugins"]["whist"]["url"].startswith("https://") and told["databases"]["whist"]["tables"]["unit"]


def test_the_guide_names_the_wheel_as_it_is_called() -> None:
    name, version = PROJECT["project"]["name"].replace("-", "_"), PROJECT["project"]["version"]
    assert f"plugins/{name}-{version}-py3-none-any.whl" in GUIDE


STEPS = [
    (line.partition(" ")[0], line.partition(" ")[2])
    for line in re.sub(r"\\\n\s*", "", CONTAINERFILE).splitlines()
    if line and not line.startswith("#")
]
# The commands of the container, each in the form that no shell reads.
RUN = [json.loads(rest) for word, rest in STEPS if word in ("RUN", "ENTRYPOINT")]


def test_what_the_container_copies_is_there() -> None:
    paths = {
        path for word, rest in STEPS if word == "COPY" and not rest.startswith("--from") for path in rest.split()[:-1]
    }
    assert len(paths) > 4 and all((ROOT / path).exists() for path in paths), paths
    assert {pattern.rstrip("*") for pattern in PROJECT["tool"]["setuptools"]["packages"]["find"]["include"]} <= paths


def test_the_container_runs_commands_that_there_are_and_serves_what_it_has_built() -> None:
    whist = [step for step in RUN if step[0] == "/venv/bin/whist"]
    assert [step[1] for step in whist] == ["build", "check", "serve"]
    for step in whist:
        options = {
            option for parameter in cli.get_command(click.Context(cli), step[1]).params for option in parameter.opts
        }
        assert {word for word in step if word.startswith("--")} <= options
    assert {step[step.index("--db") + 1] for step in whist} == {"/srv/whist.db"}
    stages = [rest for word, rest in STEPS if word == "FROM"]
    kept = {rest.split()[-1] for word, rest in STEPS if word == "COPY" and rest.startswith("--from=build")}
    assert stages == ["${PYTHON} AS build", "${PYTHON}"] and kept == {"/venv", "/srv/whist.db"}


def test_the_container_leaves_behind_only_what_developers_use() -> None:
    (left,) = [step[3:] for step in RUN if "uninstall" in step]
    developers = PROJECT["project"]["optional-dependencies"]["dev"]
    assert set(left) <= {re.split(r"[^\w-]", name)[0] for name in developers}


def test_the_container_serves_as_a_user_without_rights_and_looks_at_its_health() -> None:
    words = [word for word, _ in STEPS]
    assert words.index("USER") < words.index("ENTRYPOINT") and ("USER", "whist") in STEPS
    (check,) = [rest for word, rest in STEPS if word == "HEALTHCHECK"]
    assert "127.0.0.1:8001/robots.txt" in check
    compile(json.loads(check.partition("CMD ")[2])[2], "health check", "exec")
