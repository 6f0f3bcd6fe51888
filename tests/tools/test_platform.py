"""Files, caches and clocks."""

from collections.abc import Callable
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from state.errors import BadInput
from state.event import Event
from tools.platform.process_resources import LRUCache, cached_reader, write_atomically
from tools.platform.serialization import read_toml
from tools.ports import RoutingEnvironment


def test_what_was_made_before_is_given_again():
    held: LRUCache[list[str]] = LRUCache(2)

    first = held.get("a", lambda: ["a"])

    assert held.get("a", lambda: ["never made"]) is first


def test_what_was_asked_for_longest_ago_is_made_again():
    held: LRUCache[str] = LRUCache(2)
    held.get("a", lambda: "a")
    held.get("b", lambda: "b")
    held.get("a", lambda: "never made")

    held.get("c", lambda: "c")

    assert held.get("a", lambda: "never made") == "a"
    assert held.get("b", lambda: "made again") == "made again"


# What is read once for all of a process, and read again when it was written anew.


def test_a_file_is_read_once_until_it_is_written_anew(tmp_path: Path):
    file, reads = tmp_path / "kept", []

    @cached_reader
    def text_of(file: Path) -> str:
        reads.append(file)
        return file.read_text()

    assert text_of(file) is None
    write_atomically(file, b"one")
    assert (text_of(file), text_of(file), len(reads)) == ("one", "one", 1)
    write_atomically(file, b"two")
    assert (text_of(file), len(reads)) == ("two", 2)
    file.unlink()
    assert text_of(file) is None


# What an operator's file may be instead of TOML: each is one line with the file and what to do.

WAYS: dict[str, tuple[Callable[[Path], object], str]] = {
    "missing": (lambda file: None, "name a file that can be read"),
    "a folder": (lambda file: file.mkdir(), "name a file that can be read"),
    "empty": (lambda file: file.touch(), "holds no [[issuer]]; write one, or unset EXECUTIVE_X"),
    "not UTF-8": (lambda file: file.write_bytes(b"a = '\xff'"), "save it as UTF-8"),
    "cut": (lambda file: file.write_text('[[issuer]]\nname = "a'), "is not TOML"),
    "another table": (lambda file: file.write_text("[[issuers]]"), "unknown issuers"),
    "a value beside": (lambda file: file.write_text("a = 1\n[[issuer]]"), "unknown a; it holds"),
}


@pytest.mark.parametrize("way", WAYS)
def test_what_cannot_be_read_is_told_in_a_line(tmp_path: Path, way: str):
    spoil, said = WAYS[way]
    file = tmp_path / "x.toml"
    spoil(file)
    with pytest.raises(BadInput) as told:
        read_toml(file, "EXECUTIVE_X", "issuer")
    sentence = str(told.value)
    assert sentence.startswith(f"EXECUTIVE_X: {file}: ")
    assert said in sentence
    assert "\n" not in sentence


# Which day it is when somebody says `tomorrow`: by the clock on the wall.


@pytest.mark.parametrize(
    ("at", "zone", "today"),
    [
        ("2026-06-14T12:00:00Z", "UTC", "2026-06-14"),
        ("2026-06-15T03:30:00Z", "America/Chicago", "2026-06-14"),
        ("2026-06-14T22:30:00Z", "Europe/Athens", "2026-06-15"),
        ("2026-06-14T23:30:00-05:00", "America/Chicago", "2026-06-14"),
    ],
)
def test_today_is_what_the_calendar_on_the_wall_shows(at: str, zone: str, today: str):
    event = Event.model_validate({"text": "book me in for tomorrow", "occurred_at": at})

    assert str(RoutingEnvironment(Path("data"), ZoneInfo(zone)).looks_in(event)["today"]) == today


def test_an_event_of_no_known_time_has_no_today():
    assert RoutingEnvironment(Path("data")).looks_in(Event(text="tomorrow"))["today"] is None
