"""References in the text: found, expanded and resolved in context."""
