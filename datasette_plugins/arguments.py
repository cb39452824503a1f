"""Query-string arguments that several pages share: codes, a build; with notes on what is ignored."""

from __future__ import annotations

from datasette_plugins.catalogue import Works
from datasette_plugins.endpoint import PageRequest

# The description of the argument `build` of a comparison.
BUILD_ASKED = "a build by name: notes say if another one is served now"


def shortened(typed: str, most: int = 80) -> str:
    """Shorten typed text that a heading or message repeats."""
    return typed if len(typed) <= most else typed[:most] + "…"


def rebuilt(request: PageRequest) -> list[str]:
    """Return a note if the URL names a build other than the one that is served."""
    build = request.get("build")
    if not build or not request.build or build == request.build:
        return []
    return [f"The library has been rebuilt since this address was made: it names build {shortened(build)}, "
            f"this is build {request.build}. Answers and texts may have changed."]  # fmt: skip


def club(request: PageRequest, catalogue: Works) -> tuple[str, list[str]]:
    """The argument `code`, the code that the reader's club plays ("" for all), and notes on values left out."""
    given = [value.strip() for value in request.all("code")]
    known = [value for value in given if value in catalogue.codes]
    unknown = [value for value in given if value not in catalogue.codes]
    notes = [f"There is no code “{shortened(value)}”; it was left out." for value in unknown[:1]]
    notes += [f"Only one code can be chosen; this is {catalogue.label(known[0])}."] if len(set(known)) > 1 else []
    return (known[0] if known else ""), notes
