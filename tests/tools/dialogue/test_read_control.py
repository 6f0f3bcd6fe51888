"""What other words ask of the assistant itself, by the reader's label; and false friends."""

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from state.errors import EncoderUnavailable
from state.policy import Mood, PolicyDecision
from tests.nodes.conftest import Knows, message, messages_of, routing_of
from tests.stages import NOW, event_of
from tools.adapters.embedding.reader import MiniLMReader
from tools.catalog.action_catalog import Catalogue
from tools.dialogue.interpreter import Interpreter, Message
from tools.dialogue.quiet_requests import decide_with_quiet
from tools.dialogue.read_control import decide_beside, read_control
from tools.nlu.lexicon.normalization import MAX_READ
from tools.nlu.reader.reading import Reader
from tools.platform.clock import VirtualClock

pytestmark = pytest.mark.xdist_group("hearing")

AT_TWO = NOW.replace(hour=14, minute=0)


@pytest.fixture(scope="module")
def labels(learnt_once: Path) -> Reader:
    return Reader(MiniLMReader(learnt_once))


def said(catalogue: Catalogue, labels: Reader | None, text: str, mood: Mood = "command") -> Message:
    reader = messages_of(catalogue, Knows({text: routing_of(text, mood=mood)}))
    reader = replace(reader, clock=VirtualClock(AT_TWO), labels=labels)
    return reader.message(message(text))


def decided(catalogue: Catalogue, labels: Reader, text: str) -> PolicyDecision | None:
    return read_control(said(catalogue, labels, text))


ASKED = (
    ("shush for a quarter of an hour", {"kind": "mute", "seconds": 900.0}),
    ("hush for 20 minutes", {"kind": "mute", "seconds": 1200.0}),
    ("not a word until three", {"kind": "mute", "until": "15:00"}),
    ("keep it down till 3", {"kind": "mute", "until": "15:00"}),
    ("no pings before 9 am", {"kind": "mute", "until": "09:00"}),
    ("leave us in peace every night from 10 pm to 6 am", {"kind": "quiet_hours"}),
    ("I'm sick of hearing about the crane", {"kind": "suppress", "topic": "crane"}),
    ("give me a shout if the swans come back", {"kind": "watch"}),
    ("set an alarm for half past five", {"kind": "remind", "until": "17:30"}),
    ("don't let me forget the laundry in 40 minutes", {"kind": "remind", "seconds": 2400.0}),
    ("could you be a touch funnier", {"kind": "trait", "trait": "humor", "steps": 0.5}),
    ("keep your answers shorter", {"kind": "trait", "trait": "verbosity", "steps": -1.0}),
    ("not sure why, but be more formal", {"kind": "trait", "trait": "formality", "steps": 1.0}),
    ("you may chat with me again", {"kind": "talk"}),
)


@pytest.mark.parametrize(("text", "expected"), ASKED)
def test_what_is_asked_of_the_assistant_is_done(
    catalogue: Catalogue, labels: Reader, text: str, expected: dict[str, object]
):
    found = decided(catalogue, labels, text)
    assert found is not None
    assert found.talk is not None
    assert expected.items() <= found.talk.model_dump().items()


@pytest.mark.parametrize(
    "text",
    [
        "the neighbours are quiet",
        "they have been silent for 20 minutes",
        "the library has quiet hours from 10 to 6",
        "she told him to be quiet",
        "this place reminds me of Rome",
        "my brother is watching for whales",
        "remind the crew of the drill when you see them, said the chief",
        "thanks for being quiet for an hour",
    ],
)
def test_what_only_sounds_like_it_changes_nothing(catalogue: Catalogue, labels: Reader, text: str):
    found = decided(catalogue, labels, text)
    assert found is None or found.talk is None


@pytest.mark.parametrize(
    ("text", "mood"),
    [
        ("don't be quiet for an hour", "negated"),
        ("you need not stay silent until noon", "negated"),
        ("never stop telling me about smoke", "negated"),
        ("I won't need you to remind me at 5 to call mum", "negated"),
        ("don't say less", "negated"),
        ("mum wants you to stop telling me about the bilge", "reported"),
        ("it would be a mistake to be quiet for an hour", "hypothetical"),
        ("would it be rude to be quiet for an hour?", "question"),
    ],
)
def test_what_is_denied_told_or_supposed_silences_nothing(
    catalogue: Catalogue, labels: Reader, text: str, mood: Mood
):
    found = read_control(said(catalogue, labels, text, mood))
    assert found is None or found.talk is None


