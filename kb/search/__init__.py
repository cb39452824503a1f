"""Full-text search over the units: a query language, exact filters, results with the words found."""
