"""Texts that the classifier learns from: examples, catalogue entries and out-of-scope sentences."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from state.action import PRIMITIVE_SLOT_TYPES, Action
from tools.nlu.intent_classifier.features import Places
from tools.nlu.intent_classifier.linear_models import shared_by
from tools.nlu.intents.utterance import UtteranceParser
from tools.nlu.lexicon.normalization import words_of
from tools.nlu.lexicon.verbs import FAMILIES

OUT_OF_SCOPE: tuple[str, ...] = tuple(
    line.strip()
    for line in """
    hello there
    good morning everyone
    how are you today
    thanks a lot, that was helpful
    you are welcome
    see you tomorrow
    what is your name
    who made you
    are you a robot
    tell me a joke
    sing me a song
    what is the meaning of life
    what's the weather like in Lisbon
    will it rain tomorrow
    who won the football match last night
    what is the capital of Australia
    how tall is the Eiffel tower
    who wrote War and Peace
    translate good evening into Spanish
    how do you say thank you in Japanese
    what is twelve times fourteen
    what's the square root of eighty one
    convert ten miles to kilometres
    what time is it in Tokyo
    set an alarm for seven
    set a timer for ten minutes
    play some jazz
    turn up the volume
    skip this song
    turn off the lights in the kitchen
    call my mother
    text Anna that I am late
    book a table for two at eight
    order a pizza with mushrooms
    find me a cheap flight to Rome
    how far is it to the airport
    what's the traffic like on the way home
    give me directions to the museum
    recommend a good film for tonight
    what should I cook for dinner
    how many calories are in a banana
    is chocolate bad for dogs
    how do I bake sourdough bread
    what does serendipity mean
    spell necessary
    give me a synonym for happy
    write a poem about autumn
    write an essay on climate change
    tell me a bedtime story
    what happened in the news today
    what are the share prices doing
    how much is a dollar in yen
    transfer fifty euros to Peter
    what is the balance of my account
    I lost my credit card
    when is my birthday
    what day is it
    how old is the universe
    why is the sky blue
    do fish sleep
    who is the president of France
    do you like music
    what's your favourite colour
    can you drive a car
    I am bored
    I feel sad today
    I love you
    my dog ate my homework
    the cat is asleep on the sofa
    it is lovely outside
    I had pasta for lunch
    we went to the beach on Sunday
    my brother is getting married
    nothing much
    never mind
    okay
    maybe later
    that's interesting
    I don't think so
    are you sure about that
    what do you mean
    say that again please
    I did not understand you
    how does a telephone work
    explain quantum physics to a child
    who would win, a bear or a shark
    what is the best phone to buy
    compare these two laptops
    reset my password
    my internet is slow
    install the latest update on my phone
    how do I learn to swim
    give me tips for a job interview
    plan a trip to Norway
    what size shoes does he wear
    is the supermarket open on Sunday
    where can I buy stamps
    how long do eggs take to boil
    tell me something about penguins
    flip a coin
    pick a number between one and ten
    asdf qwer zxcv
    lorem ipsum dolor sit amet
    blah blah blah
    """.strip().splitlines()
)


_MOST_WORDS = 8
_PLACEHOLDER = re.compile(r"\{[^}]*\}")


@dataclass(frozen=True)
class TrainingText:
    """One text to learn from."""

    written: str
    words: tuple[str, ...]
    """What the word model sees, each thing followed by its type."""
    said: str
    """What the encoder sees."""
    plain: str
    """The same with things by their names."""
    is_example: bool = False
    """A person's phrasing, by which the models can be judged; not made from the entry."""


@dataclass(frozen=True)
class TrainingSet:
    """All texts with their classes; the class after the last action is `none of these`."""

    written: Sequence[str]
    labels: Places
    actions: int
    shared: tuple[Places, ...]
    """Groups of the classes, see sharing.py."""
    _known: Sequence[TrainingText | None]
    """Those that need no reading; None: an example, which is read when it is learnt from."""
    _reader: UtteranceParser

    @cached_property
    def texts(self) -> Sequence[TrainingText]:
        """Read them, as a start that finds what was learnt before never does."""
        return [
            _example(written, self._reader) if known is None else known
            for written, known in zip(self.written, self._known, strict=True)
        ]


@dataclass(frozen=True)
class CollectedExamples:
    """The texts of a catalogue with their classes, before one is read: as in `Lessons`."""

    written: Sequence[str]
    labels: Places
    actions: int
    shared: tuple[Places, ...]
    known: Sequence[TrainingText | None]


def collect_examples(actions: Sequence[Action]) -> CollectedExamples:
    """Collect the texts of a catalogue."""
    known: list[TrainingText | None] = []
    written: list[str] = []
    labels: list[int] = []
    for place, action in enumerate(actions):
        made = _made(action)
        written += [*action.examples, *(text.written for text in made)]
        known += [*(None for _ in action.examples), *made]
        labels += [place] * (len(action.examples) + len(made))
    written += OUT_OF_SCOPE
    known += [_as_written(text, words_of(text)) for text in OUT_OF_SCOPE]
    labels += [len(actions)] * len(OUT_OF_SCOPE)
    places = np.array(labels, np.int64)
    return CollectedExamples(written, places, len(actions), shared_by(actions), known)


def training_set_of(collected: CollectedExamples, reader: UtteranceParser) -> TrainingSet:
    """Let the texts be read, the first time that they are learnt from."""
    return TrainingSet(
        collected.written,
        collected.labels,
        collected.actions,
        collected.shared,
        collected.known,
        reader,
    )


def _example(text: str, reader: UtteranceParser) -> TrainingText:
    learnt = reader.example(text)
    return TrainingText(text, learnt.words, learnt.said, learnt.plain, is_example=True)


def _made(action: Action) -> list[TrainingText]:
    """Say the entry's name, its summary, and each of its words with its object."""
    thing = words_of(action.object)
    into = ("to", *words_of(action.container)) if action.container is not None else ()
    types = tuple(
        f"@{slot.type}"
        for slot in action.slots.values()
        if slot.required and slot.type not in PRIMITIVE_SLOT_TYPES
    )
    phrases = [words_of(word) for word in action.words[:_MOST_WORDS]]
    if not phrases and action.verb in FAMILIES:
        phrases = [words_of(action.verb)]
    summary = words_of(_PLACEHOLDER.sub(" ", action.summary))
    plain = [(words_of(action.name), ()), (summary, types)]
    plain += [((*phrase, *thing, *into), types) for phrase in phrases]
    return [_as_written(" ".join(words), words, kinds) for words, kinds in plain if words]


def _as_written(text: str, words: tuple[str, ...], kinds: tuple[str, ...] = ()) -> TrainingText:
    said = " ".join(words)
    return TrainingText(text, (*words, *kinds), said, said)
