"""What can go wrong, as a small hierarchy; every message tells the user what to do next."""

from __future__ import annotations


class WhistError(Exception):
    """The root: bad input or a broken promise of the data, told in one sentence."""


class ScanError(WhistError):
    """A scan that cannot be read: missing, empty, binary, in another encoding, or changed."""


class BookError(WhistError):
    """A book.toml, errata.toml or other editor's file that does not say what it must."""


class EditError(WhistError):
    """An edit that does not fit its scan: wrong `before`, or overlapping another one."""


class LedgerError(WhistError):
    """Units and furniture do not add up to the whole scan."""


class UnknownIdError(WhistError):
    """An id that no unit has; the message names the nearest ones."""


class QueryError(WhistError):
    """A question is not put in a form that can be answered."""


class DatabaseError(WhistError):
    """A knowledge base that is missing, or was not written by `whist build`."""


class TeiError(WhistError):
    """A TEI file that is not one of ours or was changed, or an edition that TEI cannot carry."""


def printable(said: object) -> str:
    """What is said as text of one line: control characters and what no terminal can show stand as escapes."""
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in str(said))
