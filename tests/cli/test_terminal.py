"""A person at a terminal: prompts, picks, Ctrl-C."""

import io
import math
import os
import pty
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from api.cli import cli

ROOT = Path(__file__).parents[2]
WAIT_SECONDS = 90.0
AGAIN_SECONDS = 5.0


@contextmanager
def ctrl_c_heard() -> Iterator[None]:
    """Undo what a shell does to commands in the background: they and their children ignore it."""
    ours = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, ours)


class Terminal:
    """A command with a terminal at both ends."""

    def __init__(
        self, words: tuple[str, ...], folder: Path, environment: Mapping[str, str]
    ) -> None:
        self._end, theirs = pty.openpty()
        with ctrl_c_heard():
            self._process = subprocess.Popen(
                [sys.executable, "-m", "api.cli", *words],
                cwd=folder,
                env={**os.environ, **environment, "PYTHONPATH": str(ROOT), "TERM": "dumb"},
                stdin=theirs,
                stdout=theirs,
                stderr=theirs,
                start_new_session=True,
            )
        os.close(theirs)
        self.shown = ""
        self._press_again = math.inf

    def until(self, words: str) -> None:
        """Read until `words` are shown."""
        ends = time.monotonic() + WAIT_SECONDS
        while words not in self.shown:
            assert time.monotonic() < ends, self.shown
            ended = self._process.poll() is not None
            self._read()
            assert not ended or words in self.shown, self.shown

    def type(self, words: str) -> None:
        """Type a line."""
        os.write(self._end, f"{words}\n".encode())

    def interrupt(self) -> None:
        """Press Ctrl-C."""
        self._process.send_signal(signal.SIGINT)
        self._press_again = time.monotonic() + AGAIN_SECONDS

    def end(self) -> int:
        """Read to the end and give the exit code.

        Ctrl-C is pressed again after a while, as a person would: one that comes after the prompt
        is written and before it is waited for is heard by Python at the next key only.
        """
        ends = time.monotonic() + WAIT_SECONDS
        while self._process.poll() is None:
            assert time.monotonic() < ends, self.shown
            self._read()
            if time.monotonic() > self._press_again:
                self.interrupt()
        self._read()
        return self._process.returncode

    def close(self) -> None:
        """End it whatever it does."""
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()
        os.close(self._end)

    def _read(self) -> None:
        ready, _, _ = select.select([self._end], [], [], 0.05)
        if ready:
            try:
                self.shown += os.read(self._end, 65_536).decode(errors="replace")
            except OSError:  # the other end is closed
                return


OpenTerminal = Callable[..., Terminal]


@pytest.fixture
def terminal(here: Path, environment: Mapping[str, str]) -> Iterator[OpenTerminal]:
    """Return a function that runs a command with a terminal."""
    opened: list[Terminal] = []

    def run(*words: str) -> Terminal:
        opened.append(Terminal(words, here, environment))
        return opened[-1]

    yield run
    for one in opened:
        one.close()


def test_an_approver_types_a_plain_yes(terminal: OpenTerminal) -> None:
    asked = terminal("ask", "close WO-1042", "--as", "marta:chief")
    asked.until("Type yes to approve")
    asked.type("yes")
    assert asked.end() == 0
    assert "WO-1042 is closed" in asked.shown


class Seated(io.TextIOWrapper):
    """A stream of this process that says a person sits at its end."""

    def isatty(self) -> bool:
        """Say so."""
        return True


AtTerminal = Callable[..., str]


@pytest.fixture
def at_terminal(
    here: Path, environment: Mapping[str, str], monkeypatch: pytest.MonkeyPatch
) -> AtTerminal:
    """Return a function that runs a command here, a person at both ends, and gives what it shows.

    No process of its own is started, which would take 2 s a command: every question is put by the
    same function, and one is answered at a real terminal above.
    """
    for name, value in environment.items():
        monkeypatch.setenv(name, value)

    def run(*words: str, given: str = "") -> str:
        shown = io.BytesIO()
        monkeypatch.setattr(sys, "stdin", Seated(io.BytesIO(given.encode()), "utf-8"))
        monkeypatch.setattr(sys, "stdout", Seated(shown, "utf-8", write_through=True))
        with pytest.raises(SystemExit) as ended:
            cli(list(words))
        assert ended.value.code == 0
        return shown.getvalue().decode()

    return run


def test_a_chip_is_picked_by_its_number(at_terminal: AtTerminal) -> None:
    words = ("ask", "add note to WO-1042: filter fitted", "--as", "ben:engineer")
    shown = at_terminal(*words, given="1\n")
    assert "Pick a number" in shown
    assert "Noted on WO-1042" in shown


def test_an_approver_types_a_plain_no(at_terminal: AtTerminal) -> None:
    shown = at_terminal("ask", "close WO-1042", "--as", "marta:chief", given="no\n")
    assert "Type yes to approve" in shown
    assert "Nothing was changed" in shown


@pytest.mark.parametrize("typed", ["", "yes, but", "y"])
def test_whatever_else_is_typed_leaves_it_open(at_terminal: AtTerminal, typed: str) -> None:
    shown = at_terminal("ask", "close WO-1042", "--as", "marta:chief", given=f"{typed}\n")
    assert "Type yes to approve" in shown
    assert "it stays open" in shown
    assert "WO-1042 is closed" not in shown


def test_who_may_not_approve_is_not_asked(at_terminal: AtTerminal) -> None:
    shown = at_terminal("ask", "close WO-1042", "--as", "ben:engineer")
    assert "Type yes" not in shown
    assert "to approve: prefrontal approvals approve" in shown


def test_ctrl_c_at_a_question_ends_at_once(terminal: OpenTerminal) -> None:
    asked = terminal("ask", "close WO-1042", "--as", "marta:chief")
    asked.until("Type yes to approve")
    asked.interrupt()
    assert asked.end() != 0
    assert "Traceback" not in asked.shown


def test_ctrl_c_ends_a_run_that_waits_for_a_silent_pipe(terminal: OpenTerminal) -> None:
    run = terminal("run", "-")
    run.type('{"text": "check stock", "user": "b"}')
    run.until("in stock")
    run.interrupt()
    assert run.end() == 130
    assert "Traceback" not in run.shown
