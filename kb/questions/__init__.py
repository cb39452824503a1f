"""Which question of the topics a text asks: paraphrases, and the matcher that is fitted to them."""
