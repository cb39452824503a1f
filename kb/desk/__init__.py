"""The editor's desk: what waits for him in a knowledge base, and what helps him to settle it."""
