"""Survey a scan that has no book.toml yet: its layout, its numberings, and a proposed plan for its book."""
