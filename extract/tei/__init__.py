"""The edition as TEI P5."""
