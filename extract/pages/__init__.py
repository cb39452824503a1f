"""Page furniture and page numbers: running heads, folios, the pages between them, and notes at their feet."""
