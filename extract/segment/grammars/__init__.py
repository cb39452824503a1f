"""One grammar for each kind of text: provisions, cases, commentary, chapters, prose, entries, tables."""
