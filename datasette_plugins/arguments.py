"""Query-string arguments that several pages share: a code; what cannot be meant is refused."""

from __future__ import annotations

from datasette_plugins.catalogue import Works
from datasette_plugins.missing import missing
from datasette_plugins.site import PageRequest, Refused


def code_named(name: str, catalogue: Works) -> str:
    """The id of the code that an id or a year names; "" if there is none."""
    return next((code.id for code in catalogue.codes.values() if name in (code.id, str(code.year))), "")


def chosen_code(request: PageRequest, catalogue: Works, field: str = "code", others: tuple[str, ...] = ()) -> str:
    """The code that an argument names by id or year, or one of the other words that it may be; "" if it is not given.

    Raises:
        Refused: it names none, or several.
    """
    given = list(dict.fromkeys(value.strip() for value in request.all(field)))
    found = list(dict.fromkeys(value if value in others else code_named(value, catalogue) for value in given))
    if len(found) > 1 or not all(found):
        allowed = ", ".join([*catalogue.codes, *others])
        raise Refused(missing(request, "code", ", ".join(given), hint=f"Write one of these, or a year: {allowed}."))
    return found[0] if found else ""


def only(request: PageRequest, *names: str) -> None:
    """Check that a list that is asked for as data has no other arguments: its reader would take it for filtered.

    Raises:
        Refused: it has.
    """
    unknown = [name for name in request.args if name not in names]
    if request.as_data and unknown:
        hint = f"This list takes {', '.join(names)}." if names else "This list takes none."
        raise Refused(missing(request, "argument", unknown[0], hint=hint, status=400))
