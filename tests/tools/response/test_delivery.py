"""The live stream, the preferred channel, and the voice."""

import asyncio
import os
import shutil
import stat
import subprocess
import sys
import wave
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from state.notice import Notice
from state.output import ChosenChannel, DeliveryContext, Utterance
from state.reader import Reader, whole
from state.response import ResponseType
from tools.catalog.pack_schema import Interruption, OutputPreference
from tools.response.delivery import BACKLOG, KEPT, ChannelSelector, NoticeBus, Subscription
from tools.response.voice import QUEUED, Engine, Voice, find_engine

# The live stream: everybody of the tenant hears it, in order, and nobody waits for anybody.


async def heard(listening: Subscription, count: int) -> list[Notice]:
    async with asyncio.timeout(5):
        return [await anext(listening) for _number in range(count)]


async def test_everybody_of_the_tenant_hears_everything_in_order():
    bus = NoticeBus()
    listeners = [bus.listen(whole("t")), bus.listen(whole("t"))]
    for number in range(3):
        bus.tell("output", "t", {"number": number}, ())
    for listening in listeners:
        notices = await heard(listening, 3)
        assert [notice.data["number"] for notice in notices] == [0, 1, 2]
        assert [notice.id - bus.first_id for notice in notices] == [1, 2, 3]
        assert {(notice.kind, notice.tenant_id) for notice in notices} == {("output", "t")}


async def test_another_tenant_hears_nothing_of_it():
    bus = NoticeBus()
    listening = bus.listen(whole("other"))
    bus.tell("output", "t", {"secret": True}, ())
    bus.tell("decision", "other", {"mine": True}, ())
    (notice,) = await heard(listening, 1)
    assert (notice.kind, notice.data) == ("decision", {"mine": True})


async def test_telling_nobody_is_no_error():
    NoticeBus().tell("output", "t", {}, ())


async def test_a_slow_listener_misses_the_oldest_and_sees_the_gap():
    bus = NoticeBus()
    listening = bus.listen(whole("t"))
    for _number in range(BACKLOG + 5):
        bus.tell("output", "t", {}, ())
    first, *_others, last = await heard(listening, BACKLOG)
    assert (first.id - bus.first_id, last.id - bus.first_id) == (6, BACKLOG + 5)
    assert listening.has_lost


async def test_who_comes_back_hears_what_was_told_meanwhile_or_of_a_gap():
    bus = NoticeBus()
    for number in range(5):
        bus.tell("output", "t", {"number": number}, ())
        bus.tell("output", "other", {}, ())
    back = bus.listen(whole("t"), after=bus.first_id + 3)
    assert [one.data["number"] for one in await heard(back, 2)] == [3, 4]
    assert not back.has_gap
    assert back.queue.empty()
    assert not bus.listen(whole("t"), after=bus.first_id + 5).has_gap
    of_before = NoticeBus(first_id=bus.first_id + 10_000).listen(whole("t"), after=bus.first_id + 5)
    assert of_before.has_gap
    assert bus.listen(whole("t"), after=bus.first_id + 6).has_gap  # never told here
    for _number in range(KEPT):
        bus.tell("output", "loud", {}, ())
    assert bus.listen(whole("t"), after=bus.first_id + 4).has_gap
    assert not bus.listen(whole("t"), after=bus.first_id + 5).has_gap
    assert len(bus._kept) == KEPT


async def test_who_comes_back_to_more_than_is_held_is_told_of_the_gap():
    bus = NoticeBus()
    for _number in range(BACKLOG + 1):
        bus.tell("output", "t", {}, ())
    assert not bus.listen(whole("t"), after=bus.first_id + 1).has_gap
    back = bus.listen(whole("t"), after=bus.first_id)
    first, *_others, last = await heard(back, BACKLOG)
    assert back.has_gap
    assert (first.id - bus.first_id, last.id - bus.first_id) == (2, BACKLOG + 1)


