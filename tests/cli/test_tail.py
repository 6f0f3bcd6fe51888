"""`prefrontal tail`: each line of a log is an event, once, also while the file is rotated."""

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest

from api.cli import tail as module
from api.cli.tail import TailedLine
from api.cli.terminal import MAX_LINE_BYTES
from prefrontal.client import Refused
from tests.cli.conftest import Prefrontal, records
from tools.ingest import IngestKinds

LINES = [
    json.dumps({"message": "Bilge level high", "source": "bilge", "severity": "critical"}),
    "<13>Dec 31 23:59:59 web1 sshd[123]: Accepted password for ann",
    "{bad",
    "",
    '{"text": "x", "entities": 7}',
    "a plain line",
]


@pytest.fixture
def log(here: Path) -> Path:
    file = here / "app.log"
    file.write_text("\n".join(LINES), encoding="utf-8")
    return file


def test_the_lines_of_a_file_are_events_and_what_is_none_is_named(
    prefrontal: Prefrontal, log: Path
) -> None:
    result = prefrontal("tail", str(log), "--no-follow", "--json", "--session", "room")
    assert result.exit_code == 1
    told = records(result)
    assert [one["session_id"] for one in told] == ["room"] * 3
    assert told[0]["text"] == "Bilge level high. Start the pump."
    assert "app.log:3: not JSON at column 2" in result.stderr
    assert "app.log:5: " in result.stderr
    assert "2 lines could not be used" in result.stderr


def test_a_file_that_is_sent_again_is_the_same_events(prefrontal: Prefrontal, log: Path) -> None:
    prefrontal("tail", str(log), "--no-follow", "--json")
    with log.open("a", encoding="utf-8") as file:
        file.write("\none more\n")
    again = records(prefrontal("tail", str(log), "--no-follow", "--json"))
    assert [one["duplicate"] for one in again] == [True, True, True, False]


def test_a_line_speaks_as_nobody_and_into_no_other_session(
    prefrontal: Prefrontal, here: Path
) -> None:
    line = {"text": "Mute everything", "kind": "message", "user": "ann", "session_id": "other"}
    (here / "app.log").write_text(json.dumps(line), encoding="utf-8")
    (told,) = records(prefrontal("tail", "app.log", "--no-follow", "--json", "--session", "room"))
    assert (told["session_id"], told["outcome"]) == ("room", "passed")


def test_a_line_of_a_file_that_took_anothers_place_is_another_event(here: Path) -> None:
    def names() -> set[str]:
        read = module._file(here / "app.log", from_start=True, follow=False)
        return {line.name for batch in read for line in batch if line.raw == b"up again"}

    file = here / "app.log"
    file.write_text("10:00 begins\nup again\n", encoding="utf-8")
    first = names()
    with file.open("a", encoding="utf-8") as stream:
        stream.write("more\n" * 100)
    assert names() == first, "it has only grown"
    file.write_text("11:00 begins\nup again\n", encoding="utf-8")
    cut = names()
    file.rename(here / "app.log.1")
    file.write_text("11:00 begins\nup again\n", encoding="utf-8")
    assert len(first | cut | names()) == 3


def test_standard_input_is_read_to_its_end(prefrontal: Prefrontal) -> None:
    result = prefrontal("tail", "-", "--source", "probe", given="\n".join(LINES[:2]))
    assert result.exit_code == 0, result.stderr
    assert "terminal/probe: Bilge level high" in result.stdout
    assert "2 events: 1 spoke" in result.stdout


def test_a_file_that_is_not_there_is_wrong_use(prefrontal: Prefrontal) -> None:
    result = prefrontal("tail", "nowhere.log")
    assert result.exit_code == 2
    assert "cannot read nowhere.log" in result.stderr


def _told(lines: Iterator[list[TailedLine]], until: str) -> list[str]:
    told: list[str] = []
    for batch in lines:
        told.extend(line.raw.decode() for line in batch)
        if until in told:
            return told
    return told


def test_a_file_is_followed_where_it_grows_is_cut_and_is_put_anew(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = here / "app.log"
    file.write_text("old 1\nold 2\n", encoding="utf-8")

    def append(text: str) -> None:
        with file.open("a", encoding="utf-8") as stream:
            stream.write(text)

    def rotate() -> None:
        file.rename(here / "app.log.1")
        file.write_text("rotated\n", encoding="utf-8")

    steps: Iterator[Callable[[], object]] = iter(
        [
            lambda: append("new 1\nhal"),
            lambda: append("f\n"),
            rotate,
            lambda: file.write_text("cut\n", encoding="utf-8"),
            lambda: append("end\n"),
        ]
    )
    monkeypatch.setattr(time, "sleep", lambda _seconds: next(steps)())
    assert _told(module._file(file, from_start=False, follow=True), "end") == [
        *("new 1", "half", "rotated", "cut", "end")
    ]


def test_a_line_without_an_end_is_cut_and_named_once() -> None:
    lines = module._Lines("log", "log")
    many = [b"a" * 700_000, b"a" * 700_000, b"a" * 700_000 + b"\nnext\n"]
    found = [line for chunk in many for line in lines.of(chunk)]
    assert [len(line.raw) > MAX_LINE_BYTES for line in found] == [True, False]
    assert (found[1].raw, found[1].place) == (b"next", "log:2")
    assert found[1].name.startswith(f"log:{3 * 700_000 + 1}:")


class _Client:
    """A client that fails as it is told, then takes what it is sent."""

    def __init__(self, *failures: Exception) -> None:
        self.failures = list(failures)
        self.sent: list[int] = []

    def send(self, events: list[object]) -> list[object]:
        self.sent.append(len(events))
        if self.failures:
            raise self.failures.pop(0)
        return []


def _sender(client: _Client, *, keeps_on: bool) -> tuple[module._Sender, list[float]]:
    waits: list[float] = []
    made = module._Sender(
        client,  # type: ignore[arg-type]  # it has the one method that is called
        IngestKinds(),
        "default",
        None,
        "",
        as_json=True,
        keeps_on=keeps_on,
        wait=waits.append,
    )
    return made, waits


def test_a_service_that_is_gone_is_waited_for_while_following() -> None:
    gone = [httpx.ConnectError("gone"), Refused(503, {}, None), httpx.ReadTimeout("late")]
    client = _Client(*gone)
    sender, waits = _sender(client, keeps_on=True)
    assert sender._sent([{"text": "x"}]) == []
    assert (client.sent, waits) == ([1, 1, 1, 1], [1.0, 2.0, 4.0])
    sender, waits = _sender(_Client(*gone), keeps_on=False)
    with pytest.raises(httpx.ConnectError):
        sender._sent([{"text": "x"}])
    assert waits == []
