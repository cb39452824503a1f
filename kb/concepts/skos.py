"""The thesaurus as linked data: a SKOS concept scheme (W3C Recommendation, 2009), written by rdflib.

What each of its terms becomes, after the SKOS Primer (W3C Note, 2009):

- The preferred label is `skos:prefLabel`. Variants are `skos:altLabel`, and so are historical terms: section 2.2.2 has
  synonyms that are to be shown, and whoever reads 1829 meets `adverse party` on the page. `skos:hiddenLabel` (2.2.3)
  is for what only an index needs: another form of the same words (`revoking` beside `Revoke`).
- The editor's note is `skos:scopeNote` (2.4): it says what the concept takes in where the books are indexed by it.
- A definition that one of the books prints is a resource with its text and its place (4.2, documentation as a related
  resource description): `skos:definition` where its headword is the preferred label. The definition of another label is
  a `skos:note`: it defines that term, which may mean less or more than the concept (court cards, of honours).
"""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rdflib import BNode, Graph, Literal, URIRef
from rdflib.namespace import DCTERMS, RDF, SKOS

from extract.language.folding import words_of
from extract.language.stemming import stem
from kb.read.domain import domain
from kb.read.rows import UNIT, UnitRow, fetch

FORMATS = ("ttl", "jsonld")
"""The forms in which it is written, by their file endings: Turtle and JSON-LD."""

CONCEPTS = "select id, label, note, broader from concept order by id"
LABELS = "select concept_id, label, role from concept_label order by rowid"
DEFINITIONS = f"select {UNIT} from unit u where u.kind = 'definition' and u.continues is null order by u.book_id, u.seq"

_ENGLISH = "en"
_Words = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Concept:
    id: str
    label: str
    note: str
    broader: str | None


def skos(conn: sqlite3.Connection, base: str) -> Graph:
    """The thesaurus of a knowledge base as a graph.

    Args:
        conn: the knowledge base.
        base: the address at which the library is served, without a slash at its end: the scheme is `/concepts` there,
            a concept `/concept/ID`, and a definition's source is its permalink.
    """
    about = domain(conn)
    note = f"The thesaurus by which {about.holdings} are found, whatever words they use."
    graph = Graph(bind_namespaces="none")
    graph.bind("rdf", RDF)
    graph.bind("skos", SKOS)
    graph.bind("dct", DCTERMS)
    scheme = URIRef(f"{base}/concepts")
    graph.add((scheme, RDF.type, SKOS.ConceptScheme))
    graph.add((scheme, DCTERMS.title, Literal(about.concepts, lang=_ENGLISH)))
    graph.add(
        (
            scheme,
            DCTERMS.description,
            Literal(note, lang=_ENGLISH),
        )
    )
    labels: dict[str, list[str]] = defaultdict(list)
    for concept_id, label in fetch(conn, lambda *r: (r[0], r[1]), LABELS):
        labels[concept_id].append(label)
    concepts = fetch(conn, _Concept, CONCEPTS)
    definitions = [(_words(unit.label), unit) for unit in fetch(conn, UnitRow, DEFINITIONS)]
    for concept in concepts:
        subject = _uri(base, concept.id)
        graph.add((subject, RDF.type, SKOS.Concept))
        graph.add((subject, SKOS.inScheme, scheme))
        graph.add((subject, DCTERMS.identifier, Literal(concept.id)))
        graph.add((subject, SKOS.prefLabel, Literal(concept.label, lang=_ENGLISH)))
        if concept.note:
            graph.add((subject, SKOS.scopeNote, Literal(concept.note, lang=_ENGLISH)))
        _place(graph, subject, concept, base, scheme)
        others = [label for label in labels[concept.id] if label.casefold() != concept.label.casefold()]
        for label, hidden in _hidden(concept.label, others):
            graph.add((subject, SKOS.hiddenLabel if hidden else SKOS.altLabel, Literal(label, lang=_ENGLISH)))
        _define(graph, subject, concept, others, definitions, base)
    return graph


def written(graph: Graph, form: str) -> str:
    """A graph as text in one of the `FORMATS`; the same graph gives the same text."""
    if form == "ttl":
        return graph.serialize(format="turtle")
    # rdflib takes the nodes of JSON-LD from a set, in an order that changes from run to run.
    told = json.loads(graph.serialize(format="json-ld", auto_compact=True))
    # A scheme without concepts is a single node, and no graph.
    told.get("@graph", []).sort(key=lambda node: node["@id"])
    return json.dumps(told, ensure_ascii=False, indent=1) + "\n"


def _uri(base: str, concept_id: str) -> URIRef:
    return URIRef(f"{base}/concept/{concept_id}")


def _place(graph: Graph, subject: URIRef, concept: _Concept, base: str, scheme: URIRef) -> None:
    """A concept below its broader one, or at the top; both ways, for readers that infer nothing."""
    if concept.broader:
        above = _uri(base, concept.broader)
        graph.add((subject, SKOS.broader, above))
        graph.add((above, SKOS.narrower, subject))
    else:
        graph.add((subject, SKOS.topConceptOf, scheme))
        graph.add((scheme, SKOS.hasTopConcept, subject))


def _hidden(preferred: str, others: Sequence[str]) -> Iterable[tuple[str, bool]]:
    """Each label, and whether it is only another form of the words of one before it."""
    seen = {_words(preferred)}
    for label in others:
        yield label, _words(label) in seen
        seen.add(_words(label))


def _define(
    graph: Graph,
    subject: URIRef,
    concept: _Concept,
    others: Sequence[str],
    definitions: Sequence[tuple[_Words, UnitRow]],
    base: str,
) -> None:
    """What the books themselves say that the concept, or one of its terms, is."""
    preferred, terms = _words(concept.label), {_words(label) for label in others}
    for headword, unit in definitions:
        if headword == preferred:
            relation = SKOS.definition
        elif headword in terms:
            relation = SKOS.note
        else:
            continue
        said = BNode(f"{concept.id}-{unit.id.replace('/', '-')}")
        graph.add((subject, relation, said))
        graph.add((said, RDF.value, Literal(" ".join(unit.text.split()), lang=_ENGLISH)))
        graph.add((said, DCTERMS.source, URIRef(f"{base}/{unit.id}")))


def _words(label: str) -> _Words:
    """A label without what makes mere forms: endings, capitals, hyphens (the tagger matches labels likewise)."""
    return tuple(stem(word) for word in words_of(label.replace("-", " ")))
