"""Post-correction of OCR: white space, joins, signs, numbers and words, each change with its rule and evidence."""
