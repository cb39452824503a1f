"""The editor's judgements on provisions: read from the corpus, applied over machine results, checked for staleness."""
