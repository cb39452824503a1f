"""Fit the weights of the links to the editor's verdicts, and cross-validate them.

The editor has judged all pairs of provisions, so every pair without a link is a counter-example. The model is logistic
regression with a ridge (Hoerl & Kennard, Technometrics 12, 1970), fitted by scikit-learn. It is tested on whole matters
left out, and on pairs of codes left out. When a matter is left out, so is every pair with even one provision of it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from extract.corpus.book import load_books
from extract.errors import WhistError
from extract.model import work_of
from extract.text.textlayer import TextLayer
from kb.alignment.features import FEATURES, LinkCandidate, Pair
from kb.alignment.links import (
    THRESHOLD,
    TWINS,
    averaged_over_twins,
    compared,
    compared_codes,
    reduced,
    score,
    taken_over,
)
from kb.analysis.weights import as_toml
from kb.build.editions import make_editions
from kb.concepts.outcomes import read_outcomes
from kb.concepts.passages import passages
from kb.concepts.tagging import Tagger, read_thesaurus, tag_units
from kb.editorial.concordance import Verdict, judge
from kb.editorial.judgements import read_judgements
from kb.editorial.twins import twins, with_twins
from kb.evaluation.gold import provision

Model = Callable[[LinkCandidate], float]


@dataclass(frozen=True, slots=True)
class Verdicts:
    """The editor's verdicts: the linked pairs, the provisions of each matter, and which codes are one text."""

    linked: frozenset[Pair]
    matters: Mapping[str, frozenset[str]]
    same: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class HeldOutScore:
    """The result on data left out: how many pairs are linked by the editor (`wanted`), by the model, and by both."""

    name: str
    found: int
    wanted: int
    proposed: int


@dataclass(frozen=True, slots=True)
class Fit:
    """The weights fitted to all pairs, and the results on matters and on pairs of codes left out.

    `shipped` has the results of the shipped weights on the same matters.
    """

    weights: Mapping[str, float]
    matters: tuple[HeldOutScore, ...]
    codes: tuple[HeldOutScore, ...]
    shipped: tuple[HeldOutScore, ...]


def fit_links(corpus: Path, progress: Callable[[str], None]) -> Fit:
    """Fit the weights of the links, and cross-validate them.

    Args:
        corpus: the corpus, with its concordance.
        progress: called with a sentence at each step.
    Raises:
        BookError: one of the corpus files is invalid.
    """
    books = load_books(corpus)
    editions = make_editions(books, unaided=True, progress=progress)
    concepts, outcomes = read_thesaurus(corpus / "thesaurus.toml"), read_outcomes(corpus / "library.toml")
    units = [unit for edition in editions for unit in edition.units]
    texts = [t for e in editions for t in passages(e.units, TextLayer(e.scan, e.edits))]
    codes = [c.id for c in sorted((c for b in books for c in b.codes), key=lambda c: (c.year, c.id))]
    progress("features")
    digests = reduced(units, tag_units(texts, Tagger(concepts)), concepts, outcomes)
    provisions = compared_codes(digests, codes)
    known = compared(provisions, taken_over([digests.provisions[code] for code in codes]), outcomes)
    order = [d.unit.id for code in provisions for d in code]
    progress("weights")
    return cross_validate(known, _verdicts(corpus, units, codes, order), order)


def _verdicts(corpus: Path, units: Sequence[Any], codes: Sequence[str], order: Collection[str]) -> Verdicts:
    said = read_judgements(corpus)
    ids = {unit.id for unit in units}
    present = [v for v in said.every(Verdict) if {v.a, v.b} <= ids]
    position = {code: i for i, code in enumerate(codes)}
    twin_of = twins(said.twins, units)
    links = judge((), present, (), twin_of, sorted(units, key=lambda u: (position.get(u.code_id or "", -1), u.seq)))
    pairs = {(provision(row.a), provision(row.b)) for row in links}
    return Verdicts(
        frozenset(pair for pair in pairs if {*pair} <= set(order)),
        {topic.id: frozenset(with_twins(topic.said.members, twin_of)) for topic in said.topics},
        {twin_codes.b: twin_codes.a for twin_codes in said.twins},
    )


