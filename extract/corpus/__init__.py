"""The editor's files of one book: bibliography and plan, errata, and the boundary through which TOML comes in."""
