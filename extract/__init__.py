"""From scan to edition: pure functions, without a database or the web."""
