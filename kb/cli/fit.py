"""The command that fits the matcher of questions."""

from __future__ import annotations

from pathlib import Path

import click

from extract.errors import WhistError
from kb.cli.options import CORPUS, find_corpus
from kb.cli.signals import nothing_to_clear


@click.command("fit")
@CORPUS
def fit_command(corpus: Path | None) -> None:
    """Fit the matcher of questions to the paraphrases, and write it beside them (half a minute).

    Needed after a change of questions or paraphrases; until then a new question is found by its words alone.
    """
    with nothing_to_clear():
        from kb.build.atomic import whole_file
        from kb.editorial.judgements import question_labels, read_judgements
        from kb.questions.fit import fit
        from kb.questions.matcher import FILE
        from kb.questions.paraphrases import read_paraphrases
    folder = find_corpus(corpus)
    labels = question_labels(read_judgements(folder))
    paraphrases = read_paraphrases(folder, labels)
    try:
        fitted = fit(labels, paraphrases)
    except ImportError as error:
        raise WhistError("Fitting needs scikit-learn; install requirements-dev.lock (`make fit` does).") from error
    with whole_file(folder / FILE) as path:
        path.write_bytes(fitted)
    known = sum(map(len, paraphrases.values()))
    click.echo(f"{folder / FILE}: {len(labels)} questions, {known} paraphrases, {len(fitted)} bytes")


COMMANDS = (fit_command,)
