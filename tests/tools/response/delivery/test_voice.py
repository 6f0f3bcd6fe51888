"""The voice: one utterance after the other, urgent ones cut in, and what fails is text."""

import os
import shutil
import stat
import subprocess
import wave
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from state.output import Utterance
from state.reader import Reader
from tools.catalog.pack_schema import Interruption
from tools.response.voice import QUEUED, Engine, Voice, find_engine

SCRIPT = """#!/bin/sh
text=$(cat)
echo "$* <$text>" > "{heard}"
case "$text" in
  long*) exec tail -f /dev/null ;;
  broken*) exit 3 ;;
esac
"""


class Ears:
    """Hears what a small real program was given to say, one line an utterance."""

    def __init__(self, folder: Path) -> None:
        self.fifo = folder / "heard"
        os.mkfifo(self.fifo)
        program = folder / "espeak-ng"
        program.write_text(SCRIPT.format(heard=self.fifo))
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
        self.folder = str(folder)

    def next(self) -> str:
        """Wait until the next utterance has begun."""
        return self.fifo.read_text().strip()


@pytest.fixture
def ears(tmp_path: Path) -> Ears:
    return Ears(tmp_path)


@pytest.fixture
def speaking(ears: Ears) -> Iterator[Voice]:
    with opened(ears, Interruption(min_speech_before_cut=0)) as voice:
        yield voice


@contextmanager
def opened(ears: Ears, interruption: Interruption) -> Iterator[Voice]:
    engine, problem = find_engine("auto", path=f"{ears.folder}:/usr/bin:/bin")
    assert (engine is not None, problem) == (True, "")
    voice = Voice(engine, interruption=interruption)
    voice.open()
    try:
        yield voice
    finally:
        voice.close()


def words(text: str, *, urgent: bool = False, speed: float = 1.0, tenant: str = "t") -> Utterance:
    return Utterance(
        decision_id=text, tenant_id=tenant, session_id="s", text=text, urgent=urgent, speed=speed
    )


def test_it_speaks_in_order_by_standard_input_at_its_speed(speaking: Voice, ears: Ears) -> None:
    speaking.say(words("-w first", speed=1.2))
    assert ears.next() == "--stdin -s 210 <-w first>"
    speaking.say(words("second"))
    assert ears.next() == "--stdin -s 175 <second>"


def test_what_is_urgent_cuts_off_what_is_not(speaking: Voice, ears: Ears) -> None:
    speaking.say(words("long story"))
    assert ears.next().endswith("<long story>")
    speaking.say(words("more"))
    speaking.say(words("Fire!", urgent=True))
    assert ears.next().endswith("<Fire!>")
    assert ears.next().endswith("<more>")


def test_an_urgent_one_is_not_cut_off_by_another(speaking: Voice, ears: Ears) -> None:
    speaking.say(words("long alarm", urgent=True))
    ears.next()
    speaking.say(words("Fire!", urgent=True))
    state = speaking.state("t")
    assert state.speaking is not None
    assert (state.speaking.text, [one.text for one in state.queue]) == ("long alarm", ["Fire!"])


def test_nothing_is_cut_off_before_its_shortest_time(ears: Ears) -> None:
    with opened(ears, Interruption(min_speech_before_cut=60)) as voice:
        voice.say(words("long story"))
        ears.next()
        voice.say(words("Fire!", urgent=True))
        state = voice.state("t")
        assert state.speaking is not None
        assert state.speaking.text == "long story"


def test_it_is_interrupted_for_its_own_tenant_alone(speaking: Voice, ears: Ears) -> None:
    speaking.say(words("long story"))
    ears.next()
    speaking.say(words("later"))
    assert speaking.interrupt("somebody-else") == 0
    assert speaking.state("somebody-else").speaking is None
    barred = Reader(tenant_id="t", closed=("s",))
    assert speaking.interrupt(barred) == speaking.interrupt(barred, "s") == 0
    assert speaking.interrupt("t", "s") == 2
    speaking.say(words("next"))
    assert ears.next().endswith("<next>")


