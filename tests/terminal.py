"""The command line, run in the process of the tests."""

from __future__ import annotations

from click.testing import CliRunner, Result

from datasette_plugins.command import cli


def whist(*words: object, said: str = "") -> Result:
    """Run the command with arguments and with `said` as its standard input."""
    return CliRunner().invoke(cli, [str(word) for word in words], input=said)
