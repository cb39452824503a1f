"""For who reads and does not search: whole codes with their commentary, and the finding aids that lead about them."""
