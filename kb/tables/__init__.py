"""The tables of the knowledge base: what they are, and how they are described."""
