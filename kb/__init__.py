"""Edition to knowledge base: schema, load, concepts, links, search, citations and the command line."""
