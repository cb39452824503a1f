"""An edition does not depend on the line ends of its scan."""

import json
from pathlib import Path
from random import Random

from samples import CLUB, broken, edition_of, prose, sheets

READING = """[[reading]]
at = {at}
scan = {scan}
read = "the player"
kind = "ocr"
reason = "as printed"
"""


LAWS = "\n\n".join(f"{n}. The player who revokes, and the play-\ner who does not, pay." for n in range(1, 13))
NOTES = "\n\n".join(f"[{n}] " + "\n".join(broken(prose(Random(n), 120))) for n in range(1, 9))
PLAIN = f"{sheets(6, seed=3).scan}\n\n{NOTES}\n\nWHIST LAWS\n\n{LAWS}\n"
PLAN = CLUB.replace("[[part]]", '[[part]]\nid = "text"\nbegins = ""\ngrammar = "paragraphs"\n[[part]]', 1)


def edition(folder: Path, end: str) -> tuple[list[object], list[object], list[object]]:
    """The units, edits and pages of a small book with the given line end; offsets are those with LF."""
    scan, cut = (text.replace("\n", end) for text in (PLAIN, "the play-\ner"))
    made = edition_of(folder / "small", scan, PLAN, errata=READING.format(at=scan.index(cut), scan=json.dumps(cut)))

    def lf(at: int) -> int:
        return at - scan.count("\r", 0, at)

    edits = [(lf(e.raw_start), lf(e.raw_end), e.after, e.rule) for e in made.edits if e.before != e.after]
    return (
        [(u.id, lf(u.raw_start), lf(u.raw_end), u.page, u.text) for u in made.units],
        # Two line ends as one blank need an edit with LF, where they would part paragraphs, but not with CRLF.
        [e for e in edits if PLAIN[e[0] : e[1]] != e[2] and (e[2], e[3]) != (" ", "space.blank")],
        [(lf(p.raw_start), p.folio, p.status) for p in made.pages],
    )


def test_edition_is_the_same_with_either_line_end(tmp_path: Path) -> None:
    units, edits, pages = edition(tmp_path / "lf", "\n")
    assert (units, edits, pages) == edition(tmp_path / "crlf", "\r\n")
    assert "the player who does not" in str(units) and edits and len(pages) > 1
