"""From editions to the knowledge base: schema, loading, concepts, links, search, citations and the command line."""

from kb.library import Comparison, Law, Library, open_library

__all__ = ["Comparison", "Law", "Library", "open_library"]
