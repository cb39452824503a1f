"""Views: functions from a connection and a request to a page; no SQL and no HTML."""
