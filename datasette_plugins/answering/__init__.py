"""How a response is sent: its security headers, content coding and entity tag, and the cache of responses."""
