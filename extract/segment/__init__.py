"""Segmentation: the parts of a book, and the segments that their grammars find in them."""
