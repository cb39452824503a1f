"""What the machine would answer where the editor has not: drafts of comparisons, marked as such."""
