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
from datasette_plugins.serving.application import SETTINGS

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "docs" / "publishing.md").read_text(encoding="utf-8")
CONTAINERFILE = (ROOT / "docs" / "deploy" / "Containerfile").read_text(encoding="utf-8")
URL = "https://example.org/whist"


@pytest.fixture
async def behind(database: Path) -> AsyncIterator[httpx.AsyncClient]:
    """A client of the site as a proxy is one, that hands on the path as it came and its own idea of the host."""
    app = datasette_plugins.instance(database, URL).app()
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://127.0.0.1:8001") as client:
        yield client


async def test_behind_a_proxy_every_link_of_every_page_begins_with_the_path(behind: httpx.AsyncClient) -> None:
    for path in PAGES:
        answer = await behind.get(f"/whist{path}")
        assert answer.status_code == 200, path
        page = html.document_fromstring(answer.text)
        for link in page.xpath("//@href | //@src | //@action"):
            assert link.startswith(("/whist/", "#", URL, "mailto:", "https://creativecommons.org")), (path, link)
        for tag in ("og:url", "og:image"):
            assert page.xpath(f"string(//meta[@property='{tag}']/@content)").startswith(f"{URL}/"), path
        assert page.xpath("string(//link[@rel='canonical']/@href)").startswith(f"{URL}/"), path
        assert "127.0.0.1" not in answer.text, path
        assert (await behind.get(f"/whist{twin(path)}")).json()["url"].startswith(f"{URL}/"), path


async def test_behind_a_proxy_what_machines_read_and_redirects_have_the_path_too(behind: httpx.AsyncClient) -> None:
    assert f"<loc>{URL}/english-1864/law-72</loc>" in (await behind.get("/whist/sitemap.xml")).text
    assert f"<id>{URL}/feed.xml</id>" in (await behind.get("/whist/feed.xml")).text
    robots = (await behind.get("/whist/robots.txt")).text
    assert "Disallow: /whist/search\n" in robots and f"Sitemap: {URL}/sitemap.xml" in robots
    for path in ("/1864/72", "/english-1864/law-72/", "/English-1864/72", "/arnaud-1829"):
        answer = await behind.get(f"/whist{path}")
        assert answer.status_code == 301 and answer.headers["location"].startswith("/whist/"), path
    style = html.document_fromstring((await behind.get("/whist/")).text).xpath(
        "string(//link[@rel='stylesheet']/@href)"
    )
    assert (await behind.get(style)).status_code == 200


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


def require(words: list[str]) -> None:
    command = cli.get_command(click.Context(cli), words[1])
    assert command is not None, f"There is no command {words[1]}."
    known = {option for parameter in command.params if isinstance(parameter, click.Option) for option in parameter.opts}
    assert {word for word in words if word.startswith("--")} <= known


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
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert f"plugins/{project['name'].replace('-', '_')}-{project['version']}-py3-none-any.whl" in GUIDE


STEPS = [
    (line.partition(" ")[0], line.partition(" ")[2])
    for line in re.sub(r"\\\n\s*", "", CONTAINERFILE).splitlines()
    if line and not line.startswith("#")
]


def run_steps() -> list[list[str]]:
    """The commands of the container, each in the form that no shell reads."""
    steps = [rest for word, rest in STEPS if word in ("RUN", "ENTRYPOINT")]
    steps += [rest.partition("CMD ")[2] for word, rest in STEPS if word == "HEALTHCHECK"]
    return [json.loads(step) for step in steps]


def test_what_the_container_copies_is_there() -> None:
    copied = [rest.split()[:-1] for word, rest in STEPS if word == "COPY" and not rest.startswith("--from")]
    assert len(copied) > 4
    for paths in copied:
        assert all((ROOT / path).exists() for path in paths), paths
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    packages = {pattern.rstrip("*") for pattern in project["tool"]["setuptools"]["packages"]["find"]["include"]}
    assert packages <= {path for paths in copied for path in paths}


def test_the_container_runs_commands_that_there_are_and_serves_what_it_has_built() -> None:
    whist = [step for step in run_steps() if step[0] == "/venv/bin/whist"]
    assert [step[1] for step in whist] == ["build", "check", "serve"]
    for step in whist:
        require(step)
    assert {step[step.index("--db") + 1] for step in whist} == {"/srv/whist.db"}
    stages = [rest for word, rest in STEPS if word == "FROM"]
    kept = {rest.split()[-1] for word, rest in STEPS if word == "COPY" and rest.startswith("--from=build")}
    assert stages == ["${PYTHON} AS build", "${PYTHON}"] and kept == {"/venv", "/srv/whist.db"}


def test_the_container_leaves_behind_only_what_developers_use() -> None:
    (left,) = [step[3:] for step in run_steps() if "uninstall" in step]
    extra = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    assert set(left) <= {re.split(r"[^\w-]", name)[0] for name in extra["dev"]}


def test_the_container_serves_as_a_user_without_rights_and_looks_at_its_health() -> None:
    words = [word for word, _ in STEPS]
    assert words.index("USER") < words.index("ENTRYPOINT") and ("USER", "whist") in STEPS
    (check,) = [rest for word, rest in STEPS if word == "HEALTHCHECK"]
    assert "127.0.0.1:8001/robots.txt" in check
    compile(run_steps()[-1][2], "health check", "exec")
