"""Machine-readable descriptions of the site's JSON: JSON Schema 2020-12 for pages, and OpenAPI 3.1 for all URLs."""

from __future__ import annotations

import dataclasses
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from typing import Any, get_args

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter
from pydantic.json_schema import GenerateJsonSchema, models_json_schema

from datasette_plugins.page import DESCRIBED, JsonAs, Page

DIALECT = GenerateJsonSchema.schema_dialect
# The URLs whose responses are neither HTML nor the JSON of a page: path, media type, and contents.
DOCUMENTS: dict[str, tuple[str, str]] = {
    "/ID.tei.xml": ("application/tei+xml", "the unit as a TEI P5 document, with its edits"),
    "/ID.bib": ("application/x-bibtex", "the citation of a unit"),
    "/ID.ris": ("application/x-research-info-systems", "the citation of a unit"),
    "/ID.csl.json": ("application/vnd.citationstyles.csl+json", "the citation of a unit"),
    "/cite.json?q=CITATION": ("application/json", "what a citation may mean; if one unit, a redirect to it"),
    "/code/CODE.bib": ("application/x-bibtex", "the citation of a code; `.ris` and `.csl.json`, too"),
    "/book/BOOK.bib": ("application/x-bibtex", "the citation of a book; `.ris` and `.csl.json`, too"),
    "/search.json?q=WORDS": ("application/json", "the questions that a text asks, with their answers, and passages"),
    "/compare/TOPIC.json?code=CODE": ("application/json", "the questions of a topic, with all codes’ answers or one’s"),
    "/compare/TOPIC.csv?code=CODE": ("text/csv", "the answers on a topic, one line for each question and code"),
    "/compare/TOPIC/QUESTION.json?code=CODE": ("application/json", "a question, with all codes’ answers or one’s"),
    "/compare/TOPIC/QUESTION.csv?code=CODE": ("text/csv", "the answers to a question, one line for each code"),
    "/ruling/TOPIC/QUESTION.json?code=CODE&q=WORDS": (
        "application/json",
        "what one code answers to a question, with the facts as they were told",
    ),
    "/compare.json": ("application/json", "what can be compared"),
    "/collate.json?u=ID&u=ID": ("application/json", "provisions word by word"),
    **{
        f"{path}.{form}{query}": ("application/json" if form == "json" else "text/csv", note)
        for form in ("json", "csv")
        for path, query, note in (
            ("/compare/CODE/CODE", "", "two codes, law by law"),
            ("/concordance", "?by=CODE&against=CODE", "the concordance, one line for each pair of provisions"),
            ("/shared", "", "how much of each code is in each earlier one"),
            ("/shared/CODE", "", "what is new in a code, and what it shares with earlier ones"),
            ("/cases", "?code=CODE&law=CITATION&otherwise=CODE", "the cases, with their results under each code"),
            ("/concepts", "", "the thesaurus"),
            ("/concept/CONCEPT", "", "the passages that speak of a concept or of a narrower one"),
        )
    },
    "/openapi.json": ("application/json", "this description"),
    "/schemas/whist-tei.rng": ("application/xml", "the schema of the TEI documents, in RELAX NG"),
    "/schemas/NAME.json": (
        "application/schema+json",
        "the JSON Schema of a page, by its name in the OpenAPI description",
    ),
}
PARAMETERS = {
    "ID": "id of a unit, as in the address of its page; a slash may be written as %2F",
    "CODE": "id of a code, or its year in the query", "SOURCE": "id of an earlier code", "BOOK": "id of a book",
    "TOPIC": "id of a topic", "QUESTION": "id of a question within its topic",
    "CONCEPT": "id of a concept", "NAME": "name of a schema", "WORDS": "a question, what happened, or words",
    "CITATION": "a citation as people write it, or an id", "TEXT": "a text that contains citations",
}  # fmt: skip
_WORD = re.compile(r"[A-Z]{2,}")
_KEY = re.compile(r"\{[^}]*\}")


class Failure(BaseModel):
    """The response if there is no such page: one sentence, and for a provision those with the most similar ids."""

    model_config = ConfigDict(extra="allow")

    error: str = Field(description="what is wrong, in one sentence")


def models() -> dict[str, type[BaseModel]]:
    """The models that have a schema under `/schemas/`, by name; pages register themselves when they are imported."""
    return {page.__name__: page for page, _ in DESCRIBED.values()} | {"Failure": Failure}


def keys(page: type[Page]) -> Iterator[tuple[str, str]]:
    """The keys of a page's JSON, except those of every page, each with its note and the keys of the objects in it."""
    for name, field in page.model_fields.items():
        if not field.exclude and name not in Page.model_fields:
            shape = next((given.shape for given in field.metadata if isinstance(given, JsonAs)), field.annotation)
            yield field.serialization_alias or name, _note(field.description or "", shape)
    for name, computed in page.model_computed_fields.items():
        yield name, computed.description or ""


