"""One grammar for each kind of matter: provisions, cases, commentary, chapters, prose, entries, tables."""