async def test_who_stops_listening_or_is_let_go_is_forgotten():
    bus = NoticeBus()
    never_asked, dropped = bus.listen(whole("t")), bus.listen(whole("t"))
    waiting = asyncio.ensure_future(anext(never_asked))
    waiting.cancel()  # before it has begun: no `finally` of ours has been entered
    assert len(bus._listeners) == 2
    with closing(never_asked):
        bus.tell("output", "t", {}, ())
    del never_asked, dropped, waiting
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert not bus._listeners


async def test_another_thread_may_tell():
    bus = NoticeBus()
    listening = bus.listen(whole("t"))
    await asyncio.to_thread(bus.tell, "output", "t", {"from": "a thread"}, ())
    (notice,) = await heard(listening, 1)
    assert notice.data == {"from": "a thread"}


@pytest.fixture
def hurried() -> Iterator[None]:
    """Let threads take turns a thousand times as often as usual."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(usual / 1_000)
    yield
    sys.setswitchinterval(usual)


@pytest.mark.usefixtures("hurried")
async def test_what_several_threads_tell_comes_in_the_order_of_its_ids():
    bus = NoticeBus()
    listening = bus.listen(whole("t"))

    def tell() -> None:
        for _number in range(BACKLOG // 4):
            bus.tell("output", "t", {}, ())

    await asyncio.gather(*(asyncio.to_thread(tell) for _thread in range(4)))
    told = [one.id - bus.first_id for one in await heard(listening, BACKLOG)]
    assert told == list(range(1, BACKLOG + 1))


def test_a_listener_whose_loop_has_ended_stops_nobody():
    bus = NoticeBus()

    async def listen_and_leave() -> None:
        bus.listen(whole("t"))

    asyncio.run(listen_and_leave())
    bus.tell("output", "t", {}, ())


# Where words go: the pack's preferences, a voice or none, who is busy, what is quiet.

VOICE = DeliveryContext(has_voice=True)
USUAL = ChannelSelector()


@pytest.mark.parametrize(
    ("kind", "moment", "chosen"),
    [
        ("alert", VOICE, ChosenChannel("speech", interrupt=True)),
        (
            "alert",
            DeliveryContext(has_voice=True, is_busy=True, is_quiet=True),
            ChosenChannel("speech", True),
        ),
        ("alert", DeliveryContext(has_voice=False), ChosenChannel("text", True, "no_voice")),
        ("observation", VOICE, ChosenChannel("speech")),
        (
            "observation",
            DeliveryContext(has_voice=True, is_busy=True),
            ChosenChannel("text", instead="busy"),
        ),
        (
            "observation",
            DeliveryContext(has_voice=True, is_quiet=True),
            ChosenChannel("text", instead="quiet"),
        ),
        ("quip", VOICE, ChosenChannel("speech")),
        (
            "quip",
            DeliveryContext(has_voice=True, quipped_lately=True),
            ChosenChannel("silent", instead="recently_quipped"),
        ),
        ("question", VOICE, ChosenChannel("text")),
        ("answer", VOICE, ChosenChannel("text")),
    ],
)
def test_the_usual_preferences(kind: ResponseType, moment: DeliveryContext, chosen: ChosenChannel):
    assert USUAL.choose(kind, moment) == chosen


def test_a_pack_prefers_otherwise():
    mine = ChannelSelector(
        {
            "observation": OutputPreference(primary="silent"),
            "suggestion": OutputPreference(primary="speech", fallback="silent"),
        }
    )
    assert mine.choose("observation", VOICE) == ChosenChannel("silent")
    assert mine.choose("suggestion", DeliveryContext(has_voice=False)) == ChosenChannel(
        "silent", False, "no_voice"
    )


# The voice: one utterance after the other, urgent ones cut in, and what fails is text.

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


def test_it_speaks_in_order_by_standard_input_at_its_speed(speaking: Voice, ears: Ears):
    speaking.say(words("-w first", speed=1.2))
    assert ears.next() == "--stdin -s 210 <-w first>"
    speaking.say(words("second"))
    assert ears.next() == "--stdin -s 175 <second>"


def test_what_is_urgent_cuts_off_what_is_not(speaking: Voice, ears: Ears):
    speaking.say(words("long story"))
    assert ears.next().endswith("<long story>")
    speaking.say(words("more"))
    speaking.say(words("Fire!", urgent=True))
    assert ears.next().endswith("<Fire!>")
    assert ears.next().endswith("<more>")


def test_an_urgent_one_is_not_cut_off_by_another(speaking: Voice, ears: Ears):
    speaking.say(words("long alarm", urgent=True))
    ears.next()
    speaking.say(words("Fire!", urgent=True))
    state = speaking.state("t")
    assert state.speaking is not None
    assert (state.speaking.text, [one.text for one in state.queue]) == ("long alarm", ["Fire!"])


def test_nothing_is_cut_off_before_its_shortest_time(ears: Ears):
    with opened(ears, Interruption(min_speech_before_cut=60)) as voice:
        voice.say(words("long story"))
        ears.next()
        voice.say(words("Fire!", urgent=True))
        state = voice.state("t")
        assert state.speaking is not None
        assert state.speaking.text == "long story"


def test_it_is_interrupted_for_its_own_tenant_alone(speaking: Voice, ears: Ears):
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


def test_a_full_queue_lets_the_oldest_that_is_not_urgent_go(speaking: Voice, ears: Ears):
    speaking.say(words("long story"))
    ears.next()
    speaking.say(words("oldest"))
    for number in range(QUEUED):
        speaking.say(words(str(number)))
    assert [one.text for one in speaking.state("t").queue] == [str(n) for n in range(QUEUED)]


def test_a_program_that_fails_is_left_alone_and_says_so(speaking: Voice, ears: Ears):
    speaking.say(words("broken"))
    ears.next()
    with speaking._changed:
        assert speaking._changed.wait_for(lambda: speaking._speaking is None, timeout=20)
    assert not speaking.is_ready
    assert speaking.problem == "espeak-ng: it ended with 3"


def test_without_a_program_nothing_is_ready_and_it_says_why(tmp_path: Path):
    engine, problem = find_engine("auto", path=str(tmp_path))
    assert (engine, problem) == (None, "neither piper nor espeak-ng is installed")
    voice = Voice(engine, problem)
    voice.open()
    voice.say(words("hello"))
    assert not voice.is_ready
    assert voice.state("t").problem == problem
    assert find_engine("off")[0] is None


def test_piper_needs_a_voice_and_writes_to_a_player(tmp_path: Path):
    for name in ("piper", "aplay"):
        (tmp_path / name).write_text("#!/bin/sh\n")
        (tmp_path / name).chmod(0o700)
    assert find_engine("piper", path=str(tmp_path))[0] is None
    engine, _problem = find_engine("auto", voice="amy.onnx", path=str(tmp_path))
    assert engine == Engine("piper", str(tmp_path / "piper"), "amy.onnx", str(tmp_path / "aplay"))
    speak, play = engine.commands(1.25)
    assert list(speak[1:]) == ["--model", "amy.onnx", "--output-raw", "--length_scale", "0.800"]
    assert play[0] == str(tmp_path / "aplay")


def test_the_engine_a_pack_prefers_speaks_where_both_are_installed(tmp_path: Path):
    for name in ("piper", "aplay", "espeak-ng"):
        (tmp_path / name).write_text("#!/bin/sh\n")
        (tmp_path / name).chmod(0o700)
    for preferred in ("piper", "espeak-ng"):
        engine, _problem = find_engine(
            "auto", voice="amy.onnx", preferred=preferred, path=str(tmp_path)
        )
        assert engine is not None
        assert engine.name == preferred


needs_espeak = pytest.mark.skipif(
    shutil.which("espeak-ng") is None, reason="espeak-ng is not installed"
)


@needs_espeak
def test_the_real_espeak_says_urgent_words_faster(tmp_path: Path):
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
):
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
