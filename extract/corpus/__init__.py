"""The editor's files: a book's bibliography, plan and errata, the settings of a library, and the reading of TOML."""
