"""Page furniture and page numbers: running heads, folios, and the pages between them."""
