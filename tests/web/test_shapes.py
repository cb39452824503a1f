"""The JSON as it is described: each answer has the shape of its model, and what programs read is made of the models."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from datasette.app import Datasette
from datasette_plugins.shapes.openapi import DIALECT, DOCUMENTS, SCHEMAS, keys, openapi, schemas
from datasette_plugins.shapes.pages import TWINS
from pydantic import ValidationError

from datasette_plugins.routes import ADDRESSES, is_own

DESCRIBED = openapi("1.0", "A Library")
EXAMPLES = {
    "id": "english-1864/law-72", "code": "american-1893", "code2": "american-1894", "book": "drayson-1896",
    "topic": "revoke", "concept": "revoke", "name": "Unit", "source": "english-1864",
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


@pytest.mark.parametrize("path", DESCRIBED["paths"])
async def test_every_address_described_answers_as_described(ds: Datasette, path: str) -> None:
    get = DESCRIBED["paths"][path]["get"]
    given = {p["name"]: WORDS[p["name"]] for p in get["parameters"] if p["in"] == "query" and p["name"] in WORDS}
    if path in ("/cite.json", "/search.json"):
        given = {}
    answer = await ds.client.get(filled(path), params=given)
    assert answer.status_code == 200, answer.text
    (media,) = get["responses"]["200"]["content"]
    assert answer.headers["content-type"].partition(";")[0] == media


@pytest.mark.parametrize("path", [p for p in DESCRIBED["paths"] if "{" in p])
async def test_what_is_not_there_is_told_as_described(ds: Datasette, path: str) -> None:
    answer = await ds.client.get(re.sub(r"\{\w+\}", "english-1864/law-999" if "{id}" in path else "nothing-0", path))
    assert answer.status_code == 404
    if answer.headers["content-type"].startswith("application/json"):
        SCHEMAS["Failure"].model_validate_json(answer.text)


async def test_a_slash_of_an_id_may_be_encoded(ds: Datasette) -> None:
    answer = await ds.client.get("/english-1864%2Flaw-72.json")
    assert answer.status_code == 200 and answer.json()["unit"]["id"] == "english-1864/law-72"


def test_every_page_of_the_site_is_described() -> None:
    """Each route with a twin has a described address that leads to it."""
    twins = {
        pattern
        for pattern, view in ADDRESSES
        if "json>" in pattern and view.__name__ not in ("nowhere", "work", "of_year")
    }
    paths = [filled(path) for path in DESCRIBED["paths"]]
    assert [pattern for pattern in twins if not any(re.match(pattern, path) for path in paths)] == []
    assert all(is_own(path) for path in paths)


def test_the_description_is_whole() -> None:
    assert DESCRIBED["openapi"] == "3.1.0" and DESCRIBED["info"]["version"] == "1.0"
    for pointer in pointers(DESCRIBED):
        assert found(DESCRIBED, pointer)
    names = [get["get"]["operationId"] for get in DESCRIBED["paths"].values()]
    assert len(set(names)) == len(names) >= len(DOCUMENTS)
    for path, operations in DESCRIBED["paths"].items():
        told = [(p["name"], p["in"]) for p in operations["get"]["parameters"]]
        assert len(set(told)) == len(told) and {n for n, where in told if where == "path"} == set(
            re.findall(r"\{(\w+)\}", path)
        )


@pytest.mark.parametrize("name", SCHEMAS)
async def test_every_schema_stands_for_itself(ds: Datasette, name: str) -> None:
    served = (await ds.client.get(f"/schemas/{name}.json")).json()
    assert served == json.loads(json.dumps(schemas()[name])) and served["$schema"] == DIALECT
    for pointer in pointers(served):
        assert found(served, pointer)
    for key, told in served["properties"].items():
        assert told.get("description"), key


def test_the_keys_that_the_page_about_the_edition_tells_are_those_of_the_models() -> None:
    for twin in TWINS.values():
        own = [key for key, _ in keys(twin.model)]
        assert {"url", "title", *own} == set(schemas()[twin.model.__name__]["properties"])
    notes = dict(keys(TWINS["/ID.json"].model))
    assert notes["concepts"] == "concepts it speaks of (id, label)"
    assert notes["cites"].endswith("(from_unit, raw_start, raw_end, raw, target_id, status, confidence)")


async def test_a_key_too_many_or_too_few_is_found_out(ds: Datasette) -> None:
    data = (await ds.client.get("/concepts.json")).json()
    model = TWINS["/concepts.json"].model
    model.model_validate_json(json.dumps(data))
    for wrong in (data | {"more": 1}, {k: v for k, v in data.items() if k != "concepts"}, data | {"title": 1}):
        with pytest.raises(ValidationError):
            model.model_validate_json(json.dumps(wrong))
