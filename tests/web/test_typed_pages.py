"""Pages as typed objects: templates read what they declare, JSON is as the published schema says."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from datasette.app import Datasette
from jinja2 import Environment, meta, nodes
from reading_pages import data

from datasette_plugins.openapi import DIALECT, DOCUMENTS, keys, models, openapi, schemas
from datasette_plugins.page import DESCRIBED, Page
from datasette_plugins.routes import ADDRESSES, is_own

# What every template has besides the fields of its page.
ALWAYS = {"page", "works", "page_request", "canonical", "alternate", "whist", "metadata", "m", "more_fonts"}
API = openapi("1.0", "A Library")
EXAMPLES = {
    "id": "english-1864/law-72", "code": "american-1893", "code2": "american-1894", "book": "drayson-1896",
    "topic": "revoke", "concept": "revoke", "name": "Unit", "source": "english-1864", "question": "penalty",
}  # fmt: skip
WORDS = {
    "q": "He revoked and trumped", "unit": "english-1864/law-72", "text": "english-1864/law-72",
    "a": "english-1864/law-72", "b": "american-1894/law-30", "u": "english-1864/law-72",
}  # fmt: skip


def pointers(described: Any) -> list[str]:
    """All references to definitions within a description."""
    return re.findall(r'"\$ref": "#([^"]+)"', json.dumps(described))


def led_to(described: Any, pointer: str) -> Any:
    """What a JSON pointer leads to."""
    for key in filter(None, pointer.split("/")):
        described = described[key]
    return described


def filled(path: str) -> str:
    return re.sub(r"\{(\w+)\}", lambda m: EXAMPLES[m[1]], path)


@pytest.mark.parametrize("path", API["paths"])
async def test_every_address_described_answers_as_described(shared: Datasette, path: str) -> None:
    get = API["paths"][path]["get"]
    asked = [p["name"] for p in get["parameters"]]
    assert len(set(asked)) == len(asked) and {*re.findall(r"\{(\w+)\}", path)} <= {*asked}
    given = (
        {}
        if path in ("/cite.json", "/search.json")
        else {name: WORDS[name] for name in WORDS.keys() & {*asked} - {*re.findall(r"\{(\w+)\}", path)}}
    )
    answer = await shared.client.get(filled(path), params=given)
    assert answer.status_code == 200, answer.text
    assert [*get["responses"]["200"]["content"]] == [answer.headers["content-type"].partition(";")[0]]


def test_every_page_of_the_site_is_described() -> None:
    """Each route with a twin has a described address that leads to it."""
    twins = {
        pattern
        for pattern, view in ADDRESSES
        if "json>" in pattern and view.__name__ not in ("nowhere", "work", "of_year", "of_pair")
    }
    paths = [filled(path) for path in API["paths"]]
    assert [pattern for pattern in twins if not any(re.match(pattern, path) for path in paths)] == []
    assert all(is_own(path) for path in paths)


def test_the_description_is_whole() -> None:
    assert all(led_to(API, pointer) for pointer in pointers(API))
    assert len({get["get"]["operationId"] for get in API["paths"].values()}) == len(API["paths"]) >= len(DOCUMENTS)


@pytest.mark.parametrize("name", models())
async def test_every_schema_stands_for_itself(shared: Datasette, name: str) -> None:
    served = await data(shared, f"/schemas/{name}.json")
    assert served == json.loads(json.dumps(schemas()[name])) and served["$schema"] == DIALECT
    assert all(led_to(served, pointer) for pointer in pointers(served))
    assert all(told.get("description") for told in served["properties"].values())


@pytest.mark.parametrize("page", [page for page, _ in DESCRIBED.values()], ids=lambda page: page.__name__)
def test_the_keys_that_the_page_about_the_edition_tells_are_those_of_the_schemas(page: type[Page]) -> None:
    assert {"url", "title", *dict(keys(page))} == set(schemas()[page.__name__]["properties"])


def subclasses(kind: type[Page]) -> list[type[Page]]:
    return [each for below in kind.__subclasses__() for each in (below, *subclasses(below))]


def read_by(environment: Environment, template: str) -> set[str]:
    """The variables that a template reads, with the templates it includes, but for those it sets itself."""
    source, *_ = environment.loader.get_source(environment, template)  # type: ignore[union-attr]
    tree = environment.parse(source)
    own = {macro.name for macro in tree.find_all(nodes.Macro)}
    own |= {name.name for name in tree.find_all(nodes.Name) if name.ctx == "store"}
    included = {name for part in tree.find_all(nodes.Include) for name in read_by(environment, part.template.value)}
    return (meta.find_undeclared_variables(tree) - own) | included


@pytest.mark.parametrize("template", sorted({page.template for page in subclasses(Page) if page.template}))
def test_a_template_reads_what_its_pages_declare(shared: Datasette, template: str) -> None:
    environment = shared.jinja_env
    declared = {name for page in subclasses(Page) if page.template == template for name in page.model_fields}
    assert read_by(environment, f"whist/{template}.html") - ALWAYS - environment.globals.keys() <= declared
