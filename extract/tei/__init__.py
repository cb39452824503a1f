"""The edition as TEI P5, written and read back."""
