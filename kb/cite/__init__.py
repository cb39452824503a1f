"""Citations: one grammar reads and writes them, for the search box, the commands and the checking of a text."""
