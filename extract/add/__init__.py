"""Add a scan that has no book.toml: find its codes of laws, propose a plan that builds, say what was not read."""
