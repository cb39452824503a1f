"""Look at a scan that nobody has described yet: what it is, how it is numbered, and what plan its book may have."""
