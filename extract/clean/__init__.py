"""Cleaning of a scan: words cut at line ends, misread signs, misread words, and white space."""