@pytest.mark.parametrize(
    ("text", "kind"),
    [("don't bother me for an hour", "mute"), ("do not talk to me about the fan", "suppress")],
)
def test_a_denial_of_talk_is_a_wish_for_quiet(
    catalogue: Catalogue, labels: Reader, text: str, kind: str
) -> None:
    found = read_control(said(catalogue, labels, text, "negated"))
    assert found is not None
    assert found.talk is not None
    assert found.talk.kind == kind


def test_what_a_quiet_cannot_keep_is_named(catalogue: Catalogue, labels: Reader) -> None:
    found = decided(catalogue, labels, "hush for an hour unless the kiln overheats")
    assert found is not None
    assert "unless the kiln overheats" in found.left_out


@pytest.mark.parametrize(
    ("text", "reason"),
    [("boring, nobody asked", "control:annoyed"), ("brilliant spot, well done", "control:praise")],
)
def test_a_reaction_in_any_words_counts(
    catalogue: Catalogue, labels: Reader, text: str, reason: str
) -> None:
    found = decided(catalogue, labels, text)
    assert found is not None
    assert reason in found.reasons


@pytest.mark.parametrize(
    "text",
    ["thanks for the heads up", "that was quick, thank you", "much obliged", "appreciate it"],
)
def test_thanks_in_any_words_are_praise(catalogue: Catalogue, labels: Reader, text: str) -> None:
    read = said(catalogue, labels, text, "statement")
    assert "control:praise" in read.reader.read_message(read).reasons


@pytest.mark.parametrize(
    ("text", "mood"),
    [
        ("she said thanks to me yesterday", "reported"),
        ("I need to thank the neighbours", "statement"),
        ("the kettle is on", "statement"),
        ("thanks is what they wrote on the card", "question"),
    ],
)
def test_what_tells_of_thanks_is_no_praise(
    catalogue: Catalogue, labels: Reader, text: str, mood: Mood
) -> None:
    read = said(catalogue, labels, text, mood)
    assert "control:praise" not in read.reader.read_message(read).reasons


@pytest.mark.parametrize("text", ["no more printer alerts please", "stop the printer alerts"])
def test_to_hear_no_more_of_what_nobody_watches_is_to_suppress_it(
    catalogue: Catalogue, labels: Reader, text: str
) -> None:
    found = decided(catalogue, labels, text)
    assert found is not None
    assert found.talk is not None
    assert (found.talk.kind, "printer" in (found.talk.topic or "")) == ("suppress", True)


@pytest.mark.parametrize("text", ["never stop the smoke alerts", "don't stop the smoke alerts"])
def test_what_must_not_stop_is_not_suppressed(
    catalogue: Catalogue, labels: Reader, text: str
) -> None:
    found = read_control(said(catalogue, labels, text, "negated"))
    assert found is None or found.talk is None


def test_two_control_requests_are_both_heeded(catalogue: Catalogue, labels: Reader) -> None:
    text = "keep an eye on the pump and be quiet for 20 minutes"
    reader = messages_of(catalogue, Knows({}))
    reader = replace(reader, clock=VirtualClock(AT_TWO), labels=labels)
    found = decide_beside(reader.message(message(text)))
    assert found is not None
    assert found.talk is not None
    assert found.beside is not None
    assert found.beside.talk is not None
    assert {found.talk.kind, found.beside.talk.kind} == {"watch", "mute"}


@pytest.mark.parametrize(
    "text",
    [
        "enough about the crane fault an hour ago",
        "I'm sick of hearing about what broke two hours ago",
        "my aim is to retire by 2040",
        "be quiet for the next hundred years",
        "remind me in 40 years to water the palm",
    ],
)
def test_a_time_that_cannot_be_kept_is_no_reason_to_fail(
    catalogue: Catalogue, labels: Reader, text: str
):
    found = decided(catalogue, labels, text)
    assert found is None or found.says or found.talk is not None


class Missing:
    name = "missing"

    def label(self, text: str) -> object:
        raise EncoderUnavailable("reader", "it is missing")


@pytest.mark.parametrize("reader", [None, Missing()])
def test_without_a_reader_fixed_phrases_have_to_do(catalogue: Catalogue, reader: object) -> None:
    labels = None if reader is None else Reader(reader)  # type: ignore[arg-type]
    assert read_control(said(catalogue, labels, "hush for 20 minutes")) is None


# A wish for quiet beside something else is looked for in short messages alone.


def test_a_message_longer_than_is_read_is_not_taken_apart() -> None:
    long = "close the lock and be quiet" + " and be quiet" * MAX_READ
    nothing_asks_it = cast(Interpreter, SimpleNamespace(catalogue=None))
    assert decide_with_quiet(Message(event_of(long, kind="message"), None, nothing_asks_it)) is None
