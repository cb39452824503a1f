"""Misread words: candidates from a noisy channel, ranked by a language model of the book."""
