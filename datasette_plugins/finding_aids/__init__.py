"""Finding aids, for who reads and does not search: concordance of numbers, cases by matter, unresolved references."""
