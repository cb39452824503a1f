"""The exceptions of the library; every message tells the user what to do next."""

from __future__ import annotations


class WhistError(Exception):
    """The base class: bad input or inconsistent data, described in one sentence."""


class ScanError(WhistError):
    """A scan that cannot be read: missing, empty, binary, in another encoding, or changed."""


class BookError(WhistError):
    """A book.toml, errata.toml or another of the editor's files that is missing, unreadable or invalid."""


class EditError(WhistError):
    """An edit that does not fit its scan: wrong `before`, or overlapping another one."""


class LedgerError(WhistError):
    """Units and furniture do not cover the whole scan, units overlap, or several have the same id."""


class UnknownIdError(WhistError):
    """An id that no unit has; the message names the nearest ones."""


class QueryError(WhistError):
    """A query or document that is malformed, too large or cannot be answered."""


class DatabaseError(WhistError):
    """A knowledge base that is missing, or was not written by `whist build`."""


class TeiError(WhistError):
    """An edition that TEI cannot represent, or a TEI document that does not follow our schema."""


def printable(said: object) -> str:
    """Return a value as text on one line, with control characters and others that are not printable escaped."""
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in str(said))
