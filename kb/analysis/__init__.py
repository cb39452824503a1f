"""How a text is read, a law and a question alike: its words, their stems, and what it speaks of."""
