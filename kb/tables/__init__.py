"""The tables of the knowledge base: their definitions and descriptions."""
