"""How an answer is sent: its security headers, its coding, its entity tag, and what is kept of it."""
