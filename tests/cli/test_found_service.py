"""The service that a command finds by its data folder: no key goes to anybody else."""

import socket
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar

import httpx
import pytest
from typer.testing import CliRunner

from api.cli import cli
from api.cli.service import Service, announce, running_address
from api.mcp.client import api_at
from graph.wiring.data_folder import lock_folder
from prefrontal.client import Client
from state.errors import AgentError, Busy, Forbidden
from tools.platform.process_resources import ADDRESS_FILE, ADDRESS_KEY_FILE


def test_nothing_is_found_where_nobody_works(tmp_path: Path) -> None:
    announce(tmp_path, "http://127.0.0.1:9")
    assert running_address(tmp_path) is None


def test_what_a_killed_service_left_goes_when_another_takes_the_folder(tmp_path: Path) -> None:
    announce(tmp_path, "http://127.0.0.1:9")
    with lock_folder(tmp_path):
        assert not (tmp_path / ADDRESS_FILE).exists()
        assert not (tmp_path / ADDRESS_KEY_FILE).exists()
        with pytest.raises(Busy, match="no service answers there yet"):
            running_address(tmp_path)


def test_an_address_written_under_the_lock_is_found(tmp_path: Path) -> None:
    with lock_folder(tmp_path):
        announce(tmp_path, "http://127.0.0.1:9")
        assert running_address(tmp_path) == "http://127.0.0.1:9"
        assert (tmp_path / ADDRESS_FILE).stat().st_mode & 0o077 == 0


def test_a_link_is_no_address(tmp_path: Path) -> None:
    (tmp_path / "theirs").write_text("http://127.0.0.1:9", encoding="utf-8")
    with lock_folder(tmp_path):
        (tmp_path / ADDRESS_FILE).symlink_to(tmp_path / "theirs")
        with pytest.raises(Forbidden, match="is a link"):
            running_address(tmp_path)


class _Stranger(BaseHTTPRequestHandler):
    """Answers anything with one JSON document, and notes whose keys it is sent."""

    body = b""
    keys: ClassVar[list[str | None]] = []

    def do_GET(self) -> None:
        self.keys.append(self.headers["Authorization"])
        self.send_response(200)
        self.end_headers()
        self.wfile.write(self.body)

    def log_message(self, *_given: object) -> None:
        """Say nothing."""


@pytest.mark.parametrize("body", [b"<html>", b"[]", b'{"name": "Other"}', b'{"approvals": [1]}'])
def test_a_stranger_is_named_and_told_nothing(
    tmp_path: Path, body: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_Stranger, "body", body)
    monkeypatch.setattr(_Stranger, "keys", [])
    listing = ["approvals", "list", "--data-dir", str(tmp_path)]
    with ThreadingHTTPServer(("127.0.0.1", 0), _Stranger) as server, lock_folder(tmp_path):
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}"
        announce(tmp_path, address)
        found = CliRunner().invoke(cli, listing)
        told_to_it = list(_Stranger.keys)
        named = CliRunner().invoke(cli, ["--url", address, *listing, "--key", "pf_key"])
        server.shutdown()
    for result in (found, named):
        assert "is no Prefrontal service" in result.stderr
        assert (result.exit_code, type(result.exception)) == (1, SystemExit)
    assert told_to_it == [None]


def test_a_folder_on_the_command_line_goes_before_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PREFRONTAL_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("PREFRONTAL_KEY", "pf_key")
    folder = tmp_path / "none"
    listing = ["grants", "list", "--as", "marta:captain", "--data-dir", str(folder)]
    result = CliRunner().invoke(cli, listing)
    assert f"no service runs here and nothing is kept in {folder}" in result.stderr
    assert (result.exit_code, folder.exists()) == (0, False)


def test_no_proxy_stands_between_a_command_and_its_own_machine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with (
        socket.create_server(("127.0.0.1", 0)) as proxy,
        socket.create_server(("127.0.0.1", 0)) as service,
    ):
        proxy.settimeout(0.2)
        service.settimeout(5)
        monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{proxy.getsockname()[1]}")
        address = f"http://127.0.0.1:{service.getsockname()[1]}"
        client = Client(address, "key", attempts=1, timeout_seconds=0.5)
        with (
            client,
            pytest.raises(httpx.ReadTimeout),
        ):  # nobody answers; where it went is what counts
            list(client.approvals())
        service.accept()[0].close()
        with pytest.raises(TimeoutError):
            proxy.accept()


async def test_no_proxy_is_given_the_key_of_an_mcp_client(monkeypatch: pytest.MonkeyPatch) -> None:
    with (
        ThreadingHTTPServer(("127.0.0.1", 0), _Stranger) as proxy,
        ThreadingHTTPServer(("127.0.0.1", 0), _Stranger) as service,
    ):
        asked: dict[str, list[str]] = {"proxy": [], "service": []}
        for name, server in (("proxy", proxy), ("service", service)):
            kept = {"do_GET": _noting(asked[name])}
            server.RequestHandlerClass = type(name, (_Stranger,), kept)
            threading.Thread(target=server.serve_forever, daemon=True).start()
        monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{proxy.server_port}")
        address = f"http://127.0.0.1:{service.server_port}"
        async with api_at(address, lambda: "pf_key") as api:
            answer = await api.ask("GET", "/v1/catalog")
        proxy.shutdown()
        service.shutdown()
    assert answer.status == 200
    assert asked == {"proxy": [], "service": ["Bearer pf_key"]}


def _noting(keys: list[str]) -> Callable[[_Stranger], None]:
    def do_get(handler: _Stranger) -> None:
        keys.append(handler.headers["Authorization"])
        handler.send_response(200)
        handler.end_headers()
        handler.wfile.write(b"{}")

    return do_get


def test_an_mcp_client_is_told_in_a_sentence_that_nothing_answers(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"http://127.0.0.1:{taken.getsockname()[1]}"
    with lock_folder(tmp_path):
        announce(tmp_path, address)
        service = Service(None, None, None, tmp_path, "default", as_json=False)
        with pytest.raises(AgentError, match=f"no service answers at {address}"):
            service.endpoint(service.owner("viewer"), uses_key=False)
