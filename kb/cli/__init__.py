"""The commands of the knowledge base."""
