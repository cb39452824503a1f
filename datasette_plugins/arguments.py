"""What several pages are asked for in their query strings: codes, a build, a page of a list; with notes on the rest."""

from __future__ import annotations

from dataclasses import dataclass

from datasette_plugins.catalogue import Works
from datasette_plugins.endpoint import PageRequest
from kb.comparison import table

# What `build` does in the address of a comparison.
BUILD_ASKED = "a build by name: notes say if another one is served now"
# So many values of a field are told of when they name nothing.
MOST_NOTES = 5


def at_page(number: int) -> str:
    """The query string that names a page of a list; the first needs none."""
    return f"?page={number}" if number > 1 else ""


def shortened(typed: str, most: int = 80) -> str:
    """What was typed, as a heading or message repeats it: cut if nobody would read it to its end."""
    return typed if len(typed) <= most else typed[:most] + "…"


def rebuilt(request: PageRequest) -> list[str]:
    """A note if the address names another build than the one that is served."""
    build = request.get("build")
    if not build or not request.build or build == request.build:
        return []
    return [f"The library has been rebuilt since this address was made: it names build {shortened(build)}, "
            f"this is build {request.build}. Answers and texts may have changed."]  # fmt: skip


def club(request: PageRequest, catalogue: Works) -> tuple[str, list[str]]:
    """The code that the reader's club plays, as an address has it in `code`: "" for all; with notes on what is none."""
    given = [value.strip() for value in request.all("code")]
    known = [value for value in given if value in catalogue.codes]
    unknown = [value for value in given if value not in catalogue.codes]
    notes = [f"There is no code “{shortened(value)}”; it was left out." for value in unknown[:1]]
    notes += [f"Only one code can be chosen; this is {catalogue.label(known[0])}."] if len(set(known)) > 1 else []
    return (known[0] if known else ""), notes


@dataclass(frozen=True, slots=True)
class Option:
    """A code that may be chosen, and the address of the page with the code in the first place."""

    id: str
    chosen: bool
    first: str = ""


def named_codes(request: PageRequest, catalogue: Works) -> tuple[tuple[str, ...], list[str]]:
    """The codes that `codes` names, by commas or repeated, in their order; with notes on what is left out of it."""
    given = dict.fromkeys(v.strip() for field in request.all("codes") for v in field.split(",") if v.strip())
    unknown = [value for value in given if value not in catalogue.codes]
    notes = [f"There is no code “{shortened(value)}”; it was left out." for value in unknown[:MOST_NOTES]]
    if len(unknown) > MOST_NOTES:
        notes.append(f"{len(unknown) - MOST_NOTES} more names of codes that do not exist were left out.")
    known = tuple(value for value in given if value in catalogue.codes)
    if len(known) > table.MOST:
        notes.append(f"{len(known)} codes were named; the first {table.MOST} of them are shown.")
    return known[: table.MOST], notes
