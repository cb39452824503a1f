"""Where paragraphs end: whether one goes on with the next line."""

from __future__ import annotations

import pytest

from extract.text.lines import split_lines
from extract.text.paragraphs import goes_on
from extract.text.source import Layout


@pytest.mark.parametrize(
    ("text", "layout", "overleaf", "expected"),
    [
        ("The dealer shall\ngive one card.", "lines", False, True),
        ("The deal is lost.\n\nThe next player deals.", "lines", False, False),
        ("The deal is lost, and\n\nthe next player deals.", "lines", False, True),  # a stray empty line
        ("The deal is lost by\n\nA player who looks.", "lines", True, True),  # a page break in a sentence
        ("The deal is lost by\n\nA player who looks.", "lines", False, False),
        ('He is to say:\n\n"I play alone."', "lines", True, True),
        ("OF THE DEAL.\nThe dealer gives one card.", "lines", False, False),  # a heading, and the text below it
        ("The deal is lost.\nSECTION II.", "lines", False, False),
        ("The dealer shall\n\ngive one card.", "markdown", False, True),
        ("The dealer shall\n\nGive one card.", "markdown", False, False),
    ],
)
def test_a_paragraph_goes_on_where_no_sentence_has_ended(
    text: str, layout: Layout, overleaf: bool, expected: bool
) -> None:
    above, line = split_lines(text)
    assert goes_on([above], line, layout, cell=False, overleaf=overleaf) == expected
