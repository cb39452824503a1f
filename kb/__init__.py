"""From editions to the knowledge base: schema, loading, concepts, links, search, citations and the command line."""
