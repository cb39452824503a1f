"""A minimal library of another domain: the by-laws of two boat clubs, without anything optional."""

from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

LIBRARY = """
[library]
title = "The Library of Rowing"
subject = "rowing"
tagline = "By-laws of two clubs, from {first} to {last}"
[provision]
singular = "by-law"
[code]
singular = "rule book"
[examples]
search = ["oars"]
dispute = ["A crew took out a boat after sunset."]
[dispute]
who = "members"
[citations]
words = ["Rule"]
"""
HEADINGS = {1: "MEMBERS", 4: "BOATS AND OARS", 9: "THE REGATTA"}
RIVERSIDE = (
    "Every member shall pay the subscription before the first day of May.",
    "A member whose subscription is in arrear shall not take out a boat.",
    "The committee may suspend a member who has damaged a boat and has not told the captain.",
    "No boat shall be taken out after sunset without leave of the captain.",
    "Oars shall be returned to the rack, and the boat house shall be locked by the last crew.",
    "A crew that damages an oar shall pay for its repair as Rule 3 provides.",
    "A boat that goes upstream keeps to the towing path, and a boat that goes downstream keeps to the middle.",
    "When two boats meet at the bridge, the boat that goes downstream has the right of way.",
    "The regatta shall be rowed on the first Saturday of July.",
    "The newly chosen umpire decides every dispute, and there is no appeal from the newly chosen umpire.",
    "A crew that crosses the course of another crew is disqualified.",
    "A dead heat is rowed again within the hour.",
)
MILLPOND = (
    "Every member shall pay the subscription before the first day of June.",
    "A member whose subscription is in arrear shall not vote, nor take out a boat.",
    "The committee may suspend a member who has damaged a boat.",
    "No boat shall be taken out after sunset.",
    "Oars shall be returned to the rack, and the boat house shall be locked by the last crew.",
    "A crew that damages an oar shall pay the half of its repair.",
    "When two boats meet at the bridge, the boat that goes upstream gives way.",
    "No dog shall be taken into a boat.",
    "The regatta shall be rowed on the last Saturday of June.",
    "The newly chosen umpire decides every dispute, but the committee hears appeals from the umpire.",
    "A crew that crosses the course of another crew is disqualified.",
    "A dead heat is no race, and the prize is divided.",
)


def scan(rules: Sequence[str]) -> str:
    """The text of a scan of by-laws."""
    pieces = ["THE BY-LAWS OF THE CLUB"]
    for number, rule in enumerate(rules, 1):
        pieces += [HEADINGS[number]] if number in HEADINGS else []
        pieces.append(f"{number}. {rule}")
    return "\n\n".join(pieces) + "\n"


def _book(name: str, year: int, text: str) -> str:
    return f"""
[book]
title = "By-laws of the {name} Boat Club"
short = "{name} Boat Club"
year = {year}
place = "{name}"
publisher = "The Club"
note = ""
sha256 = "{sha256(text.encode()).hexdigest()}"
[[book.author]]
family = "{name} Boat Club"
[[code]]
id = "{name.lower()}-club-{year}"
title = "By-laws of the {name} Boat Club"
short = "{name} by-laws"
year = {year}
authority = "the {name} Boat Club"
[[part]]
id = "by-laws"
begins = ""
grammar = "series"
[[part.series]]
label = "{{n}}."
kind = "law"
slug = "by-law"
name = "By-law"
code = "{name.lower()}-club-{year}"
expect = 12
"""


def write(corpus: Path, library: str = LIBRARY, clubs: int = 2) -> None:
    """Write the corpus of one club or of both.

    Args:
        corpus: an existing folder.
        library: the text of library.toml; if it is empty, the file is not written.
        clubs: the number of books.
    """
    if library:
        (corpus / "library.toml").write_text(library, encoding="utf-8")
    for name, year, rules in (("Riverside", 1871, RIVERSIDE), ("Millpond", 1888, MILLPOND))[:clubs]:
        folder = corpus / f"{name.lower()}-{year}"
        folder.mkdir()
        text = scan(rules)
        (folder / "scan.txt").write_text(text, encoding="utf-8")
        (folder / "book.toml").write_text(_book(name, year, text), encoding="utf-8")
