"""The console command `whist`; a signal ends it without a traceback even while its modules are being imported."""

from __future__ import annotations

from kb.cli.signals import nothing_to_clear


def main() -> None:
    """Import the command line and run it."""
    with nothing_to_clear():
        from datasette_plugins.command import main as command
    command()
