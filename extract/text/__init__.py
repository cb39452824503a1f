"""The scan and its reading text: source, lines, tokens, spacing, and the layer that joins scan and edits."""
