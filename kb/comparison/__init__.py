"""What the codes rule: the answers of a topic, its course through time, and what hangs on one provision."""
