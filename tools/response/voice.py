"""Speech output by piper or espeak-ng: one utterance after the other, urgent ones interrupt.

It runs on a thread of its own, since the graph may run on another event loop than the routes;
queueing an utterance never blocks.
"""

import shutil
import subprocess
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from tempfile import TemporaryFile
from typing import IO, Literal

import structlog

from state.output import EngineName, OutputState, Utterance
from state.reader import Reader, reader_of
from tools.catalog.pack_schema import Interruption

WORDS_A_MINUTE = 175
"""The usual speed of espeak-ng."""
_PIPER_RATE = "22050"


@dataclass(frozen=True)
class Engine:
    """One of them; what is said goes in by its standard input, never as an argument."""

    name: EngineName
    program: str
    voice: str | None = None
    player: str | None = None
    """What plays the samples that piper writes."""

    def commands(self, speed: float) -> tuple[Sequence[str], ...]:
        """Give the programs to run, each reading what the one before writes."""
        if self.name == "espeak-ng":
            spoken = [self.program, "--stdin", "-s", str(round(WORDS_A_MINUTE * speed))]
            return ([*spoken, "-v", self.voice] if self.voice else spoken,)
        length = f"{1 / speed:.3f}"
        speaking = [self.program, "--model", self.voice or "", "--output-raw"]
        playing = [self.player or "", "-q", "-r", _PIPER_RATE, "-f", "S16_LE", "-t", "raw", "-"]
        return [*speaking, "--length_scale", length], playing

    def silence(self) -> tuple[Sequence[str], str]:
        """Give the program that plays it, told to play nothing audible, and what it reads."""
        if self.name == "espeak-ng":
            return [self.program, "--stdin", "-a", "0"], "a"
        return [self.player or "", "-q", "-r", _PIPER_RATE, "-f", "S16_LE", "-t", "raw", "-"], "\0"

    def sound_problem(self, wait_seconds: float) -> str | None:
        """Play silence; return why nothing would be heard here, None: it would. It blocks."""
        command, text = self.silence()
        try:
            with TemporaryFile() as complaints:
                running = _started((command,), text, complaints)
                try:
                    code = running[0].wait(wait_seconds)
                finally:
                    _ended(running)
                return _error_in(complaints) or (f"it ended with {code}" if code else None)
        except (OSError, subprocess.SubprocessError) as error:
            return str(error)


def find_engine(
    wanted: Literal["off", "auto", "piper", "espeak-ng"],
    *,
    voice: str | None = None,
    preferred: EngineName = "piper",
    path: str | None = None,
) -> tuple[Engine | None, str]:
    """Find what can speak here, or say why nothing does.

    Args:
        voice: piper's file of a voice, without which it cannot speak; espeak-ng's name of one.
        preferred: which of two that are installed speaks, when any may (`auto`).
        path: where programs are looked for; None: as a shell does.
    """
    if wanted == "off":
        return None, "speech is switched off (EXECUTIVE_SPEECH)"
    espeak = shutil.which("espeak-ng", path=path)
    is_turn = preferred == "piper" or not espeak
    if wanted == "piper" or (wanted == "auto" and is_turn):
        piper, player = shutil.which("piper", path=path), shutil.which("aplay", path=path)
        if piper and player and voice:
            return Engine("piper", piper, voice, player), ""
        if wanted == "piper":
            return None, "piper speaks with a voice (EXECUTIVE_SPEECH_VOICE) and aplay"
    if espeak:
        named = None if voice is None or voice.endswith(".onnx") else voice
        return Engine("espeak-ng", espeak, named), ""
    return None, "neither piper nor espeak-ng is installed"


QUEUED = 8
"""Further ones push out the oldest that is not urgent: late words are worse than none."""
LONGEST_SECONDS = 60.0
RESTS_SECONDS = 60.0
"""So long it is left alone after it failed, and everything is text."""
_LOOK_SECONDS = 0.05
_COMPLAINTS_READ = 65_536

log = structlog.get_logger()


