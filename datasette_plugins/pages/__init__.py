"""The pages, a module for each task of a reader: a view `(conn, request) -> page`, and its frozen dataclass."""
