"""Queries of a built knowledge base, and the forms in which units are read, compared and cited."""
