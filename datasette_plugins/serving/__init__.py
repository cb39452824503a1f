"""The HTTP server around Datasette: connection, gate, headers, caching, errors, and the change to a new build."""
