"""The elements for edits, white space, pages and references."""

from __future__ import annotations

from collections.abc import Sequence

from lxml import etree

from extract.model import STANDING, Page, Reference
from extract.tei.stream import Piece, Register
from extract.tei.terms import BLANK, LINE, Ground, degree, element, pointer
from extract.text.spacing import spaced

_FORMES = (("folio", "pageNum"), ("head", "header"), ("signature", "sig"), ("catch", "catch"))


class Marker:
    """Makes elements that point to their grounds in the register."""

    def __init__(self, register: Register) -> None:
        self.register = register

    def white(self, piece: Piece, *, in_text: bool) -> etree._Element:
        """White space as an element of its own.

        `<lb/>` where a line ends in the scan; `<c> </c>` for a blank that is read within text; else `<space/>`.
        """
        key = self.register.white(piece.space)
        line = "\n" in piece.before
        tag = "lb" if line else "c" if in_text and piece.after else "space"
        return element(
            tag,
            " " if tag == "c" else "",
            break_="no" if line and not piece.after else None,
            ana=None if key == (LINE if line else BLANK) else f"#{key}",
        )

    def usual(self, piece: Piece) -> bool:
        """Whether white space is the usual blank within a line."""
        return self.register.white(piece.space) == BLANK

    def edit(self, piece: Piece, ground: Ground) -> etree._Element:
        """An edit: what is not of the text, what stands though doubtful or wrong, or both readings."""
        why = {"ana": f"#{self.register.ground(ground)}"}
        answers = {"resp": f"#{ground.source}", "cert": degree(ground.confidence)}
        if is_formework(piece, ground):
            kind = next((kind for word, kind in _FORMES if word in ground.note), None)
            return element("fw", piece.before, type=kind, **why, **answers)
        in_order = piece.after == spaced(piece.before)
        stands = in_order and piece.after.split() == piece.before.split()
        if stands and ground.kind == "typo":
            return element("sic", piece.before, **why, **answers)
        if stands and ground.kind == "illegible":
            tag = "unclear" if piece.before else "gap"
            return element(tag, piece.before, reason="illegible", **why, **answers)
        mended = ground.kind == "ocr" or (ground.kind in STANDING and not in_order)
        choice = element("choice", **why)
        choice.append(element("sic" if mended else "orig", piece.before))
        choice.append(element("corr" if mended else "reg", piece.after, **answers))
        return choice

    def page(self, page: Page) -> etree._Element:
        """The beginning of a page; a folio that is not printed says so."""
        plain = "printed" if page.folio is not None else "unnumbered"
        guessed = page.status == "interpolated"
        return element(
            "pb",
            n=page.folio,
            type=None if page.status == plain else page.status,
            resp="#rule" if guessed else None,
            cert="medium" if guessed else None,
        )

    def reference(self, group: Sequence[Reference]) -> etree._Element:
        """References of one stretch and one standing: one, or members of a range."""
        first = group[0]
        key = self.register.ground(Ground("reference", None, first.confidence))
        targets = " ".join(pointer(r.target_id) for r in group if r.target_id is not None)
        return element("ref", type=first.status, target=targets or None, ana=f"#{key}", cert=degree(first.confidence))


def is_formework(piece: Piece, ground: Ground) -> bool:
    """Whether an edit removes what is not of the text: running heads, folios, signatures, stamps, specks."""
    return ground.kind == "furniture" and not piece.after
