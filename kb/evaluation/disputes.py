"""Fit the weights of disputes, and cross-validate them: a question is left out together with all its lists.

Weights: a listwise model, the likelihood of the right provisions under a softmax over the provisions of a code (Cao et
al., "Learning to Rank", 2007), with no negative weights. Silence: a logistic model. A question is put to five codes, so
folds are made of questions and not of lists. Both are fitted with scikit-learn and scipy, one of its dependencies.
"""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from kb.analysis.weights import as_toml
from kb.dispute.adjudication import SILENCE, WEIGHTS, signs
from kb.dispute.evidence import KINDS, gather
from kb.dispute.index import Index, load_index
from kb.evaluation.fitting import logistic
from kb.evaluation.retrieval import GoldQuestion, questions, ranked
from kb.read.rows import fetch

DIGESTS = "select unit_id, facts from digest"
FOLDS = 5
# Both keep the weights of rare features from growing without bound.
_RIDGE, _SILENCE_RIDGE = 0.001, 0.002
_SIGNS = tuple(sign for sign in SILENCE if sign != "bias")

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class _RankedList:
    """The provisions of a code as rows of evidence, and whether each is right."""

    asked: GoldQuestion
    evidence: Array
    right: NDArray[np.bool_]


def fit(conn: sqlite3.Connection, gold: Path) -> Iterator[str]:
    """Fit weights and silence, and measure them by cross-validation and on the held-out questions.

    Args:
        conn: a knowledge base with the editor's answers.
        gold: the folder of gold files.
    Returns:
        Lines of text: figures by source, and the weights for `kb.dispute.adjudication`.
    """
    index = load_index(conn)
    asked = [*questions(gold, index.provisions), *_digests(conn, index)]
    lists = [_evidence_list(index, each) for each in asked]
    tuned = [x for x in lists if not x.asked.held_out]
    groups = sorted({x.asked.group for x in tuned if x.asked.source != "digests"})
    random.Random(0).shuffle(groups)
    fold = {group: i % FOLDS for i, group in enumerate(groups)}
    ranks: dict[str, list[int]] = {}
    for k in range(FOLDS):
        weights = _fit_weights([x for x in tuned if fold.get(x.asked.group) != k and x.right.any()])
        for x in tuned:
            if fold.get(x.asked.group) == k and x.right.any():
                ranks.setdefault(x.asked.source, []).append(_rank(x, weights))
    final = _fit_weights([x for x in tuned if x.right.any()])
    for x in lists:
        if x.asked.held_out and x.right.any():
            ranks.setdefault(x.asked.source, []).append(_rank(x, final))
    for source, found in ranks.items():
        yield _figures(source, found)
    yield from as_toml("dispute", dict(zip(KINDS, final, strict=True)))
    yield from _fit_silence(index, [a for a in asked if a.source not in ("cases", "digests")], fold, final)


def _digests(conn: sqlite3.Connection, index: Index) -> Iterator[GoldQuestion]:
    """Yield the facts in the editor's case digests as questions, put to each code whose provisions decided the case."""
    for case, facts in fetch(conn, lambda *row: row, DIGESTS):
        turned = {unit: index.provisions[unit].code for unit in index.turned.get(case, ())}
        for code in sorted(set(turned.values())):
            right = frozenset(unit for unit, its in turned.items() if its == code)
            yield GoldQuestion("digests", code, case, "digests", facts, (case,), code, right)


def _evidence_list(index: Index, asked: GoldQuestion) -> _RankedList:
    issue = asked.issue
    evidence = gather(index, issue.with_facts, WEIGHTS, stressed=issue.question, exclude=asked.exclude)
    rows = index.of_code[asked.code]
    matrix = np.column_stack([evidence.kinds[kind][rows] for kind in KINDS])
    return _RankedList(asked, matrix, np.isin(rows, [index.place[unit] for unit in asked.right]))


def _fit_weights(lists: Sequence[_RankedList]) -> Array:
    """Minimise the negative log likelihood of the right provisions; evidence is scaled so that kinds weigh alike."""
    from scipy.optimize import minimize
    from scipy.special import log_softmax, logsumexp

    scale = np.maximum(1e-6, np.mean([x.evidence.max(axis=0) for x in lists], axis=0)) / 4

    def loss(weights: Array) -> tuple[float, Array]:
        value, slope = _RIDGE / 2 * float(weights @ weights), _RIDGE * weights
        for x in lists:
            scaled = x.evidence / scale
            likely = log_softmax(scaled @ weights)
            right = logsumexp(likely[x.right])
            value -= float(right) / len(lists)
            slope = slope + scaled.T @ np.exp(likely) / len(lists)
            slope = slope - scaled[x.right].T @ np.exp(likely[x.right] - right) / len(lists)
        return value, slope

    start, bounds = np.full(len(KINDS), 0.5), [(0.0, None)] * len(KINDS)
    return np.asarray(minimize(loss, start, jac=True, bounds=bounds).x / scale)


def _rank(x: _RankedList, weights: Array) -> int:
    order = np.argsort(-(x.evidence @ weights), kind="stable")
    return int(np.nonzero(x.right[order])[0][0]) + 1


def _figures(source: str, found: Sequence[int]) -> str:
    r = ranked(found)
    return f"{source}: {r.queries} lists; hit@1 {r.hit1:.3f}, hit@5 {r.hit5:.3f}, hit@10 {r.hit10:.3f}, MRR {r.mrr:.3f}"


def _fit_silence(index: Index, asked: Sequence[GoldQuestion], fold: dict[str, int], weights: Array) -> Iterator[str]:
    by_kind = dict(zip(KINDS, map(float, weights), strict=True))
    found = []
    for each in asked:
        evidence = gather(index, each.issue.with_facts, by_kind, stressed=each.issue.question)
        given = signs(index, evidence, evidence.total(by_kind), each.code)
        found.append([given[sign] for sign in _SIGNS])
    table, silent = np.array(found), np.array([float(not each.right) for each in asked])
    held = np.array([each.held_out for each in asked])
    folds = np.array([fold.get(each.group, -1) for each in asked])
    certain = np.zeros(len(asked))
    for k in range(-1, FOLDS):
        seen, judged = (folds != k) & ~held, folds == k
        model = logistic(table[seen], silent[seen], ridge=_SILENCE_RIDGE * seen.sum())
        certain[judged] = model.predict_proba(table[judged])[:, 1]
    final = logistic(table[~held], silent[~held], ridge=_SILENCE_RIDGE * (~held).sum())
    for name, which in (("silence, left out in turn", ~held), ("silence, held out", held)):
        for sure in (0.5, 0.55, 0.6, 0.7):
            recognised, wrong = certain[which & (silent == 1)] >= sure, certain[which & (silent == 0)] >= sure
            shares = f"told {recognised.mean():.3f} of {len(recognised)}, wrongly {wrong.mean():.3f} of {len(wrong)}"
            yield f"{name}, from {sure}: {shares}"
    yield from as_toml("silence", dict(zip(("bias", *_SIGNS), (*final.intercept_, *final.coef_[0]), strict=True)))
