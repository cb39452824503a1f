"""The static copy: every page of the library as a file, for a server that only serves files."""
