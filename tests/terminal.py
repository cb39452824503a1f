"""The command line, run in the process of the tests."""

import time
from typing import Any

from click.testing import CliRunner, Result

from datasette_plugins.command import cli
from extract.errors import WhistError


def whist(*words: object, said: str = "") -> Result:
    """Run the command with arguments and with `said` as its standard input."""
    return CliRunner().invoke(cli, [str(word) for word in words], input=said)


def refusal(*words: object) -> str:
    """The error message of a command that must be refused."""
    error = whist(*words).exception
    assert isinstance(error, WhistError), (words, error)
    return str(error)


def until(condition: Any, seconds: float = 60) -> bool:
    """Wait until a condition holds; whether it did in time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.05)
    return False
