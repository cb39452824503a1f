"""Reading text = scan + edits: reversible, never overlapping, offsets that map both ways."""

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
def layers(draw: st.DrawFn) -> TextLayer:
    """A scan with edits that fit it: replacements, deletions and insertions, also side by side."""
    scan = draw(SCANS)
    borders = sorted(draw(st.lists(st.integers(0, len(scan)), max_size=10)))
    spans = {(a, b) for a, b in pairwise(borders) if draw(st.booleans())}
    edits = [edit(a, scan[a:b], draw(st.text("xy \n", max_size=3))) for a, b in spans]
    return TextLayer(scan, tuple(draw(st.permutations(edits))))


def untouched(layer: TextLayer) -> list[int]:
    """The offsets of the scan that are read as they are."""
    covered = {i for e in layer.changes for i in range(e.raw_start, e.raw_end)}
    return [i for i in range(len(layer.scan)) if i not in covered]


@given(layers())
def test_reading_is_the_scan_with_each_edit_applied_and_can_be_undone(layer: TextLayer) -> None:
    assert undo(layer.reading, layer.changes) == undo(layer.reading, reversed(layer.changes)) == layer.scan
    assert all(a.raw_end <= b.raw_start for a, b in pairwise(layer.changes))
    expected = layer.scan
    for change in reversed(layer.changes):
        expected = expected[: change.raw_start] + change.after + expected[change.raw_end :]
    assert layer.read(0, len(layer.scan)) == layer.reading == expected


@pytest.mark.parametrize(
    ("edits", "message"),
    [
        *(([Edit(a, b, "", "x", "ocr", "rule")], "outside the scan") for a, b in ((-1, 0), (3, 4), (2, 1), (4, 4))),
        ([edit(1, "x", "y")], r"the scan has 'b', not 'x'; correct the offset or the text of the scan\.$"),
        ([edit(1, "bX", "y")], "the scan has 'bc', not 'bX'"),
        ([edit(0, "ab", ""), edit(1, "bc", "")], r"^The edits 'ab' at 0 and 'bc' at 1 overlap; merge them\.$"),
        ([edit(1, "b", "x"), edit(0, "abc", "y")], "overlap"),
        ([edit(1, "b", "x"), edit(1, "b", "y")], "overlap"),
        ([edit(1, "", "x"), edit(1, "", "y")], "overlap"),
    ],
)
def test_rejects_edits_that_contradict_the_scan_or_overlap(edits: list[Edit], message: str) -> None:
    with pytest.raises(EditError, match=message):
        check_edits("abc", edits)


@given(layers(), st.data())
def test_readings_of_pieces_join_to_the_whole_and_each_edit_lies_in_one(layer: TextLayer, data: st.DataObject) -> None:
    size = len(layer.scan)
    assume(size)
    inside = {at for e in layer.changes for at in range(e.raw_start + 1, e.raw_end)}
    pieces = [*pairwise(sorted({0, size} | data.draw(st.sets(st.integers(0, size))) - inside))]
    assert "".join(layer.read(a, b) for a, b in pieces) == layer.reading
    assert tuple(e for a, b in pieces for e in layer.within(a, b)) == layer.changes
    assert layer.read(pieces[0][0], pieces[-1][0]) == "".join(layer.read(a, b) for a, b in pieces[:-1])


@given(layers())
def test_offsets_of_unedited_characters_map_both_ways(layer: TextLayer) -> None:
    kept = untouched(layer)
    assert [layer.reading[layer.to_reading(at)] for at in kept] == [layer.scan[at] for at in kept]
    for first, last in (*zip(kept, kept, strict=True), *pairwise(kept)):
        assert layer.to_scan(Span(layer.to_reading(first), layer.to_reading(last) + 1)) == Span(first, last + 1)
    places = [0, *(layer.to_reading(at) for at in range(len(layer.scan) + 1)), len(layer.reading)]
    assert places == sorted(places)


