"""`prefrontal channels` and its check: who is told, who cannot answer, what arrives."""

import asyncio
import http.server
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from api.cli.doctor.service_checks import check_channels
from graph.settings import Settings
from state.principal import Principal
from tests.cli.conftest import Prefrontal
from tools.access import SqlKeys
from tools.storage import Database

TWO = """
[[channel]]
name = "ingrid-post"
url = "json://127.0.0.1:{port}/inbox?token=${{POST_TOKEN}}"
people = ["ingrid"]

[[channel]]
name = "bridge"
url = "json://127.0.0.1:9/bridge"
roles = ["captain"]
"""


@contextmanager
def inbox() -> Iterator[tuple[int, list[str]]]:
    """Take messages on a port of this machine."""
    taken: list[str] = []

    class Inbox(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            sent = self.rfile.read(int(self.headers["Content-Length"]))
            taken.append(json.loads(sent)["title"])
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_arguments: object) -> None:
            """Print nothing."""

    with http.server.HTTPServer(("127.0.0.1", 0), Inbox) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_address[1], taken
        server.shutdown()


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    made = tmp_path / "channels.toml"
    monkeypatch.setenv("EXECUTIVE_CHANNELS_FILE", str(made))
    monkeypatch.setenv("EXECUTIVE_SECRET_POST_TOKEN", "not-to-be-shown")
    return made


def test_channels_are_listed_and_one_is_tried(prefrontal: Prefrontal, file: Path):
    with inbox() as (port, taken):
        file.write_text(TWO.format(port=port), "utf-8")
        listed = prefrontal("channels", "list").stdout
        assert "ingrid-post  personal of ingrid" in listed
        assert "bridge  room for captain" in listed
        whole = prefrontal("channels", "list", "--json").stdout
        assert "not-to-be-shown" not in whole + listed
        assert [one["name"] for one in json.loads(whole)] == ["ingrid-post", "bridge"]
        sent = prefrontal("channels", "test", "ingrid-post")
        assert (sent.exit_code, sent.stdout.strip()) == (0, "ingrid-post took the test message")
        assert taken == ["Test message from Prefrontal"]
    lost = prefrontal("channels", "test", "bridge")
    assert (lost.exit_code, "bridge did not take it" in lost.stderr) == (1, True)
    unknown = prefrontal("channels", "test", "mast")
    assert (unknown.exit_code, "no channel 'mast'" in unknown.stderr) == (1, True)


def test_without_a_file_nobody_is_told(prefrontal: Prefrontal, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("EXECUTIVE_CHANNELS_FILE", raising=False)
    assert "Prefrontal sends no messages" in prefrontal("channels", "list").stderr


async def _make_key(settings: Settings) -> None:
    database = Database(settings.database)
    await SqlKeys(database).make(Principal(user="ingrid", tenant_id="default", roles=("captain",)))
    await database.close()


def test_the_look_at_the_set_up_names_who_cannot_answer(data_dir: Path, file: Path):
    file.write_text(TWO.format(port=9), "utf-8")
    [found] = check_channels(Settings(data_dir=data_dir, channels_file=file))
    assert found.state == "degraded"
    assert "EXECUTIVE_PUBLIC_URL is not set" in found.says
    assert "ingrid: nobody holds a valid key" in found.says
    settings = Settings(data_dir=data_dir, channels_file=file, public_url="https://ship.example")
    asyncio.run(_make_key(settings))
    [found] = check_channels(settings)
    assert (found.state, found.says) == (
        "ok",
        "messages about approvals go to ingrid-post, bridge",
    )
    file.write_text('[[channel]]\nname = "x"\nurl = "nonsense"\npeople = ["a"]\n', "utf-8")
    [found] = check_channels(settings)
    assert found.state == "broken"


def test_a_list_says_which_file_or_secret_is_missing(
    prefrontal: Prefrontal, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file.write_text(TWO.format(port=9), "utf-8")
    monkeypatch.delenv("EXECUTIVE_SECRET_POST_TOKEN")
    told = prefrontal("channels", "list").stderr
    assert f"{file}: EXECUTIVE_SECRET_POST_TOKEN is not set" in told
    assert "nothing was sent" not in told
    monkeypatch.delenv("EXECUTIVE_CHANNELS_FILE")
    assert "channels.toml does not exist" in prefrontal("channels", "list").stderr
