"""Correct a scan as a build does: first the machine's corrections, then the editor's readings over them."""

from __future__ import annotations

from collections.abc import Sequence, Set
from typing import Any

from extract.correction.letters import decide_letters
from extract.correction.post_correction import PostCorrection, post_correct
from extract.model import Edit, Span
from extract.text.source import Layout


def corrected(
    scan: str,
    furniture: Sequence[Edit] = (),
    *,
    layout: Layout = "lines",
    fixed: Sequence[Edit] = (),
    confirmed: Sequence[Span] = (),
    without: Set[str] = frozenset(),
    misread: bool | None = True,
    **more: Any,
) -> PostCorrection:
    """Correct a scan.

    Args:
        scan, furniture, layout, fixed, confirmed, without: as for `post_correct`; the machine does not
            see `fixed` and `confirmed`.
        misread: whether to treat the scan as misread; None: as measured.
        more: further arguments of `decide_letters`.
    """
    letters = decide_letters(scan, furniture, layout=layout, without=without, misread=misread, **more)
    return post_correct(scan, furniture, letters, layout=layout, fixed=fixed, confirmed=confirmed, without=without)
