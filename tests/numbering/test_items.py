"""The labels of the items of a list, restored by their order."""

from __future__ import annotations

import pytest

from extract.numbering.items import ListLabel, items_due


def due(read: str, *, begins: bool = True, colons: tuple[int, ...] = (0,)) -> str:
    """What a list of labels is read as: what no order proves stands as it is; `~` marks half a label."""
    signs = read.split()
    labels = [ListLabel(i, sign.strip("~_"), i in colons, begins, sign.startswith("~")) for i, sign in enumerate(signs)]
    found = items_due(labels)
    return " ".join(found.get(i, sign) for i, sign in enumerate(signs))


@pytest.mark.parametrize(
    ("read", "printed"),
    [
        ("a @ © d", "a b c d"),
        ("@ B c d e P Q", "a b c d e f g"),
        ("a _ c d", "a b c d"),
        ("a b ~O @ e", "a b c d e"),
        ("@ b d ©", "a b d e"),
        ("1 2 8 4", "1 2 3 4"),
        ("a 2 3 4", "1 2 3 4"),
        ("a b 7 d", "a b c d"),
    ],
)
def test_what_is_misread_is_told_by_its_place(read: str, printed: str) -> None:
    assert due(read) == printed


@pytest.mark.parametrize(
    "read",
    ["a @", "@ © & ®", "a b c", "1 2 3", "1 2 8 5", "1 9 3 8", "a b 7 c", "a ~_ ~_ ~_", "a k m", "© 2 ® 4"],
    ids=["two", "none well", "all well", "figures", "lost", "no figure", "of the text", "halves", "letters", "apart"],
)
def test_what_no_order_proves_stands(read: str) -> None:
    assert due(read) == read


def test_a_colon_within_a_list_begins_no_other() -> None:
    assert due("a _ c d", colons=(0, 1)) == "a b c d"


def test_a_new_list_begins_after_a_colon() -> None:
    assert due("a b @ b c", colons=(0, 2)) == "a b a b c"


def test_a_letter_within_a_line_is_no_figure_misread() -> None:
    assert due("1 2 8 4", begins=False) == "1 2 8 4"


def test_a_label_far_from_the_others_is_none_of_theirs() -> None:
    labels = [ListLabel(0, "a", True), ListLabel(10, "b"), ListLabel(20, "c"), ListLabel(900, "@")]
    assert 900 not in items_due(labels)
