"""The thesaurus as linked data: a SKOS concept scheme (W3C Recommendation, 2009), serialised by rdflib.

Its terms are mapped as in the SKOS Primer (W3C Note, 2009):

- The preferred label is `skos:prefLabel`. Variants are `skos:altLabel`, and so are historical terms: section 2.2.2
  covers synonyms that are displayed, and a reader of the book of 1829 finds `adverse party` on the page.
  `skos:hiddenLabel` (2.2.3) is for terms that only an index needs: another form of the same words (`revoking` beside
  `Revoke`).
- The editor's note is `skos:scopeNote` (2.4): it says what the concept includes where the books are indexed by it.
- A definition printed in one of the books is a resource with its text and its source (4.2, documentation as a related
  resource description): `skos:definition` if its headword is the preferred label. The definition of another label is
  a `skos:note`: it defines that term, which may mean less or more than the concept (court cards, of honours).
"""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from rdflib import BNode, Graph, Literal, URIRef
from rdflib.namespace import DCTERMS, RDF, SKOS
from rdflib.term import Node

from extract.language.folding import words_of
from extract.language.stemming import stem
from kb.read.domain import domain
from kb.read.rows import UNIT, UnitRow, fetch

FORMATS = ("ttl", "jsonld")
"""The serialisations, by file extension: Turtle and JSON-LD."""

CONCEPTS = "select id, label, note, broader from concept order by id"
LABELS = "select concept_id, label, role from concept_label order by rowid"
DEFINITIONS = f"select {UNIT} from unit u where u.kind = 'definition' and u.continues is null order by u.book_id, u.seq"

_NAMESPACES = {"rdf": RDF, "skos": SKOS, "dct": DCTERMS}
_english = partial(Literal, lang="en")
_Words = tuple[str, ...]
_Triple = tuple[Node, Node, Node]


@dataclass(frozen=True, slots=True)
class _Concept:
    id: str
    label: str
    note: str
    broader: str | None


def skos(conn: sqlite3.Connection, base: str) -> Graph:
    """Return the thesaurus of a knowledge base as a graph.

    Args:
        conn: the knowledge base.
        base: the URL at which the library is served, without a trailing slash: the scheme is at `/concepts` below it,
            a concept at `/concept/ID`, and a definition's source is its permalink.
    """
    about = domain(conn)
    note = f"The thesaurus by which {about.holdings} are found, whatever words they use."
    graph = Graph(bind_namespaces="none")
    for prefix, namespace in _NAMESPACES.items():
        graph.bind(prefix, namespace)
    scheme = URIRef(f"{base}/concepts")
    graph.add((scheme, RDF.type, SKOS.ConceptScheme))
    graph.add((scheme, DCTERMS.title, _english(about.concepts)))
    graph.add((scheme, DCTERMS.description, _english(note)))
    labels: dict[str, list[str]] = defaultdict(list)
    for concept_id, label in fetch(conn, lambda *r: (r[0], r[1]), LABELS):
        labels[concept_id].append(label)
    definitions = [(_words(unit.label), unit) for unit in fetch(conn, UnitRow, DEFINITIONS)]
    for concept in fetch(conn, _Concept, CONCEPTS):
        for triple in _triples(concept, labels, definitions, base):
            graph.add(triple)
    return graph


def serialise(graph: Graph, form: str) -> str:
    """Serialise a graph in one of the `FORMATS`; the same graph gives the same text."""
    if form == "ttl":
        return graph.serialize(format="turtle")
    # rdflib takes the nodes of JSON-LD from a set, in an order that changes from run to run.
    document = json.loads(graph.serialize(format="json-ld", auto_compact=True))
    # A scheme without concepts is a single node without `@graph`.
    document.get("@graph", []).sort(key=lambda node: node["@id"])
    return json.dumps(document, ensure_ascii=False, indent=1) + "\n"


def _triples(
    concept: _Concept, labels: Mapping[str, Sequence[str]], definitions: Sequence[tuple[_Words, UnitRow]], base: str
) -> Iterator[_Triple]:
    """Yield the triples of a concept; hierarchical relations go both ways, for clients without inference."""
    subject, scheme = URIRef(f"{base}/concept/{concept.id}"), URIRef(f"{base}/concepts")
    yield subject, RDF.type, SKOS.Concept
    yield subject, SKOS.inScheme, scheme
    yield subject, DCTERMS.identifier, Literal(concept.id)
    yield subject, SKOS.prefLabel, _english(concept.label)
    if concept.note:
        yield subject, SKOS.scopeNote, _english(concept.note)
    if concept.broader:
        above = URIRef(f"{base}/concept/{concept.broader}")
        yield subject, SKOS.broader, above
        yield above, SKOS.narrower, subject
    else:
        yield subject, SKOS.topConceptOf, scheme
        yield scheme, SKOS.hasTopConcept, subject
    preferred = _words(concept.label)
    terms = {preferred}
    for label in labels[concept.id]:
        if label.casefold() != concept.label.casefold():
            yield subject, SKOS.hiddenLabel if _words(label) in terms else SKOS.altLabel, _english(label)
            terms.add(_words(label))
    for headword, unit in definitions:
        if headword in terms:
            printed = BNode(f"{concept.id}-{unit.id.replace('/', '-')}")
            yield subject, SKOS.definition if headword == preferred else SKOS.note, printed
            yield printed, RDF.value, _english(" ".join(unit.text.split()))
            yield printed, DCTERMS.source, URIRef(f"{base}/{unit.id}")


def _words(label: str) -> _Words:
    """Normalise a label as the tagger does: stems, folded, without capitals and hyphens."""
    return tuple(stem(word) for word in words_of(label.replace("-", " ")))
