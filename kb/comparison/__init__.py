"""What the codes rule: the answers on a topic, their course through time, and the answers and cases of a provision."""
