"""The JSON of the site, described once: `/about`, `/openapi.json` and `/schemas/` tell it from here."""
