"""Acts are heard in words that no example has; without an encoder nothing is heard."""

from collections.abc import Sequence

import pytest

from state.errors import EncoderUnavailable
from tools.adapters.embedding.embedder import Vectors
from tools.adapters.embedding.minilm import AdaptedMiniLM
from tools.dialogue.dialogue_acts import EXAMPLES, Act, DialogueActs

HELD_OUT: dict[Act | None, tuple[str, ...]] = {
    "takes_back": (
        "call it off, I was wrong",
        "I no longer want that",
        "let us leave that",
        "withdraw what I asked for",
        "better not, thanks",
        "please don't proceed",
        "I refuse",
        "we'll skip it",
        "it isn't wanted any longer",
        "drop my request",
    ),
    "asks_pending": (
        "is it through yet?",
        "who is able to approve that?",
        "what are we waiting on?",
        "did you manage to do that?",
        "is anything open for me?",
        "what does it change exactly?",
        "was my request granted?",
        "which approvals are still missing?",
    ),
    "hush": (
        "shut your mouth for ten minutes",
        "not a word until 4 pm",
        "no more pings today",
        "I want some quiet",
        "keep silent during the film",
        "don't interrupt me for half an hour",
        "pause all your alerts",
        "stop chatting",
        "you are disturbing us, be silent",
        "leave us undisturbed this evening",
    ),
    "speak_again": (
        "start talking again",
        "you can make noise again",
        "my call is finished, carry on",
        "stop being silent",
        "notifications on again, please",
        "I'm listening again",
        "the quiet can end",
        "say something again when it matters",
    ),
    None: (
        "close the lock",
        "my neighbour was quiet all day",
        "where is the van?",
        "order twelve chairs",
        "the other room",
        "hello everybody",
        "show me the third one",
        "the crane is repaired",
        "who is the pilot?",
        "write that the buoy drifted",
        "is the shed locked?",
        "a coffee would be nice",
    ),
}


class Away:
    name = "away"
    dimensions = 384

    def embed(self, texts: Sequence[str]) -> Vectors:
        raise EncoderUnavailable("away", "it is away")


def test_unseen_words_are_heard_by_what_they_do() -> None:
    acts, examples = DialogueActs(AdaptedMiniLM()), EXAMPLES.read_text(encoding="utf-8")
    said = [(text, act) for act, texts in HELD_OUT.items() for text in texts]
    assert not [text for text, _act in said if f"- {text}\n" in examples]
    wrong = [
        (text, heard)
        for text, act in said
        if (heard := found.act if (found := acts.of(text)) else None) != act
    ]
    assert len(wrong) <= 3, wrong


@pytest.mark.parametrize("embedder", [None, Away()])
def test_without_an_encoder_no_act_is_heard(embedder: Away | None) -> None:
    assert DialogueActs(embedder).of("be quiet") is None


def test_long_text_is_about_something_of_its_own() -> None:
    assert DialogueActs(Away()).of("be quiet " * 40) is None
