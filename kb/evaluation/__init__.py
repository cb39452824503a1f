"""Measure a knowledge base against gold data made by hand: letters, units, references, links, answers, finding."""
