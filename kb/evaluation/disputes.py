"""Fit the weights of disputes, and tell honestly what they reach: each question left out with all that is its own.

Weights: a listwise model, the likelihood of the right provisions under a softmax over the provisions of a code (Cao et
al., "Learning to Rank", 2007), none below nought, by Adam. Silence: a logistic model. A question is asked of five
codes, so folds are made of questions and not of lists.
"""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from kb.dispute.adjudication import SILENCE, WEIGHTS, combined, signs
from kb.dispute.evidence import KINDS, gather
from kb.dispute.index import Index, load_index
from kb.evaluation.adjudications import Asked, questions

FOLDS = 5
_STEPS, _PACE, _RIDGE = 400, 0.09, 0.001
_SIGNS = tuple(sign for sign in SILENCE if sign != "bias")

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class _List:
    """The provisions of a code as rows of evidence, and which are right."""

    asked: Asked
    evidence: Array
    right: Array


def fit(conn: sqlite3.Connection, gold: Path) -> Iterator[str]:
    """Fit weights and silence, and tell what they reach by cross-validation and on what was held out.

    Args:
        conn: a knowledge base with the editor's answers.
        gold: the folder of gold files.
    Returns:
        Lines: figures by source, then the weights for `kb.dispute.adjudication`.
    """
    index = load_index(conn)
    asked = questions(conn, gold, index)
    lists = [_list(index, each) for each in asked]
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
        yield _told(source, found)
    yield "WEIGHTS " + ", ".join(f'"{kind}": {w:.2f}' for kind, w in zip(KINDS, final, strict=True))
    yield from _fit_silence(index, [a for a in asked if a.source not in ("cases", "digests")], fold, final)


def _list(index: Index, asked: Asked) -> _List:
    issue = asked.issue
    evidence = gather(index, issue.put, WEIGHTS, stressed=issue.asked, exclude=asked.exclude)
    units = [p.id for p in index.provisions.values() if p.code == asked.code]
    matrix = np.array([[evidence.kinds[kind].get(unit, 0.0) for kind in KINDS] for unit in units])
    return _List(asked, matrix, np.array([float(unit in asked.right) for unit in units]))


def _fit_weights(lists: Sequence[_List]) -> Array:
    """Adam on the negative log likelihood of the right provisions; evidence is scaled so that one pace fits all."""
    scale = np.maximum(1e-6, np.mean([x.evidence.max(axis=0) for x in lists], axis=0)) / 4
    weights = np.full(len(KINDS), 0.5)
    first, second = np.zeros_like(weights), np.zeros_like(weights)
    for step in range(1, _STEPS + 1):
        slope = _RIDGE * weights
        for x in lists:
            scaled = x.evidence / scale
            likely = _softmax(scaled @ weights)
            right = x.right * likely
            slope = slope + scaled.T @ (likely - right / max(right.sum(), 1e-12)) / len(lists)
        first, second = 0.9 * first + 0.1 * slope, 0.99 * second + 0.01 * slope**2
        weights = weights - _PACE * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.99**step)) + 1e-8)
        weights = np.maximum(weights, 0.0)
    return np.asarray(weights / scale)


def _softmax(scores: Array) -> Array:
    raised = np.exp(scores - scores.max())
    return np.asarray(raised / raised.sum())


def _rank(x: _List, weights: Array) -> int:
    order = np.argsort(-(x.evidence @ weights), kind="stable")
    return int(np.nonzero(x.right[order])[0][0]) + 1


def _told(source: str, found: Sequence[int]) -> str:
    shares = [sum(rank <= k for rank in found) / len(found) for k in (1, 5, 10)]
    mrr = sum(1 / rank for rank in found) / len(found)
    hits = ", ".join(f"hit@{k} {share:.3f}" for k, share in zip((1, 5, 10), shares, strict=True))
    return f"{source}: {len(found)} lists; {hits}, MRR {mrr:.3f}"


def _fit_silence(index: Index, asked: Sequence[Asked], fold: dict[str, int], weights: Array) -> Iterator[str]:
    by_kind = dict(zip(KINDS, map(float, weights), strict=True))
    found = []
    for each in asked:
        evidence = gather(index, each.issue.put, by_kind, stressed=each.issue.asked)
        given = signs(index, evidence, combined(evidence, index.provisions, by_kind), each.code)
        found.append([given[sign] for sign in _SIGNS] + [1.0])
    table, silent = np.array(found), np.array([float(not each.right) for each in asked])
    held = np.array([each.held_out for each in asked])
    folds = np.array([fold.get(each.group, -1) for each in asked])
    certain = np.zeros(len(asked))
    for k in range(FOLDS):
        certain[folds == k] = _logistic(
            table[folds == k], _fit_logistic(table[(folds != k) & ~held], silent[(folds != k) & ~held])
        )
    final = _fit_logistic(table[~held], silent[~held])
    certain[held] = _logistic(table[held], final)
    for name, which in (("silence, left out in turn", ~held), ("silence, held out", held)):
        for sure in (0.5, 0.55, 0.6, 0.7):
            told, wrong = certain[which & (silent == 1)] >= sure, certain[which & (silent == 0)] >= sure
            shares = f"told {told.mean():.3f} of {len(told)}, wrongly {wrong.mean():.3f} of {len(wrong)}"
            yield f"{name}, from {sure}: {shares}"
    yield "SILENCE " + ", ".join(f'"{sign}": {w:.2f}' for sign, w in zip((*_SIGNS, "bias"), final, strict=True))


def _logistic(table: Array, weights: Array) -> Array:
    return np.asarray(1 / (1 + np.exp(-table @ weights)))


def _fit_logistic(table: Array, silent: Array) -> Array:
    weights = np.zeros(table.shape[1])
    for _ in range(4000):
        slope = table.T @ (_logistic(table, weights) - silent) / len(silent)
        weights = weights - 0.5 * (slope + 0.002 * np.append(weights[:-1], 0.0))
    return np.asarray(weights)
