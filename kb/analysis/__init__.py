"""Analysis of texts, laws and questions alike: their words, the stems of these, and the concepts they mention."""
