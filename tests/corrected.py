"""A scan corrected as a build corrects it: the machine's letters, the editor's readings over them."""

from __future__ import annotations

from collections.abc import Sequence, Set
from typing import Any

from extract.correction.letters import decide_letters
from extract.correction.post_correction import PostCorrection, post_correct
from extract.model import Edit
from extract.text.source import Layout


def corrected(
    scan: str,
    furniture: Sequence[Edit] = (),
    *,
    layout: Layout = "lines",
    fixed: Sequence[Edit] = (),
    without: Set[str] = frozenset(),
    misread: bool | None = True,
    **told: Any,
) -> PostCorrection:
    """Correct a scan.

    Args:
        scan, furniture, layout, fixed, without: as for `post_correct`; what is `fixed` is unknown to the machine.
        misread: whether the scan is taken for one that is misread; None: as measured.
        told: what else the machine is told, as for `decide_letters`.
    """
    letters = decide_letters(scan, furniture, layout=layout, without=without, misread=misread, **told)
    return post_correct(scan, furniture, letters, layout=layout, fixed=fixed, without=without)
