"""Which provisions of different codes treat the same matter, and how they relate to each other."""
