"""Numerals as OCR reads them, and the decoding of a whole series of labels."""
