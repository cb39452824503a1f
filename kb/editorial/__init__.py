"""What the editor says of provisions: read from the corpus, laid over what the machine found, checked for age."""
