"""English: lexicon, stems, sentences, spelling, the shape of tokens, and the similarity of texts."""
