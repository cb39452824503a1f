"""Citations with the words they quote: writing them, and verifying those of a text."""
