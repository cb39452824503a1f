"""The ledger: every letter of a scan in a unit or in furniture, none lost, no unit crossing another."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extract.errors import LedgerError
from extract.ledger import require_balance, settle
from extract.model import Edit, Unit


def unit(name: str, start: int, end: int) -> Unit:
    return Unit(name, "b", None, "law", name, None, None, None, 0, start, end, None, "")


def gone(scan: str, start: int, end: int, kind: str = "furniture") -> Edit:
    return Edit(start, end, scan[start:end], "", kind, "rule")  # type: ignore[arg-type]


SCAN = "12 The first law. The second."


def test_a_scan_that_is_all_accounted_for_balances_and_furniture_in_the_midst_of_a_unit_counts_once() -> None:
    units, furniture = [unit("a", 3, 17), unit("i", 3, 6), unit("b", 18, 29)], [gone(SCAN, 0, 2), gone(SCAN, 7, 12)]
    ledger = settle(SCAN, units, furniture)
    assert (ledger.balanced, ledger.characters, ledger.in_units, ledger.in_furniture) == (True, 24, 17, 7)
    require_balance("b", SCAN, ledger)


@pytest.mark.parametrize(
    ("units", "kind", "told"),
    [
        ([unit("a", 3, 17)], "furniture", r"b: 2 stretches .* first at 18: 'The'"),
        ([unit("a", 3, 17), unit("b", 18, 29)], "ocr", "first at 0: '12'"),
        ([unit("law", 0, 20), unit("next", 18, 29)], "furniture", "law and next overlap"),
        ([unit("law", 0, 18), unit("law", 18, 29)], "furniture", "several units have the id law"),
    ],
)
def test_what_does_not_balance_is_told(units: list[Unit], kind: str, told: str) -> None:
    ledger = settle(SCAN, units, [gone(SCAN, 0, 2, kind)])
    assert not ledger.balanced
    with pytest.raises(LedgerError, match=told):
        require_balance("b", SCAN, ledger)


def test_the_end_of_a_word_that_is_joined_to_its_beginning_above_a_note_is_not_lost() -> None:
    scan = "accep- * A note. ted, The next."
    units = [unit("a", 0, 6), unit("note", 7, 16), unit("b", 22, 31)]
    assert settle(scan, units, [gone(scan, 17, 21, "join")]).balanced


@given(
    st.text(st.sampled_from("ab \n"), max_size=30),
    st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)).map(sorted), max_size=6),
    st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)).map(sorted), max_size=3),
)
def test_the_ledger_agrees_with_a_plain_count(scan: str, units: list[list[int]], edits: list[list[int]]) -> None:
    cut = [(min(a, len(scan)), min(b, len(scan))) for a, b in units]
    holes = [(min(a, len(scan)), min(b, len(scan))) for a, b in edits]
    ledger = settle(scan, [unit(str(i), a, b) for i, (a, b) in enumerate(cut)], [gone(scan, a, b) for a, b in holes])
    covered = {i for a, b in (*cut, *holes) for i in range(a, b)}
    lost = [i for i, c in enumerate(scan) if not c.isspace() and i not in covered]
    assert [i for a, b in ledger.lost for i in range(a, b)] == lost
    crossed = any(a < c < b < d for a, b in cut for c, d in cut)
    assert bool(ledger.crossing) == crossed
