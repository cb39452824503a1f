"""Post-correction of OCR: white space, hyphens, punctuation, numbers and words; each edit has a rule and evidence."""
