"""Run a command line: errors in one sentence, no traceback after a signal, silence when a pipe is closed."""

from __future__ import annotations

import io
import signal
import sys
from contextlib import suppress
from types import FrameType
from typing import NoReturn

import click

from extract.errors import WhistError


class Stopped(BaseException):
    """The process received a signal to end."""


def run(command: click.Group) -> NoReturn:
    """Run a command line: an error is one sentence on standard error and exit status 2, never a traceback.

    A signal ends it with one sentence and the status that shells use; a closed pipe (`| head`) ends it silently.
    """
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is signal.SIG_DFL:  # ignored signals (`nohup`) stay ignored
            signal.signal(number, _stop)
    try:
        raise SystemExit(_status(command))
    except (click.Abort, KeyboardInterrupt, Stopped) as ended:
        _tell("stopped.", "\n" if isinstance(ended, click.Abort) else "")  # a question has no line end
        number = ended.args[0] if isinstance(ended, Stopped) else signal.SIGINT
        raise SystemExit(128 + number) from None
    except BrokenPipeError:
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
        signal.raise_signal(signal.SIGPIPE)
        raise SystemExit(128 + signal.SIGPIPE) from None


def _stop(number: int, _: FrameType | None) -> None:
    """End by an exception, so that unfinished files are removed; a second signal ends the process at once."""
    signal.signal(number, signal.SIG_DFL)
    raise Stopped(number)


def _status(command: click.Group) -> int:
    """Run a command line, print its errors, and return its exit status."""
    if sys.stdout is None:
        _tell("Standard output is closed; leave it open or redirect it to a file.")
        return 2
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # file names need not be valid UTF-8
    try:
        with command.make_context("whist", sys.argv[1:]) as context:
            command.invoke(context)
        sys.stdout.flush()
    except click.exceptions.Exit as left:
        return left.exit_code
    except click.ClickException as error:
        error.show()
        return 2
    except WhistError as error:
        _tell(str(error))
        return 2
    except BrokenPipeError:
        raise
    except OSError as error:
        what = error.filename or "The output"
        _tell(f"{what} cannot be read or written ({error.strerror}); free some space or choose another place.")
        return 2
    return 0


def _tell(text: str, before: str = "") -> None:
    """Print a sentence on standard error, if it is open."""
    with suppress(OSError):
        click.echo(f"{before}whist: {text}", err=True)
