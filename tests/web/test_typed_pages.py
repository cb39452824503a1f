"""Pages as typed objects: their templates read what they declare, their JSON is as the published schema says."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from datasette.app import Datasette
from jinja2 import Environment, meta, nodes
from jsonschema import Draft202012Validator
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


def found(described: Any, pointer: str) -> Any:
    """What a JSON pointer leads to."""
    for key in filter(None, pointer.split("/")):
        described = described[key]
    return described


def filled(path: str) -> str:
    return re.sub(r"\{(\w+)\}", lambda m: EXAMPLES[m[1]], path)


@pytest.mark.parametrize("path", API["paths"])
async def test_every_address_described_answers_as_described(ds: Datasette, path: str) -> None:
    get = API["paths"][path]["get"]
    asked = {p["name"] for p in get["parameters"] if p["in"] == "query"}
    given = {} if path in ("/cite.json", "/search.json") else {name: WORDS[name] for name in asked & WORDS.keys()}
    answer = await ds.client.get(filled(path), params=given)
    assert answer.status_code == 200, answer.text
    assert [*get["responses"]["200"]["content"]] == [answer.headers["content-type"].partition(";")[0]]


@pytest.mark.parametrize("path", [p for p in API["paths"] if "{" in p])
async def test_what_is_not_there_is_told_as_described(ds: Datasette, path: str) -> None:
    answer = await ds.client.get(re.sub(r"\{\w+\}", "english-1864/law-999" if "{id}" in path else "nothing-0", path))
    assert answer.status_code == 404
    if answer.headers["content-type"].startswith("application/json"):
        Draft202012Validator(schemas()["Failure"]).validate(answer.json())


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
    assert API["openapi"] == "3.1.0" and API["info"]["version"] == "1.0"
    assert all(found(API, pointer) for pointer in pointers(API))
    names = [get["get"]["operationId"] for get in API["paths"].values()]
    assert len(set(names)) == len(names) >= len(DOCUMENTS)


@pytest.mark.parametrize("path", API["paths"])
def test_every_parameter_of_an_address_is_told_once(path: str) -> None:
    told = [(p["name"], p["in"]) for p in API["paths"][path]["get"]["parameters"]]
    assert len(set(told)) == len(told) and {n for n, where in told if where == "path"} == {
        *re.findall(r"\{(\w+)\}", path)
    }


@pytest.mark.parametrize("name", models())
async def test_every_schema_stands_for_itself(ds: Datasette, name: str) -> None:
    served = await data(ds, f"/schemas/{name}.json")
    assert served == json.loads(json.dumps(schemas()[name])) and served["$schema"] == DIALECT
    assert all(found(served, pointer) for pointer in pointers(served))
    assert all(told.get("description") for told in served["properties"].values())


@pytest.mark.parametrize("page", [page for page, _ in DESCRIBED.values()], ids=lambda page: page.__name__)
def test_the_keys_that_the_page_about_the_edition_tells_are_those_of_the_schemas(page: type[Page]) -> None:
    assert {"url", "title", *dict(keys(page))} == set(schemas()[page.__name__]["properties"])


def test_a_key_is_told_with_the_keys_within_it() -> None:
    notes = dict(keys(DESCRIBED["/ID.json"][0]))
    assert notes["concepts"] == "concepts it speaks of (id, label)"
    assert notes["cites"].endswith("(from_unit, raw_start, raw_end, raw, target_id, status, confidence)")


def subclasses(kind: type[Page]) -> list[type[Page]]:
    return [found for below in kind.__subclasses__() for found in (below, *subclasses(below))]


def read_by(environment: Environment, template: str) -> set[str]:
    """The variables that a template reads, with the templates it includes, but for those it sets itself."""
    source, *_ = environment.loader.get_source(environment, template)  # type: ignore[union-attr]
    tree = environment.parse(source)
    own = {macro.name for macro in tree.find_all(nodes.Macro)}
    own |= {name.name for name in tree.find_all(nodes.Name) if name.ctx == "store"}
    included = {name for part in tree.find_all(nodes.Include) for name in read_by(environment, part.template.value)}
    return (meta.find_undeclared_variables(tree) - own) | included


@pytest.mark.parametrize("page", [p for p in subclasses(Page) if p.template], ids=lambda page: page.__name__)
async def test_a_template_reads_what_its_page_declares(ds: Datasette, page: type[Page]) -> None:
    read = read_by(ds.jinja_env, f"whist/{page.template}.html") - ALWAYS - ds.jinja_env.globals.keys()
    declared = {name for p in subclasses(Page) if p.template == page.template for name in p.model_fields}
    assert read <= declared
    shown = {name for name, field in page.model_fields.items() if field.exclude} - Page.model_fields.keys()
    assert shown - {"address", "place", "page_request"} <= read, "nothing else needs a field that the JSON leaves out"
