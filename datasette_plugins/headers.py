"""The security headers of the site's own pages and, under `whist serve`, of Datasette's."""

from __future__ import annotations

CSP = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
# The inline scripts of Datasette's pages: closing menus, formatting the SQL of a query, allowing facets of a table.
_SCRIPTS = (
    "sha256-DMtesc2dB3xCZhCWIkDIjRY30AJia2dU9R83J/BG2Y4=",
    "sha256-uEjwHx6B6TylDkwnKXY5NeNNPyI38FvghD4BDhzZMRc=",
    "sha256-fyi5q99UcdjzV8X7vfr/UYD4dsV4ViDDhotcy8GQ6PM=",
)
# Datasette's pages have styles in attributes, which no hash can cover, and one picture as a data: URL.
CSP_OF_TABLES = (
    CSP.replace("script-src 'self'", " ".join(["script-src 'self'", *(f"'{script}'" for script in _SCRIPTS)]))
    .replace("style-src 'self'", "style-src 'self' 'unsafe-inline'")
    .replace("img-src 'self'", "img-src 'self' data:")
)
SECURITY = {
    "content-security-policy": CSP,
    "x-content-type-options": "nosniff",
    "referrer-policy": "strict-origin-when-cross-origin",
    "cross-origin-opener-policy": "same-origin",
    "access-control-allow-origin": "*",  # everything is public and read-only, so scripts of any origin may read it
}
PUBLIC = "public, max-age=300, stale-while-revalidate=86400"
FOR_EVER = "public, max-age=31536000, immutable"
