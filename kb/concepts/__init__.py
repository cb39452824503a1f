"""The concepts that a unit mentions, and what it orders."""