def _note(words: str, kind: Any) -> str:
    inner = _inner(kind)
    return f"{words} ({', '.join(inner)})" if inner else words


def _inner(kind: Any) -> list[str]:
    """The keys of the object, or of the objects in a collection, that a field holds."""
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        return [f.alias or name for name, f in kind.model_fields.items()]
    if isinstance(kind, type) and dataclasses.is_dataclass(kind):
        return [f.name for f in dataclasses.fields(kind)]
    return next((found for arg in get_args(kind) if (found := _inner(arg))), [])


@cache
def schemas() -> dict[str, dict[str, Any]]:
    """The JSON Schema of each page by name; each is self-contained, with the definitions it needs."""
    found = {name: TypeAdapter(m).json_schema(mode="serialization") for name, m in models().items()}
    return {name: {"$schema": DIALECT, **schema} for name, schema in found.items()}


@cache
def openapi(release: str, title: str, rights: str = "", license_url: str = "") -> dict[str, Any]:
    """Describe all URLs that return data.

    Args:
        release: the release of the software.
        title: the name of the library.
        rights: the statement of the rights in its data.
        license_url: the URL of the licence of its data, if it has one.
    Returns:
        An OpenAPI 3.1 document; its server is the URL from which it was fetched.
    """
    _, defined = models_json_schema(
        [(m, "serialization") for m in models().values()], ref_template="#/components/schemas/{model}"
    )
    paths: dict[str, dict[str, Any]] = {}
    answers: dict[str, list[dict[str, str]]] = defaultdict(list)
    for address, (page, optional) in DESCRIBED.items():
        path = _path(address)
        get = paths.setdefault(path, _operation(address, page.__doc__ or ""))
        answers[path].append({"$ref": f"#/components/schemas/{page.__name__}"})
        shapes = answers[path]
        content = {"application/json": {"schema": shapes[0] if len(shapes) == 1 else {"oneOf": shapes}}}
        get["get"]["responses"]["200"] = {"description": page.__doc__, "content": content}
        known = {p["name"] for p in get["get"]["parameters"]}
        expected = {**_query_parameters(address), **optional}
        get["get"]["parameters"] += [_parameter(n, note, address) for n, note in expected.items() if n not in known]
    for address, (media, note) in DOCUMENTS.items():
        get = paths.setdefault(_path(address), _operation(address, note))
        get["get"]["parameters"] += [_parameter(n, text, address) for n, text in _query_parameters(address).items()]
        get["get"]["responses"]["200"] = {"description": note, "content": {media: {}}}
    return {
        "openapi": "3.1.0",
        "jsonSchemaDialect": DIALECT,
        "info": {
            "title": title,
            "version": release,
            "description": "The JSON version of every page. Read-only; scripts of any site may read it (CORS).",
            **({"license": {"name": rights, "url": license_url}} if license_url else {}),
        },
        "servers": [{"url": "."}],
        "paths": paths,
        "components": {"schemas": defined["$defs"]},
    }


def _path(address: str) -> str:
    """Convert a documented address to a path of OpenAPI: `/code/CODE.json?q=WORDS` gives `/code/{code}.json`."""
    seen: dict[str, int] = defaultdict(int)

    def named(match: re.Match[str]) -> str:
        word = match[0].lower()
        seen[word] += 1
        return f"{{{word}{seen[word] if seen[word] > 1 else ''}}}"

    return _WORD.sub(named, address.partition("?")[0])


def _query_parameters(address: str) -> dict[str, str]:
    """The descriptions of the parameters in the query string of a documented address, by name."""
    pairs = (part.partition("=") for part in address.partition("?")[2].split("&") if part)
    return {name: PARAMETERS[word] for name, _, word in pairs}


def _operation(address: str, summary: str) -> dict[str, Any]:
    path = _path(address)
    given = [
        {"name": key[1:-1], "in": "path", "required": True, "schema": {"type": "string"},
         "description": PARAMETERS[key[1:-1].rstrip("2").upper()]}
        for key in _KEY.findall(path)
    ]  # fmt: skip
    failure = {"application/json": {"schema": {"$ref": "#/components/schemas/Failure"}}}
    return {
        "get": {
            "operationId": "_".join(re.findall(r"\w+", path)),
            "summary": summary.rstrip("."),
            "parameters": given,
            "responses": {"404": {"description": "there is no such page", "content": failure}},
        }
    }


def _parameter(name: str, note: str, address: str) -> dict[str, Any]:
    one = {"type": "string"}
    kind = {"type": "array", "items": one} if address.count(f"{name}=") > 1 else one
    return {"name": name, "in": "query", "description": note, "schema": kind}
