"""`prefrontal serve`: checked before it starts, announced when it can be reached."""

import logging
import os
import shlex
import signal
import socket
import subprocess
import sys
import time
import traceback
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from filelock import FileLock

from api.cli.server import OneSentenceFilter
from state.errors import BadInput
from tests.cli.conftest import Prefrontal
from tests.serving import START_SECONDS

ROOT = Path(__file__).parents[2]


@pytest.fixture
def service(here: Path, environment: Mapping[str, str]) -> Iterator["Service"]:
    """Return a service that can be started on a free port and is ended in any case."""
    started = Service(here, environment)
    yield started
    started.kill()


class Service:
    """`prefrontal serve` in a process of its own."""

    def __init__(self, folder: Path, environment: Mapping[str, str]) -> None:
        self._folder = folder
        self._environment = {**os.environ, **environment, "PYTHONPATH": str(ROOT)}
        self._process: subprocess.Popen[str] | None = None
        self.said: list[str] = []

    def start(self) -> list[str]:
        """Start it and read what it says until the calls to try."""
        with (self._folder / "log").open("w") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "api.cli", "serve", "--port", "0"],
                cwd=self._folder,
                env=self._environment,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )
        assert self._process.stdout is not None
        self.said = []
        until = time.monotonic() + START_SECONDS
        while not any("/v1/stream" in line for line in self.said):
            line = self._process.stdout.readline()
            assert line, (self._folder / "log").read_text("utf-8")
            assert time.monotonic() < until
            self.said.append(line.rstrip("\n"))
        return self.said

    @property
    def logged(self) -> str:
        """Return what it wrote on the error stream."""
        return (self._folder / "log").read_text("utf-8")

    def stop(self, how: signal.Signals = signal.SIGINT) -> int:
        """Press Ctrl-C, or send another signal, and wait for the end."""
        assert self._process is not None
        self._process.send_signal(how)
        self._process.communicate(timeout=30)
        return self._process.returncode

    def kill(self) -> None:
        """End it whatever it does."""
        if self._process is not None and self._process.poll() is None:
            self._process.kill()
            self._process.communicate()


def curls(said: list[str]) -> list[list[str]]:
    """Read the calls as a shell would."""
    return [shlex.split(line) for line in said if line.strip().startswith("curl ")]


def call(words: list[str]) -> str:
    """Do what a printed call does, without curl."""
    import httpx

    url = next(word for word in words if word.startswith("http"))
    headers = dict(
        words[place + 1].split(": ", 1) for place, word in enumerate(words) if word == "-H"
    )
    if "-d" in words:
        body = words[words.index("-d") + 1]
        return httpx.post(url, headers=headers, content=body, timeout=60).raise_for_status().text
    return httpx.get(url, headers=headers, timeout=60).raise_for_status().text


def test_a_first_start_shows_a_key_and_calls_that_work(service: Service) -> None:
    said = service.start()
    asked, listed, listened = curls(said)
    assert any("listens on http://127.0.0.1:" in line for line in said)
    assert any(line.startswith("console: http://127.0.0.1:") for line in said)
    assert "executed" in call(asked)
    assert call(listed) == '{"approvals":[],"next_cursor":null}'
    assert listened[1] == "-sN"
    assert service.stop() == 0
    assert "no model (EXECUTIVE_MODEL)" in service.logged
    assert sum("shown this once" in line for line in said) == 1


def test_where_a_key_is_none_is_shown_and_commands_find_the_service_by_its_folder(
    service: Service, prefrontal: Prefrontal, here: Path
) -> None:
    assert prefrontal("keys", "create", "--user", "ann").exit_code == 0
    again = service.start()
    assert not any("pf_" in line for line in again)
    assert any("$KEY" in line for line in again)
    assert prefrontal("approvals", "list").exit_code == 0
    assert "in stock" in prefrontal("ask", "check stock").stdout
    assert prefrontal("serve", "--port", "0").exit_code == 1
    assert service.stop() == 0
    assert not list((here / "data").glob("service.*"))


def test_a_terminated_service_leaves_no_address_and_a_second_one_removes_none(
    service: Service, prefrontal: Prefrontal, here: Path
) -> None:
    service.start()
    assert prefrontal("serve", "--port", "0").exit_code == 1
    assert len(list((here / "data").glob("service.*"))) == 2
    service.stop(signal.SIGTERM)
    assert not list((here / "data").glob("service.*"))


def test_a_taken_folder_is_refused(prefrontal: Prefrontal, here: Path) -> None:
    (here / "data").mkdir()
    with FileLock(here / "data" / "lock"):
        result = prefrontal("serve", "--port", "0")
    assert result.exit_code == 1
    assert "another process uses" in result.stderr


def test_a_taken_port_is_refused(prefrontal: Prefrontal) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        result = prefrontal("serve", "--port", str(taken.getsockname()[1]))
    assert result.exit_code == 1
    assert "choose another with --port" in result.stderr


def test_open_to_others_without_a_key_is_refused(prefrontal: Prefrontal) -> None:
    result = prefrontal("serve", "--host", "0.0.0.0", "--port", "0")
    assert result.exit_code == 1
    assert "prefrontal keys create" in result.stderr


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("--port", "70000"), 2),
        (("--pack", "atlantis"), 2),
        (("--host", "no such host"), 2),
    ],
)
def test_wrong_use_is_refused_before_anything_starts(prefrontal: Prefrontal, words, code) -> None:
    result = prefrontal("serve", *words)
    assert result.exit_code == code
    assert "Traceback" not in result.output


def test_a_faulty_pack_is_refused(prefrontal: Prefrontal, shop: Path) -> None:
    (shop / "actions.yaml").write_text("actions: 5\n", encoding="utf-8")
    result = prefrontal("serve", "--port", "0")
    assert result.exit_code == 1
    assert "actions.yaml" in result.stderr


def test_what_keeps_it_from_starting_is_told_in_one_sentence(capsys: pytest.CaptureFixture[str]):
    try:
        raise BadInput("webhooks.toml: webhook.0.url:\nField required")
    except BadInput:
        ended = traceback.format_exc()
    record = logging.LogRecord("uvicorn.error", logging.ERROR, "on.py", 1, ended, None, None)
    other = logging.LogRecord("uvicorn.error", logging.ERROR, "on.py", 1, "Exiting.", None, None)

    telling = OneSentenceFilter()
    assert telling.filter(other)
    assert telling.code == 1
    assert not telling.filter(record)
    assert telling.code == 2
    said = " ".join(capsys.readouterr().err.split())
    assert "webhooks.toml: webhook.0.url: Field required" in said
    assert "Traceback" not in said
