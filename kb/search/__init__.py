"""Full-text search: query language, facets, ranking and highlights."""
