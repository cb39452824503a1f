"""Which numberings of a scan are codes of laws, what they are called, and where they begin and end."""
