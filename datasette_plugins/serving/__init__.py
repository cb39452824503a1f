"""The HTTP server around Datasette: connection, gate, errors, and the switch to a new build."""
