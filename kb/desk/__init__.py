"""The editor's desk: what is still open in a knowledge base, and the decisions on its doubtful words."""