@pytest.mark.parametrize(
    ("scan", "edits", "pieces"),
    [
        ("one.\n\ntwo", [(4, "", "\n\n1.")], {(0, 4): "one.", (4, 9): "\n\n1.\n\ntwo"}),
        ("", [(0, "", "new")], {(0, 0): "new"}),
        ("one two", [(3, "", " and"), (7, "", "!")], {(0, 3): "one", (3, 7): " and two!"}),
        ("abcdef", [(0, "ab", "AB"), (3, "de", "DE")], {(1, 6): "cDEf", (0, 4): "ABc", (4, 6): "f"}),
        ("if he re- \nvoke, the penal1y", [(8, "- \n", ""), (26, "1", "t")], {(6, 16): "revoke,"}),
    ],
)
def test_span_that_begins_or_ends_at_an_edit(
    scan: str, edits: list[tuple[int, str, str]], pieces: dict[tuple[int, int], str]
) -> None:
    """An insertion goes with the text after it, at the end with the text before; straddling edits are left out."""
    layer = TextLayer(scan, tuple(edit(*change) for change in edits))
    assert {span: layer.read(*span) for span in pieces} == pieces


@pytest.mark.parametrize(
    ("scan", "change", "places"),
    [
        ("a- \nb", (1, "- \n", "XY"), [0, 1, 3, 3, 3, 4]),
        ("abcdef", (2, "cd", "XYZ"), [0, 1, 2, 5, 5, 6, 7]),
    ],
)
def test_offset_inside_an_edit_maps_to_its_end(scan: str, change: tuple[int, str, str], places: list[int]) -> None:
    assert [*map(TextLayer(scan, (edit(*change),)).to_reading, range(len(scan) + 1))] == places


@given(layers(), st.data())
def test_every_reading_span_maps_to_a_scan_span_with_that_reading(layer: TextLayer, data: st.DataObject) -> None:
    a, b = sorted(data.draw(st.integers(0, len(layer.reading))) for _ in range(2))
    assume(a < b)
    span = layer.to_scan(Span(a, b))
    assert 0 <= span.start <= span.end <= len(layer.scan)
    inserted_at_the_border = any(e.raw_start == e.raw_end in (span.start, span.end) for e in layer.changes)
    assert inserted_at_the_border or layer.reading[a:b] in layer.read(span.start, span.end)


@pytest.mark.parametrize(
    ("scan", "edits", "reading"),
    [
        ("a  b\nc \n d\te", [], "a b c d e"),
        ("a\n\nb\n\n\nc \n\nd", [], "a\n\nb c d"),
        ("re- \nvoke  it", [(2, "- \n", "")], "revoke it"),
        ("one\ntwo", [(3, "\n", "\n\n")], "one\n\ntwo"),
    ],
)
def test_white_space_reads_as_one_blank_except_an_empty_line(
    scan: str, edits: list[tuple[int, str, str]], reading: str
) -> None:
    given_edits = tuple(edit(*change) for change in edits)
    layer = TextLayer(scan, given_edits)
    assert (layer.reading, layer.edits) == (reading, given_edits)
    assert TextLayer(layer.reading, ()).reading == reading
    if not edits:
        assert TextLayer(scan, (), as_scanned=True).reading == scan


# A span without the notes inside it

NOTED = "The dealer (a note) deals. * A mark.  So it ends. "


def span_of(words: str) -> Span:
    at = NOTED.index(words)
    return Span(at, at + len(words))


@pytest.mark.parametrize(
    ("words", "holes", "expected"),
    [
        (NOTED, [], "The leader (a note) deals. * A mark. So it ends."),
        (NOTED, ["(a note) "], "The leaderdeals. * A mark. So it ends."),
        (NOTED, ["(a note)", "* A mark."], "The leader deals. So it ends."),
        (NOTED, ["(a note)", "a note"], "The leader deals. * A mark. So it ends."),
        (NOTED, ["The dealer "], "(a note) deals. * A mark. So it ends."),
        (NOTED, [NOTED], "The leader (a note) deals. * A mark. So it ends."),
        ("dealer (a note) deals.", ["The", "(a note)", "So it"], "leader deals."),
    ],
)
def test_span_is_read_around_the_notes_inside_it(words: str, holes: list[str], expected: str) -> None:
    layer = TextLayer(NOTED, (edit(4, "dealer", "leader"),))
    assert layer.read_around(span_of(words), [span_of(hole) for hole in holes]) == expected
