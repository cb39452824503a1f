"""What the project knows of English: lexicon, stems, the shape of a token, how like two wordings are."""
