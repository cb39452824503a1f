"""Which provisions of different codes treat the same matter, and how they stand to each other."""
