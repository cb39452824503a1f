"""The console command `whist`; even while it is being loaded a signal ends it without a word."""

from __future__ import annotations

from kb.cli.signals import nothing_to_clear


def main() -> None:
    """Load the command line and run it."""
    with nothing_to_clear():
        from datasette_plugins.command import main as command
    command()
