"""Pages as typed objects: templates read only declared fields, and JSON matches the published schema."""

import dataclasses
import json
import re
import subprocess
import sys
from collections import defaultdict
from typing import Any

import pytest
from datasette.app import Datasette
from jinja2 import Environment, meta, nodes
from reading_pages import data

from datasette_plugins.openapi import DIALECT, DOCUMENTS, keys, models, openapi, schemas
from datasette_plugins.page import DESCRIBED, Page
from datasette_plugins.routes import ADDRESSES
from datasette_plugins.site import SitePage

# The variables that every template has besides the fields of its page.
ALWAYS = {"page", "works", "page_request", "canonical", "alternate", "whist", "metadata", "m", "more_fonts"}
API = openapi("1.0", "A Library")
EXAMPLES = {
    "id": "english-1864/law-72", "code": "american-1893", "code2": "american-1894", "book": "drayson-1896",
    "topic": "revoke", "concept": "revoke", "name": "Home", "source": "english-1864", "question": "penalty",
}  # fmt: skip
WORDS = {
    "q": "He revoked and trumped", "code": "english-1864", "unit": "english-1864/law-72", "text": "english-1864/law-72",
    "a": "english-1864/law-72", "b": "american-1894/law-30", "u": "english-1864/law-72",
}  # fmt: skip


def pointers(schema: Any) -> list[str]:
    """All JSON pointers to definitions that a schema refers to."""
    return re.findall(r'"\$ref": "#([^"]+)"', json.dumps(schema))


def resolve(schema: Any, pointer: str) -> Any:
    """Resolve a JSON pointer in a schema."""
    for key in filter(None, pointer.split("/")):
        schema = schema[key]
    return schema


def filled(path: str) -> str:
    return re.sub(r"\{(\w+)\}", lambda m: EXAMPLES[m[1]], path)


@pytest.mark.parametrize("path", API["paths"])
async def test_every_documented_address_responds_as_documented(shared: Datasette, path: str) -> None:
    get = API["paths"][path]["get"]
    parameters = [p["name"] for p in get["parameters"]]
    assert len(set(parameters)) == len(parameters) and {*re.findall(r"\{(\w+)\}", path)} <= {*parameters}
    query = (
        {}
        if path == "/cite.json"
        else {name: WORDS[name] for name in WORDS.keys() & {*parameters} - {*re.findall(r"\{(\w+)\}", path)}}
    )
    response = await shared.client.get(filled(path), params=query)
    assert response.status_code == 200, response.text
    assert [*get["responses"]["200"]["content"]] == [response.headers["content-type"].partition(";")[0]]


def test_every_page_of_the_site_is_documented() -> None:
    """Each route with a JSON twin matches a documented address."""
    twins = {
        pattern
        for pattern, view in ADDRESSES
        if "json>" in pattern and view.__name__ not in ("nowhere", "work", "of_year", "dispute")
    }
    paths = [filled(path) for path in API["paths"]]
    assert [pattern for pattern in twins if not any(re.match(pattern, path) for path in paths)] == []
    assert all(any(re.match(pattern, path) for pattern, _ in ADDRESSES) for path in paths)


def test_references_resolve_and_operation_ids_are_unique() -> None:
    assert all(resolve(API, pointer) for pointer in pointers(API))
    assert len({get["get"]["operationId"] for get in API["paths"].values()}) == len(API["paths"]) >= len(DOCUMENTS)


@pytest.mark.parametrize("name", models())
async def test_every_schema_is_self_contained(shared: Datasette, name: str) -> None:
    served = await data(shared, f"/schemas/{name}.json")
    assert served == json.loads(json.dumps(schemas()[name])) and served["$schema"] == DIALECT
    assert all(resolve(served, pointer) for pointer in pointers(served))
    assert all(described.get("description") for described in served["properties"].values())


@pytest.mark.parametrize("page", [page for page, _ in DESCRIBED.values()], ids=lambda page: page.__name__)
def test_documented_keys_match_the_schemas(page: type[Page]) -> None:
    assert {"url", "title", *dict(keys(page))} == set(schemas()[page.__name__]["properties"])


def test_pages_are_complete_as_soon_as_they_are_imported() -> None:
    """A page that refers to a class below it would be described in full only once it has been made."""
    program = "import datasette_plugins.routes as r; from datasette_plugins.openapi import models\n"
    program += "print([name for name, model in models().items() if not model.__pydantic_complete__])"
    assert subprocess.check_output([sys.executable, "-c", program], text=True) == "[]\n"


def subclasses(kind: type[Any]) -> list[type[Any]]:
    return [each for below in kind.__subclasses__() for each in (below, *subclasses(below))]


def declared() -> dict[str, set[str]]:
    """The names of the fields that the pages of each template have, by template."""
    found: dict[str, set[str]] = defaultdict(set)
    for page in subclasses(Page):
        found[page.template] |= page.model_fields.keys()
    for page in subclasses(SitePage):
        found[page.template] |= {field.name for field in dataclasses.fields(page)}
    return {template: names for template, names in found.items() if template}


def variables_of(environment: Environment, template: str) -> set[str]:
    """The variables that a template and its includes read, except those that they set themselves."""
    source, *_ = environment.loader.get_source(environment, template)  # type: ignore[union-attr]
    tree = environment.parse(source)
    defined = {macro.name for macro in tree.find_all(nodes.Macro)}
    defined |= {name.name for name in tree.find_all(nodes.Name) if name.ctx == "store"}
    defined |= {imported.target for imported in tree.find_all(nodes.Import)}
    included = {
        name for part in tree.find_all(nodes.Include) for name in variables_of(environment, part.template.value)
    }
    return (meta.find_undeclared_variables(tree) - defined) | included


@pytest.mark.parametrize("template", sorted(declared()))
def test_template_reads_only_what_its_pages_declare(shared: Datasette, template: str) -> None:
    environment = shared.jinja_env
    read = variables_of(environment, f"whist/{template}.html") - ALWAYS - environment.globals.keys()
    assert read <= declared()[template]
