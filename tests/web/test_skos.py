"""The thesaurus as SKOS: nothing is lost, the conditions of the SKOS Reference hold, and books supply definitions."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from datasette.app import Datasette
from rdflib import RDF, Graph, Literal, URIRef
from rdflib.compare import isomorphic
from rdflib.namespace import DCTERMS, SKOS
from terminal import refusal, whist

from kb.concepts.skos import FORMATS, serialise, skos
from kb.concepts.tagging import read_thesaurus

BASE = "https://example.org/whist"
CONCEPTS = read_thesaurus(Path(__file__).parents[2] / "corpus" / "thesaurus.toml")
LABELS = (SKOS.prefLabel, SKOS.altLabel, SKOS.hiddenLabel)
# The integrity conditions of the SKOS Reference (W3C Recommendation, 18 August 2009), and what violates each.
BREAKS = {
    "S9: a concept is no concept scheme": "?x a skos:Concept, skos:ConceptScheme",
    "S13: no label is preferred and alternative": "?x skos:prefLabel ?y ; skos:altLabel ?y",
    "S13: no label is preferred and hidden": "?x skos:prefLabel ?y ; skos:hiddenLabel ?y",
    "S13: no label is alternative and hidden": "?x skos:altLabel ?y ; skos:hiddenLabel ?y",
    "S14: one preferred label a language": "?x skos:prefLabel ?y, ?z filter(?y != ?z && lang(?y) = lang(?z))",
    "S27: what is related is not broader": "?x skos:related ?y . ?x (skos:broader|^skos:narrower)+ ?y",
    "S37: a concept is no collection": "?x a skos:Concept, skos:Collection",
    "S46: an exact match is no broad one": "?x skos:exactMatch ?y . ?x skos:broadMatch|^skos:narrowMatch ?y",
    "S46: an exact match is no related one": "?x skos:exactMatch ?y . ?x skos:relatedMatch|^skos:relatedMatch ?y",
    # These are not conditions of the Reference, but the Primer (2.2.1, 2.3.1, 3) asks them of a thesaurus.
    "no concept is broader than itself": "?x skos:broader+ ?x",
    "no two concepts are preferred alike": "?x skos:prefLabel ?y . ?z skos:prefLabel ?y filter(?x != ?z)",
    "a concept has a label": "?x a skos:Concept filter not exists { ?x skos:prefLabel ?y }",
    "a concept is at the top or below another":
        "?x a skos:Concept filter not exists { ?x skos:broader|skos:topConceptOf ?y }",
    "a top concept is below none": "?x skos:topConceptOf ?y ; skos:broader ?z",
    "broader and narrower go together": "?x skos:broader ?y filter not exists { ?y skos:narrower ?x }",
}  # fmt: skip


@pytest.fixture(scope="module")
def graph(library: Path) -> Graph:
    """The thesaurus of the shipped library, written as Turtle and read back."""
    with closing(sqlite3.connect(library)) as conn:
        return Graph().parse(data=serialise(skos(conn, BASE), "ttl"), format="turtle")


@pytest.mark.parametrize("form", FORMATS)
def test_written_graph_reads_back_unchanged(conn: sqlite3.Connection, form: str) -> None:
    graph = skos(conn, BASE)
    read = Graph().parse(data=serialise(graph, form), format={"ttl": "turtle", "jsonld": "json-ld"}[form])
    assert len(graph) > 20 and isomorphic(read, graph)


def test_every_concept_has_its_labels_and_note(graph: Graph) -> None:
    assert set(graph.subjects(RDF.type, SKOS.Concept)) == {URIRef(f"{BASE}/concept/{c.id}") for c in CONCEPTS}
    for concept in CONCEPTS:
        subject = URIRef(f"{BASE}/concept/{concept.id}")
        assert {str(o) for p in LABELS for o in graph.objects(subject, p)} == {label for label, _ in concept.labels}
        assert graph.value(subject, SKOS.prefLabel) == Literal(concept.label, lang="en")
        assert graph.value(subject, SKOS.scopeNote) == Literal(concept.note, lang="en")


def test_concept_hierarchy_matches_the_thesaurus(graph: Graph) -> None:
    top = {URIRef(f"{BASE}/concept/{c.id}") for c in CONCEPTS if c.broader is None}
    assert set(graph.objects(URIRef(f"{BASE}/concepts"), SKOS.hasTopConcept)) == top
    below = {(f"{BASE}/concept/{c.id}", f"{BASE}/concept/{c.broader}") for c in CONCEPTS if c.broader}
    assert {(str(a), str(b)) for a, b in graph.subject_objects(SKOS.broader)} == below


@pytest.mark.parametrize("condition", BREAKS)
def test_conditions_of_the_skos_reference_hold(graph: Graph, condition: str) -> None:
    assert not graph.query(f"ask {{ {BREAKS[condition]} }}", initNs={"skos": SKOS}).askAnswer


def test_inflected_form_is_hidden_and_historical_term_is_not(graph: Graph) -> None:
    revoke, dummy = (URIRef(f"{BASE}/concept/{i}") for i in ("revoke", "dummy"))
    assert Literal("revoking", lang="en") in set(graph.objects(revoke, SKOS.hiddenLabel))
    assert Literal("dumby", lang="en") in set(graph.objects(dummy, SKOS.altLabel))


def definitions(graph: Graph) -> list[tuple[str, URIRef | None, str, str]]:
    """Each definition or note taken from a book: its concept, property, source and text."""
    return [
        (
            str(concept).removeprefix(f"{BASE}/concept/"),
            kind,
            str(graph.value(node, DCTERMS.source)),
            str(graph.value(node, RDF.value)),
        )
        for kind in (SKOS.definition, SKOS.note)
        for concept, node in graph.subject_objects(kind)
    ]


def test_book_defines_the_preferred_label_and_notes_other_labels(
    conn: sqlite3.Connection,
) -> None:
    source, words = f"{BASE}/arnaud-1829/def-revoke", "Revoke.—Not following suit when able to do so."
    assert definitions(skos(conn, BASE)) == [("revoke", SKOS.definition, source, words)]
    with closing(sqlite3.connect(":memory:")) as other:
        conn.backup(other)
        other.execute("update concept set label = 'failing in suit' where id = 'revoke'")
        assert definitions(skos(other, BASE)) == [("revoke", SKOS.note, source, words)]


@pytest.mark.parametrize(("form", "kind"), [("ttl", "text/turtle; charset=utf-8"), ("jsonld", "application/ld+json")])
async def test_site_serves_the_thesaurus(shared: Datasette, form: str, kind: str) -> None:
    answer = await shared.client.get(f"/concepts.{form}")
    assert answer.headers["content-type"] == kind and "http://localhost/concept/revoke" in answer.text


def test_thesaurus_is_exported_under_the_given_address(database: Path, tmp_path: Path) -> None:
    result = whist("export", "--skos", tmp_path / "out", "--base", f"{BASE}/", "--db", database)
    assert result.exit_code == 0 and "2 files" in result.output
    for file in ("concepts.ttl", "concepts.jsonld"):
        assert (URIRef(f"{BASE}/concept/revoke"), RDF.type, SKOS.Concept) in Graph().parse(tmp_path / "out" / file)


@pytest.mark.parametrize("base", ["nowhere", "http://x/<y>", ""])
def test_rejects_an_invalid_base_address(database: Path, tmp_path: Path, base: str) -> None:
    assert "is not a web address" in refusal("export", "--skos", tmp_path / "out", "--base", base, "--db", database)
    assert not (tmp_path / "out").exists()
