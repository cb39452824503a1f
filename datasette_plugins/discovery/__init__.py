"""What search engines, readers of feeds and passers-by are told: metadata, all pages, builds, the alphabet."""