def cross_validate(known: Sequence[LinkCandidate], verdicts: Verdicts, order: Sequence[str]) -> Fit:
    """Fit weights to all candidates; and again for each matter and pair of codes, without its candidates.

    Args:
        known: the candidates of all pairs of codes.
        verdicts: the editor's verdicts on them.
        order: the ids of all provisions, those of earlier codes first.
    """
    matters, codes, shipped = [], [], []
    for name, members in verdicts.matters.items():
        model = _model([c for c in known if not members & {c.a, c.b}], verdicts)
        matters.append(_measure(name, model, known, verdicts, order, lambda p, m=members: m >= {*p}))  # type: ignore[misc]
        shipped.append(_measure(name, score, known, verdicts, order, lambda p, m=members: m >= {*p}))  # type: ignore[misc]

    def both(pair: Pair) -> tuple[str, str]:
        a, b = sorted(verdicts.same.get(code, code) for code in map(work_of, pair))
        return a, b

    for codes_pair in dict.fromkeys(both(c.pair) for c in known):
        model = _model([c for c in known if both(c.pair) != codes_pair], verdicts)
        name = " - ".join(codes_pair)
        codes.append(_measure(name, model, known, verdicts, order, lambda p, q=codes_pair: both(p) == q))  # type: ignore[misc]
    return Fit(fit(known, verdicts.linked), tuple(matters), tuple(codes), tuple(shipped))


def _model(known: Sequence[LinkCandidate], verdicts: Verdicts) -> Model:
    return partial(score, weights=fit(known, verdicts.linked))


def _measure(
    name: str,
    model: Model,
    known: Sequence[LinkCandidate],
    verdicts: Verdicts,
    order: Sequence[str],
    within: Callable[[Pair], bool],
) -> HeldOutScore:
    """Measure a model on the pairs that were left out when it was fitted."""
    inside = [c for c in known if within(c.pair)]
    scores = averaged_over_twins(
        {c.pair: model(c) for c in inside}, {c.pair for c in known if c.letters >= TWINS}, order
    )
    proposed = {pair for pair, value in scores.items() if value >= THRESHOLD and within(pair)}
    wanted = {pair for pair in verdicts.linked if within(pair)}
    return HeldOutScore(name, len(proposed & wanted), len(wanted), len(proposed))


def fit(known: Sequence[LinkCandidate], linked: Collection[Pair]) -> dict[str, float]:
    """Fit the weights of the features and the bias (`bias`), by logistic regression with a ridge on the weights.

    Args:
        known: candidates, linked or not.
        linked: the pairs that the editor links.
    """
    x = [[c.features[name] for name in FEATURES] for c in known]
    model = logistic(x, [c.pair in linked for c in known])
    fitted = zip(("bias", *FEATURES), (*model.intercept_, *model.coef_[0]), strict=True)
    return {name: round(float(weight), 2) for name, weight in fitted}


def logistic(x: Any, y: Any, ridge: float = 1.0) -> Any:
    """Fit a logistic regression with a ridge on the weights, but not on the bias.

    Args:
        x, y: the features, a row for each example, and the class of each.
        ridge: the weight of the ridge relative to the sum of the losses.
    Returns:
        The fitted `sklearn.linear_model.LogisticRegression`.
    Raises:
        WhistError: scikit-learn is not installed, or all examples have the same class.
    """
    try:
        from sklearn.linear_model import LogisticRegression
    except ImportError as error:
        raise WhistError("Fitting needs scikit-learn; install the project with the extra `dev`.") from error
    if len(set(y)) < 2:
        raise WhistError("There is nothing to fit, because all judgements are the same; judge more pairs.")
    return LogisticRegression(C=1 / ridge, solver="newton-cholesky", tol=1e-8).fit(x, y)


def lines(found: Fit) -> Iterator[str]:
    """Yield the weights in the format of kb/data/weights.toml, and a Markdown table for each cross-validation."""
    yield from as_toml("links", found.weights)
    for title, rows in (("matter", found.matters), ("codes", found.codes)):
        yield from ("", f"| {title} left out | pairs | found | of those proposed right |", "|---|---|---|---|")
        for row in (*rows, total(rows)):
            yield f"| {row.name} | {row.wanted} | {_share(row.found, row.wanted)} | {_share(row.found, row.proposed)} |"
    sums = total(found.shipped)
    yield ""
    yield (
        f"With the weights that ship, on the same matters: {_share(sums.found, sums.wanted)} found, "
        f"{_share(sums.found, sums.proposed)} right."
    )


def total(rows: Sequence[HeldOutScore]) -> HeldOutScore:
    """Return the sums of a table; a pair that belongs to two matters counts in each."""
    return HeldOutScore("all", sum(r.found for r in rows), sum(r.wanted for r in rows), sum(r.proposed for r in rows))


def _share(some: int, of: int) -> str:
    return f"{some / of:.2f}" if of else "-"
