"""Repair: white space, joins and misread letters, each change with its evidence."""
