"""Make the TEI elements for edits, white space, pages, references and units."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from lxml import etree

from extract.model import STANDING, Page, Reference, Unit
from extract.tei.stream import Register
from extract.tei.terms import BLANK, LINE, XML_ID, BeforeAfter, E, Ground, degree, pointer, xml_id
from extract.text.spacing import spaced

# The type of an `<fw>`, which is not part of the text, by a word in the ground's note.
_FORMES = {"folio": "pageNum", "head": "header", "signature": "sig", "catch": "catch"}


def white_element(white: BeforeAfter, register: Register, *, in_text: bool) -> etree._Element:
    """Make an element for white space.

    `<lb/>` if a line ends in the scan; `<c> </c>` for a blank read within text; otherwise `<space/>`.
    """
    key = register.white(white)
    if "\n" in white.before:
        return E.lb({"break": None if white.after else "no", "ana": None if key == LINE else f"#{key}"})
    ana = None if key == BLANK else f"#{key}"
    return E.c(" ", ana=ana) if in_text and white.after else E.space(ana=ana)


def edit_element(reading: BeforeAfter, ground: Ground, register: Register) -> etree._Element:
    """Make an element for an edit: furniture, a place that stays though wrong or illegible, or both readings."""
    before, after, _ = reading
    why = {"ana": register.why(ground)}
    answers = {"resp": f"#{ground.source}", "cert": degree(ground.confidence)}
    if ground.kind == "furniture" and not after:
        kind = next((kind for word, kind in _FORMES.items() if word in ground.note), None)
        return E.fw(before, {"type": kind, **why, **answers})
    normalised = after == spaced(before)
    unchanged = normalised and after.split() == before.split()
    if unchanged and ground.kind == "typo":
        return E.sic(before, {**why, **answers})
    if unchanged and ground.kind == "illegible":
        return E("unclear" if before else "gap", before, {"reason": "illegible", **why, **answers})
    if ground.kind == "ocr" or (ground.kind in STANDING and not normalised):
        return E.choice(E.sic(before), E.corr(after, answers), why)
    return E.choice(E.orig(before), E.reg(after, answers), why)


def page_element(page: Page) -> etree._Element:
    """Make the page break that begins a page; its type says if the page number is not printed."""
    plain = "printed" if page.folio is not None else "unnumbered"
    certainty = "medium" if page.inferred else "high"
    guessed = {"resp": "#rule", "cert": certainty} if page.status == "interpolated" else {}
    return E.pb({"n": page.folio, "type": None if page.status == plain else page.status, **guessed})


def reference_element(group: Sequence[Reference], register: Register) -> etree._Element:
    """Make the element for references with the same span, status and confidence: one, or the members of a range."""
    first = group[0]
    why = register.why(Ground("reference", None, first.confidence))
    targets = " ".join(pointer(r.target_id) for r in group if r.target_id is not None)
    return E.ref(type=first.status, target=targets or None, ana=why, cert=degree(first.confidence))


def unit_element(unit: Unit, form: str, chains: Mapping[str, Mapping[str, str]], register: Register) -> etree._Element:
    """Make the empty element of a unit.

    Args:
        unit: the unit.
        form: its tag: `div`, `head`, `row`, `note` or `seg`.
        chains: for the parts of units that the print sets apart, the id of the `next` and the previous (`prev`) part.
        register: assigns the id of the ground of its borders.
    """
    element = E(
        form,
        {
            XML_ID: xml_id(unit.id),
            "role": unit.kind if form == "row" else None,
            "type": unit.kind if form not in ("row", "head") else None,
            "n": unit.number,
            "target": pointer(unit.parent_id) if form == "note" and unit.parent_id is not None else None,
            "source": f"#code_{xml_id(unit.code_id)}" if unit.code_id is not None else None,
            **{key: pointer(ids[unit.id]) for key, ids in chains.items() if unit.id in ids},
            "corresp": " ".join(map(pointer, unit.explains)) or None,
        },
    )
    if unit.confidence != 1.0:
        element.set("ana", register.why(Ground("borders", None, unit.confidence)))
        element.set("cert", degree(unit.confidence))
    return element


def usual_label(kind: str, text: str) -> str:
    """The default label, which is not written: the text of a heading; other units have none."""
    return " ".join(text.split()) if kind == "section" else ""


def usual_heading(kind: str, label: str, section: str | None) -> str | None:
    """The default heading, which is not written: the label of the section around the unit, or of a heading itself."""
    return label if kind == "section" else section


def index_elements(unit: Unit, form: str, section: str | None) -> Iterator[etree._Element]:
    """Yield index entries for the label and heading of a unit, if they are not the defaults.

    The cells of a row that is where TEI allows no table become index entries too.
    """
    if unit.label != usual_label(unit.kind, unit.text):
        yield E.index(E.term(unit.label), indexName="label")
    if unit.heading != usual_heading(unit.kind, unit.label, section):
        yield E.index(*([] if unit.heading is None else [E.term(unit.heading)]), indexName="heading")
    for cell in unit.cells if form != "row" else ():
        yield E.index(E.term(cell), indexName="cell")
