"""What a unit speaks of, and what it orders."""
