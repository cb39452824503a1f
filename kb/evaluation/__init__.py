"""Measure a knowledge base against gold data made by hand: letters, units, references, links, answers, retrieval."""

from kb.evaluation.report import Report, evaluate

__all__ = ["Report", "evaluate"]
