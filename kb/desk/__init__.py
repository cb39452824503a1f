"""The editor's desk: what is still open in a knowledge base, and tools to settle it."""
