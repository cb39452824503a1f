"""The HTTP server around Datasette: connection, gate, errors, and the change to a new build."""
