"""Reading text = scan + edits: reversible, never overlapping, offsets that map both ways."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from samples import undo

from extract.errors import EditError
from extract.model import Edit, Span
from extract.text.textlayer import TextLayer, check_edits

# Few letters, so that edits meet repeated text; line ends, an astral and a combining character among them.
SCANS = st.text(st.sampled_from("ab \n-'é\u0301𝔏"), max_size=60)


def edit(start: int, before: str, after: str) -> Edit:
    return Edit(start, start + len(before), before, after, "ocr", "rule")


@st.composite
def layers(draw: st.DrawFn, *, insertions: bool = True) -> TextLayer:
    """A scan with edits that fit it: replacements, deletions and insertions, also side by side."""
    scan = draw(SCANS)
    borders = sorted(draw(st.lists(st.integers(0, len(scan)), max_size=10)))
    spans = {(a, b) for a, b in pairwise(borders) if draw(st.booleans())}
    if not insertions:
        spans = {(a, b) for a, b in spans if a < b}
    edits = [edit(a, scan[a:b], draw(st.text("xy \n", max_size=3))) for a, b in spans]
    return TextLayer(scan, tuple(draw(st.permutations(edits))))


def untouched(layer: TextLayer) -> list[int]:
    """The offsets of the scan that no edit covers."""
    covered = {i for e in layer.edits for i in range(e.raw_start, e.raw_end)}
    return [i for i in range(len(layer.scan)) if i not in covered]


@given(layers())
def test_undoing_the_edits_gives_the_scan_back(layer: TextLayer) -> None:
    assert undo(layer.reading, layer.edits) == layer.scan


@given(layers())
def test_undo_takes_edits_in_any_order(layer: TextLayer) -> None:
    assert undo(layer.reading, reversed(layer.edits)) == layer.scan


@given(layers())
def test_reading_is_the_scan_with_each_edit_in_its_place(layer: TextLayer) -> None:
    expected = layer.scan
    for change in sorted(layer.edits, reverse=True):
        expected = expected[: change.raw_start] + change.after + expected[change.raw_end :]
    assert layer.reading == expected


@given(layers())
def test_edits_are_kept_sorted_and_apart(layer: TextLayer) -> None:
    assert all(a.raw_end <= b.raw_start for a, b in pairwise(layer.edits))


@given(SCANS, st.data())
def test_overlapping_edits_are_refused(scan: str, data: st.DataObject) -> None:
    assume(len(scan) > 2)
    start = data.draw(st.integers(0, len(scan) - 2))
    end = data.draw(st.integers(start + 2, len(scan)))
    inner = data.draw(st.integers(start + 1, end - 1))
    last = data.draw(st.integers(inner, len(scan)))
    with pytest.raises(EditError, match="overlap"):
        check_edits(scan, [edit(inner, scan[inner:last], "x"), edit(start, scan[start:end], "y")])


@given(layers(insertions=False))
def test_the_same_place_twice_is_refused(layer: TextLayer) -> None:
    assume(layer.edits)
    twice = layer.edits[0]
    again = edit(twice.raw_start, twice.before, "another reading")
    with pytest.raises(EditError, match="overlap"):
        TextLayer(layer.scan, (*layer.edits, again))


@given(layers(), st.data())
def test_a_wrong_before_is_refused(layer: TextLayer, data: st.DataObject) -> None:
    assume(layer.edits)
    change = data.draw(st.sampled_from(layer.edits))
    wrong = edit(change.raw_start, change.before + "Z", change.after)
    with pytest.raises(EditError, match=r"outside the scan|the scan reads"):
        check_edits(layer.scan, [wrong])


@pytest.mark.parametrize(("start", "end"), [(-1, 0), (3, 4), (2, 1), (4, 4)])
def test_an_edit_outside_the_scan_is_refused(start: int, end: int) -> None:
    with pytest.raises(EditError, match="outside the scan"):
        check_edits("abc", [Edit(start, end, "", "x", "ocr", "rule")])


@given(layers())
def test_reading_a_whole_scan_gives_the_reading_text(layer: TextLayer) -> None:
    assert layer.read(0, len(layer.scan)) == layer.reading


@given(layers(), st.data())
def test_the_pieces_of_a_scan_read_together_as_the_whole(layer: TextLayer, data: st.DataObject) -> None:
    size = len(layer.scan)
    cuts = {
        c for c in data.draw(st.sets(st.integers(0, size))) if not any(e.raw_start < c < e.raw_end for e in layer.edits)
    }
    borders = sorted({0, size} | cuts)
    assume(size)
    assert "".join(layer.read(a, b) for a, b in pairwise(borders)) == layer.reading


@given(layers(), st.data())
def test_an_edit_lies_in_one_piece_of_the_scan(layer: TextLayer, data: st.DataObject) -> None:
    size = len(layer.scan)
    cuts = {
        c for c in data.draw(st.sets(st.integers(0, size))) if not any(e.raw_start < c < e.raw_end for e in layer.edits)
    }
    assume(size)
    found = [e for a, b in pairwise(sorted({0, size} | cuts)) for e in layer.within(a, b)]
    assert tuple(found) == layer.edits


def test_a_paragraph_put_in_goes_with_what_follows() -> None:
    layer = TextLayer("one.\n\ntwo", (edit(4, "", "\n\n1."),))
    assert (layer.read(0, 4), layer.read(4, 9)) == ("one.", "\n\n1.\n\ntwo")


def test_a_scan_without_a_letter_reads_what_is_put_in() -> None:
    assert TextLayer("", (edit(0, "", "new"),)).read(0, 0) == "new"


@given(layers(), st.data())
def test_neighbouring_spans_read_as_the_span_of_both(layer: TextLayer, data: st.DataObject) -> None:
    a, b, c = sorted(data.draw(st.integers(0, len(layer.scan))) for _ in range(3))
    assume(a < b < c)
    inside = any(e.raw_start < at < e.raw_end for e in layer.edits for at in (a, b, c))
    assume(not inside)
    assert layer.read(a, b) + layer.read(b, c) == layer.read(a, c)


@given(layers(insertions=False), st.data())
def test_a_straddling_edit_is_left_out_with_what_it_covers(layer: TextLayer, data: st.DataObject) -> None:
    a, b = sorted(data.draw(st.integers(0, len(layer.scan))) for _ in range(2))
    for change in layer.edits:
        if change.raw_start < a < change.raw_end:
            assert layer.read(a, b) == layer.read(min(change.raw_end, b), b)
        if change.raw_start < b < change.raw_end:
            assert layer.read(a, b) == layer.read(a, max(change.raw_start, a))


@given(layers())
def test_a_span_reads_only_its_own_letters(layer: TextLayer) -> None:
    for at in untouched(layer):
        put_in = {e.raw_start: e.after for e in layer.edits if e.raw_start == e.raw_end}
        before, after = put_in.get(at, ""), put_in.get(at + 1, "")
        assert layer.read(at, at + 1) in (f"{x}{layer.scan[at]}{y}" for x in ("", before) for y in ("", after))


@given(layers())
def test_an_untouched_letter_is_found_in_the_reading_and_back(layer: TextLayer) -> None:
    for at in untouched(layer):
        there = layer.to_reading(at)
        assert layer.reading[there] == layer.scan[at]
        assert layer.to_scan(Span(there, there + 1)) == Span(at, at + 1)


@given(layers())
def test_offsets_keep_their_order_in_the_reading(layer: TextLayer) -> None:
    places = [layer.to_reading(at) for at in range(len(layer.scan) + 1)]
    assert places == sorted(places)
    assert not places or 0 <= places[0] <= places[-1] <= len(layer.reading)


@given(layers(), st.data())
def test_any_reading_span_has_a_scan_span_that_reads_so(layer: TextLayer, data: st.DataObject) -> None:
    a, b = sorted(data.draw(st.integers(0, len(layer.reading))) for _ in range(2))
    assume(a < b)
    span = layer.to_scan(Span(a, b))
    assert 0 <= span.start <= span.end <= len(layer.scan)
    inserted_at_the_border = any(e.raw_start == e.raw_end in (span.start, span.end) for e in layer.edits)
    assert inserted_at_the_border or layer.reading[a:b] in layer.read(span.start, span.end)


@given(layers(insertions=False), st.data())
def test_the_scan_span_is_the_smallest_that_reads_so(layer: TextLayer, data: st.DataObject) -> None:
    a, b = sorted(data.draw(st.integers(0, len(layer.reading))) for _ in range(2))
    assume(a < b)
    span = layer.to_scan(Span(a, b))
    for change in layer.edits:
        if change.span.meets(span):
            assert span.covers(change.span)
            assert change.after or span.start < change.raw_start < change.raw_end < span.end


@given(layers(), st.data())
def test_a_scan_span_survives_the_way_there_and_back(layer: TextLayer, data: st.DataObject) -> None:
    kept = untouched(layer)
    assume(kept)
    first, last = sorted((data.draw(st.sampled_from(kept)), data.draw(st.sampled_from(kept))))
    there = Span(layer.to_reading(first), layer.to_reading(last) + 1)
    assert layer.to_scan(there) == Span(first, last + 1)


def test_an_offset_inside_an_edit_lies_at_its_end() -> None:
    layer = TextLayer("a- \nb", (edit(1, "- \n", "XY"),))
    assert [layer.to_reading(at) for at in range(6)] == [0, 1, 3, 3, 3, 4]


def test_within_finds_an_edit_that_began_before() -> None:
    layer = TextLayer("abcdef", (edit(0, "abcd", "x"), edit(5, "f", "y")))
    assert [e.raw_start for e in layer.within(3, 6)] == [0, 5]
    assert layer.within(4, 5) == ()


def test_undo_notices_a_reading_that_was_changed() -> None:
    layer = TextLayer("the cald", (edit(4, "cald", "card"),))
    with pytest.raises(EditError, match="changed since the build"):
        undo(layer.reading.replace("card", "suit"), layer.edits)


def test_the_promise_holds_for_a_printed_line() -> None:
    scan = "if he re- \nvoke, the penal1y"
    layer = TextLayer(scan, (edit(8, "- \n", ""), edit(26, "1", "t")))
    assert layer.reading == "if he revoke, the penalty"
    assert layer.read(6, 16) == "revoke,"
    assert layer.to_scan(Span(6, 12)) == Span(6, 15)
    assert scan[6:15] == "re- \nvoke"


# A span without what is set in its midst

NOTED = "The dealer (a note) deals. * A mark.  So it ends. "


def span_of(words: str) -> Span:
    at = NOTED.index(words)
    return Span(at, at + len(words))


@pytest.mark.parametrize(
    ("holes", "expected"),
    [
        ([], "The dealer (a note) deals. * A mark.  So it ends."),
        (["(a note) "], "The dealerdeals. * A mark.  So it ends."),
        (["(a note)", "* A mark."], "The dealer deals.  So it ends."),
        (["(a note)", "a note"], "The dealer deals. * A mark.  So it ends."),
        (["The dealer "], "(a note) deals. * A mark.  So it ends."),
        ([NOTED], "The dealer (a note) deals. * A mark.  So it ends."),
    ],
)
def test_a_span_is_read_around_the_notes_in_its_midst(holes: list[str], expected: str) -> None:
    layer = TextLayer(NOTED, ())
    assert layer.read_around(Span(0, len(NOTED)), [span_of(hole) for hole in holes]) == expected


def test_notes_outside_a_span_are_passed_over() -> None:
    layer = TextLayer(NOTED, (Edit(4, 10, "dealer", "leader", "ocr", "editor"),))
    holes = [span_of("The"), span_of("(a note)"), span_of("So it")]
    assert layer.read_around(span_of("dealer (a note) deals."), holes) == "leader deals."


# Where one letter more or less would matter


def test_words_put_in_go_with_what_follows_and_at_the_end_with_what_is_before() -> None:
    layer = TextLayer("one two", (Edit(3, 3, "", " and", "ocr", "editor"), Edit(7, 7, "", "!", "ocr", "editor")))
    assert (layer.read(0, 3), layer.read(3, 7)) == ("one", " and two!")


def test_what_stands_after_an_edit_is_found_right_behind_it() -> None:
    layer = TextLayer("abcdef", (Edit(2, 4, "cd", "XYZ", "ocr", "editor"),))
    assert [layer.to_reading(at) for at in range(7)] == [0, 1, 2, 5, 5, 6, 7]


def test_a_straddling_edit_does_not_end_what_is_read() -> None:
    layer = TextLayer("abcdef", (Edit(0, 2, "ab", "AB", "ocr", "editor"), Edit(3, 4, "d", "D", "ocr", "editor")))
    assert layer.read(1, 6) == "cDef"


def test_errors_tell_what_to_do() -> None:
    with pytest.raises(EditError, match=r"the scan reads 'b', not 'x'; correct the offset or the scan reading\.$"):
        check_edits("abc", [Edit(1, 2, "x", "y", "ocr", "editor")])
    with pytest.raises(EditError, match=r"^The edits 'ab' at 0 and 'bc' at 1 overlap; merge them\.$"):
        check_edits("abc", [Edit(0, 2, "ab", "", "ocr", "editor"), Edit(1, 3, "bc", "", "ocr", "editor")])
