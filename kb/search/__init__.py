"""Full-text search: the language of the search box, facets, hits and their marks."""
