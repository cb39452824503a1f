"""The server behind nginx, set up as docs/publishing.md describes."""

import re
import shutil
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from test_server_process import free_port, running

NGINX = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
pytestmark = pytest.mark.skipif(NGINX is None, reason="nginx is not installed (Debian: nginx-light)")
DOCUMENT = Path(__file__).parents[2] / "docs" / "publishing.md"
MAIN = """daemon off; pid {place}/pid; error_log {place}/error.log;
events {{}}
http {{
    access_log off; client_body_temp_path {place}/body; proxy_temp_path {place}/proxy;
    fastcgi_temp_path {place}/fastcgi; uwsgi_temp_path {place}/uwsgi; scgi_temp_path {place}/scgi;
    {told}
}}
"""


def configuration(server_port: int, listen_port: int) -> str:
    """The configuration in the document, with the ports of the test, without TLS and with a shorter timeout."""
    text = DOCUMENT.read_text("utf-8")
    lines = text[text.index("    limit_req_zone") :].split("\n")
    config = "\n".join(lines[: next(n for n, line in enumerate(lines) if line and not line.startswith("    "))])
    for pattern, replacement in (
        (r"listen 443 ssl;", f"listen 127.0.0.1:{listen_port};"),
        (r"ssl_certificate\w* [^;]+;", ""),
        (r"client_header_timeout 15s", "client_header_timeout 1s"),
        (r"127\.0\.0\.1:8001", f"127.0.0.1:{server_port}"),
    ):
        config, count = re.subn(pattern, replacement, config)
        assert count, f"docs/publishing.md has no {pattern}"
    return config


@pytest.fixture(scope="module")
def nginx_port(database: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """The port of an nginx in front of a server."""
    place, port = tmp_path_factory.mktemp("proxy"), free_port()
    with running(database, place, "--url", "https://example.org/whist") as server:
        (place / "nginx.conf").write_text(MAIN.format(place=place, told=configuration(server.port, port)))
        assert NGINX
        proxy = subprocess.Popen([NGINX, "-p", str(place), "-c", "nginx.conf", "-e", str(place / "error.log")])
        try:
            with httpx.Client(transport=httpx.HTTPTransport(retries=6)) as client:
                client.get(f"http://127.0.0.1:{port}/")  # retried until nginx listens
            yield port
        finally:
            proxy.terminate()
            proxy.wait()


def test_pages_are_served_under_the_public_path(nginx_port: int) -> None:
    page = httpx.get(f"http://127.0.0.1:{nginx_port}/whist/english-1864/law-72")
    assert page.status_code == 200 and 'href="https://example.org/whist/english-1864/law-72"' in page.text
    assert page.headers["content-encoding"] == "gzip"
    assert httpx.get(str(page.url), headers={"If-None-Match": page.headers["etag"]}).status_code == 304


@pytest.mark.parametrize("head", [b"GET /whist/ HT", b"GET /whist/about HTTP/1.1\r\nHost: x\r\n"])
def test_stalled_client_is_disconnected(nginx_port: int, head: bytes) -> None:
    with socket.create_connection(("127.0.0.1", nginx_port), timeout=10) as client:
        client.sendall(head)
        assert b"200 OK" not in b"".join(iter(lambda: client.recv(65536), b""))
