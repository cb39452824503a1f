"""Citations that carry the words they quote: how they are written, and whether a text's citations still hold."""