@dataclass
class Voice:
    """Speaks with an engine; without one, or closed, it is never ready."""

    engine: Engine | None
    problem: str | None = None
    interruption: Interruption = field(default_factory=Interruption)
    _queue: list[Utterance] = field(default_factory=list)
    _speaking: Utterance | None = None
    _since: float = 0.0
    _cut: bool = False
    _is_open: bool = False
    _rests_until: float = 0.0
    _changed: threading.Condition = field(default_factory=threading.Condition)
    _thread: threading.Thread | None = None

    @property
    def is_ready(self) -> bool:
        """Tell whether what is said now will be spoken."""
        return self.engine is not None and self._is_open and time.monotonic() >= self._rests_until

    def open(self) -> None:
        """Begin to speak; what was said before is not."""
        if self.engine is None or self._is_open:
            return
        self._is_open = True
        self._thread = threading.Thread(target=self._work, name="voice", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Fall silent at once."""
        with self._changed:
            self._is_open = False
            self._queue.clear()
            self._changed.notify_all()
        if self._thread is not None:
            self._thread.join()
            self._thread = None

    def say(self, utterance: Utterance) -> None:
        """Queue an utterance; an urgent one goes first, and cuts off what is not urgent."""
        with self._changed:
            if not self._is_open:
                return
            place = sum(1 for one in self._queue if one.urgent) if utterance.urgent else None
            self._queue.insert(len(self._queue) if place is None else place, utterance)
            while len(self._queue) > QUEUED:
                self._queue.remove(next((one for one in self._queue if not one.urgent), utterance))
            current = self._speaking
            may_cut = self.interruption.allow_self_interrupt and utterance.urgent
            if may_cut and current is not None and not current.urgent:
                self._cut = True
            self._changed.notify_all()

    def interrupt(self, whose: Reader | str, session_id: str | None = None) -> int:
        """Cut off what is spoken, after its shortest time, and drop what is queued.

        Args:
            whose: of what they may read; the number would tell how much else is said.
            session_id: of this session alone; None: of all.
        """
        reader = reader_of(whose)

        def is_meant(one: Utterance) -> bool:
            return _may_read(one, reader) and session_id in (None, one.session_id)

        with self._changed:
            dropped = [one for one in self._queue if is_meant(one)]
            self._queue = [one for one in self._queue if not is_meant(one)]
            current = self._speaking
            if current is not None and is_meant(current):
                self._cut = True
                dropped.append(current)
            self._changed.notify_all()
            return len(dropped)

    def state(self, whose: Reader | str) -> OutputState:
        """Tell how it stands; of what is said, only what one may read."""
        reader = reader_of(whose)

        def is_theirs(one: Utterance) -> bool:
            return _may_read(one, reader)

        with self._changed:
            current = self._speaking
            is_own = current is not None and is_theirs(current)
            return OutputState(
                engine=self.engine.name if self.engine else None,
                is_ready=self.is_ready,
                problem=self.problem,
                speaking=current if is_own else None,
                since=datetime.fromtimestamp(self._since, UTC) if is_own else None,
                queue=tuple(filter(is_theirs, self._queue)),
            )

    def _work(self) -> None:
        while (one := self._next()) is not None:
            try:
                self._speak(one)
            except (OSError, subprocess.SubprocessError) as error:
                self.problem = f"{self.engine.name if self.engine else 'voice'}: {error}"
                self._rests_until = time.monotonic() + RESTS_SECONDS
                log.warning("voice_failed", error=type(error).__name__)
            finally:
                with self._changed:
                    self._speaking = None
                    self._changed.notify_all()

    def _next(self) -> Utterance | None:
        with self._changed:
            while self._is_open and not self._queue:
                self._changed.wait()
            if not self._is_open:
                return None
            self._speaking = self._queue.pop(0)
            self._since, self._cut = time.time(), False
            return self._speaking

    def _speak(self, one: Utterance) -> None:
        assert self.engine is not None  # noqa: S101 - it is not open without
        with TemporaryFile() as complaints:
            self._hear_out(self.engine.commands(one.speed), one, complaints)

    def _hear_out(
        self, commands: Sequence[Sequence[str]], one: Utterance, complaints: IO[bytes]
    ) -> None:
        running = _started(commands, one.text, complaints)
        began = time.monotonic()
        try:
            while running[-1].poll() is None:
                spoken = time.monotonic() - began
                is_cut = self._cut and spoken >= self.interruption.min_speech_before_cut
                if is_cut or not self._is_open or spoken >= LONGEST_SECONDS:
                    return
                with self._changed:
                    self._changed.wait(_LOOK_SECONDS)
            failed = [program.poll() for program in running if program.poll()]
            if failed:
                raise subprocess.SubprocessError(f"it ended with {failed[0]}")
            if complaint := _error_in(complaints):
                raise subprocess.SubprocessError(complaint)
            self.problem = None
        finally:
            _ended(running)


def _error_in(complaints: IO[bytes]) -> str | None:
    """Find what a program complained of that ended well: espeak-ng does so without a sound card."""
    complaints.seek(0)
    for line in complaints.read(_COMPLAINTS_READ).decode(errors="replace").splitlines():
        if line.lower().startswith("error:"):
            return line[:200]
    return None


def _started(
    commands: Sequence[Sequence[str]], text: str, complaints: IO[bytes]
) -> list[subprocess.Popen[bytes]]:
    quiet = subprocess.DEVNULL
    running: list[subprocess.Popen[bytes]] = []
    for place, command in enumerate(commands):
        is_last = place == len(commands) - 1
        try:
            program = subprocess.Popen(  # noqa: S603 - found by name, the words go by stdin
                command,
                stdin=running[-1].stdout if running else subprocess.PIPE,
                stdout=quiet if is_last else subprocess.PIPE,
                stderr=complaints,
            )
        except OSError:
            _ended(running)
            raise
        running.append(program)
    stdin = running[0].stdin
    if stdin is not None:
        with suppress(BrokenPipeError):
            stdin.write(text.encode())
            stdin.close()
    return running


def _ended(running: Sequence[subprocess.Popen[bytes]]) -> None:
    for program in running:
        program.kill()
        program.wait()


def _may_read(one: Utterance, reader: Reader) -> bool:
    return one.tenant_id == reader.tenant_id and reader.may_read(one.session_id)