def test_a_full_queue_lets_the_oldest_that_is_not_urgent_go(speaking: Voice, ears: Ears) -> None:
    speaking.say(words("long story"))
    ears.next()
    speaking.say(words("oldest"))
    for number in range(QUEUED):
        speaking.say(words(str(number)))
    assert [one.text for one in speaking.state("t").queue] == [str(n) for n in range(QUEUED)]


def test_a_program_that_fails_is_left_alone_and_says_so(speaking: Voice, ears: Ears) -> None:
    speaking.say(words("broken"))
    ears.next()
    with speaking._changed:
        assert speaking._changed.wait_for(lambda: speaking._speaking is None, timeout=20)
    assert not speaking.is_ready
    assert speaking.problem == "espeak-ng: it ended with 3"


def test_without_a_program_nothing_is_ready_and_it_says_why(tmp_path: Path) -> None:
    engine, problem = find_engine("auto", path=str(tmp_path))
    assert (engine, problem) == (
        None,
        "neither piper nor espeak-ng is installed",
    )
    voice = Voice(engine, problem)
    voice.open()
    voice.say(words("hello"))
    assert not voice.is_ready
    assert voice.state("t").problem == problem
    assert find_engine("off")[0] is None


def test_piper_needs_a_voice_and_writes_to_a_player(tmp_path: Path) -> None:
    for name in ("piper", "aplay"):
        (tmp_path / name).write_text("#!/bin/sh\n")
        (tmp_path / name).chmod(0o700)
    assert find_engine("piper", path=str(tmp_path))[0] is None
    engine, _problem = find_engine("auto", voice="amy.onnx", path=str(tmp_path))
    assert engine == Engine("piper", str(tmp_path / "piper"), "amy.onnx", str(tmp_path / "aplay"))
    speak, play = engine.commands(1.25)
    assert list(speak[1:]) == ["--model", "amy.onnx", "--output-raw", "--length_scale", "0.800"]
    assert play[0] == str(tmp_path / "aplay")


def test_the_engine_a_pack_prefers_speaks_where_both_are_installed(tmp_path: Path) -> None:
    for name in ("piper", "aplay", "espeak-ng"):
        (tmp_path / name).write_text("#!/bin/sh\n")
        (tmp_path / name).chmod(0o700)
    for preferred in ("piper", "espeak-ng"):
        engine, _problem = find_engine(
            "auto",
            voice="amy.onnx",
            preferred=preferred,
            path=str(tmp_path),
        )
        assert engine is not None
        assert engine.name == preferred


needs_espeak = pytest.mark.skipif(
    shutil.which("espeak-ng") is None, reason="espeak-ng is not installed"
)


@needs_espeak
def test_the_real_espeak_says_urgent_words_faster(tmp_path: Path) -> None:
    engine, _problem = find_engine("espeak-ng")
    assert engine is not None
    seconds = []
    for speed in (0.9, 1.0, 1.2):
        file = tmp_path / f"{speed}.wav"
        (command,) = engine.commands(speed)
        text = b"Creeper behind you, three blocks to the left"
        subprocess.run([*command, "-w", str(file)], input=text, check=True, timeout=30)
        with wave.open(str(file)) as heard:
            seconds.append(heard.getnframes() / heard.getframerate())
    assert seconds == sorted(seconds, reverse=True)
    assert seconds[0] > 1.2 * seconds[2] > 1


@needs_espeak
def test_the_real_espeak_without_a_sound_card_is_no_voice(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("ALSA_CONFIG_PATH", str(tmp_path / "none.conf"))
    monkeypatch.setenv("PULSE_SERVER", str(tmp_path / "none"))
    engine, _problem = find_engine("espeak-ng")
    voice = Voice(engine)
    voice.open()
    try:
        voice.say(words("Creeper behind you"))
        with voice._changed:
            assert voice._changed.wait_for(lambda: voice.problem is not None, timeout=30)
        assert not voice.is_ready
        assert voice.problem is not None
        assert "error" in voice.problem
    finally:
        voice.close()
