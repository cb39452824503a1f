"""From editions to one database file, which is written completely or not at all."""
