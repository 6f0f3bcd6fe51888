"""The state of a discussion before a message: the open proposal, who assented, who objected."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from tools.journal.detection import cue_phrases as speech

CONTEXT_MESSAGES = 8
"""How far back is read; longer ago than that, a discussion has usually moved on."""

READ_CHARACTERS = 4_000
"""As much of a message is read; what decides stands at its beginning."""

RECENT_MESSAGES = 3
"""What may be taken up without having been worded as a proposal."""

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_COMMON_WORDS = """
a an and any are as at be been but by can do does done for from get go going had has have i if in
into is it its just let like make may more must no not now of ok on one or our out should so some
such than that the their them then there these they this those to too up us was we were what when
where which who will with would yes you your issue pr proposed resolved"""
_COMMON = frozenset(_COMMON_WORDS.split())


@dataclass(frozen=True)
class ContextMessage:
    """Who said what, with plain apostrophes."""

    speaker: str
    text: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "text", self.text.replace("’", "'"))

    @property
    def short(self) -> "ContextMessage":
        """Give as much of it as is read to tell what it is for."""
        return self if len(self.text) <= READ_CHARACTERS else self._shortened()

    def _shortened(self) -> "ContextMessage":
        return ContextMessage(self.speaker, self.text[:READ_CHARACTERS])


@dataclass(frozen=True)
class OpenProposal:
    """A proposal that nothing has closed yet."""

    said: ContextMessage
    what: str
    is_marked: bool


@dataclass(frozen=True)
class Window:
    """What stands open when a message is said."""

    proposals: tuple[OpenProposal, ...] = ()
    assenting: frozenset[str] = field(default_factory=frozenset)
    objecting: frozenset[str] = field(default_factory=frozenset)
    asked_for_dissent: bool = False
    near_closing: bool = False
    voting: frozenset[str] = field(default_factory=frozenset)
    """Who answered with a vote and nothing else since the last proposal."""
    votes_last: int = 0
    """How many of the last four messages are such votes."""
    closing_last: bool = False
    """One of the last two messages closes the question or asks for objections."""
    passed: str = ""
    speakers: frozenset[str] = field(default_factory=frozenset)
    taken: tuple[str, ...] = ()
    """Decisions that were marked as such within the window."""
    calls_for_words: bool = False
    """One of the last two messages asks for the words of what will be voted on."""
    just_decided: bool = False
    """But for votes, the last thing said is a decision that was marked as one."""
    recent: tuple[ContextMessage, ...] = ()
    """The last messages as they were said."""


def read_window(context: Sequence[ContextMessage]) -> Window:
    """Read the last messages in order; a marked decision ends what stood open before it."""
    proposals: list[OpenProposal] = []
    assenting: set[str] = set()
    voting: set[str] = set()
    objecting: set[str] = set()
    asked = near = False
    passed = ""
    taken: list[str] = []
    for said in context[-CONTEXT_MESSAGES:]:
        if decided := speech.MARKED_DECISION.match(said.text):
            taken.append(decided["what"])
            proposals, assenting, objecting, voting = [], set(), set(), set()
            asked = near = False
            passed = ""
            continue
        if proposed := _proposed(said):
            if proposed.is_marked:
                assenting, objecting, voting = set(), set(), set()
            proposals.append(proposed)
        if is_vote(said.text):
            voting.add(said.speaker)
        if speech.VOTE_AGAINST.match(said.text):
            objecting.add(said.speaker)
        elif speech.VOTE_FOR.match(said.text) or speech.ASSENTS.match(said.text):
            assenting.add(said.speaker)
        asked = asked or bool(speech.ASKS_FOR_DISSENT.search(said.text))
        near = near or bool(speech.ASKS_TO_CLOSE.search(said.text))
        if speech.PASSED.search(said.text) and not said.text.rstrip().endswith("?"):
            passed = said.text
    return Window(
        proposals=tuple(proposals),
        assenting=frozenset(assenting),
        objecting=frozenset(objecting),
        asked_for_dissent=asked,
        near_closing=near,
        voting=frozenset(voting),
        votes_last=sum(is_vote(said.text) for said in context[-4:]),
        closing_last=any(_closes(said.text) for said in context[-2:]),
        passed=passed,
        speakers=frozenset(said.speaker for said in context[-CONTEXT_MESSAGES:]),
        taken=tuple(taken),
        calls_for_words=any(speech.CALLS_FOR_WORDS.search(said.text) for said in context[-2:]),
        just_decided=_is_decided(context),
        recent=tuple(context[-RECENT_MESSAGES:]),
    )


def is_vote(text: str) -> bool:
    """Tell whether a message is a vote and little else."""
    is_one = any(
        vote.match(text)
        for vote in (speech.VOTE_FOR, speech.VOTE_AGAINST, speech.VOTE_NEUTRAL, speech.ASSENTS)
    )
    return is_one and len(content_words(text)) <= 3


def word_overlap(text: str, other: str) -> float:
    """Tell how much of the rarer words of the shorter text stands in the other, 0 to 1."""
    return word_containment(content_words(text), content_words(other))


def word_containment(one: frozenset[str], two: frozenset[str]) -> float:
    """Tell how much of the shorter of two texts stands in the other, by their words."""
    shorter = min(len(one), len(two))
    return len(one & two) / shorter if shorter else 0.0


def word_similarity(text: str, other: str) -> float:
    """Tell how many of the rarer words of both texts they share, 0 to 1."""
    one, two = content_words(text), content_words(other)
    every = len(one | two)
    return len(one & two) / every if every else 0.0


def content_words(text: str) -> frozenset[str]:
    """Fold a text into its words, without those that every text has."""
    return frozenset(word for word in _WORD.findall(text.lower()) if word not in _COMMON)


def _proposed(said: ContextMessage) -> OpenProposal | None:
    if marked := speech.MARKED_PROPOSAL.match(said.text):
        return OpenProposal(said, marked["what"], is_marked=True)
    if _proposes(said.text) and not speech.ASKS_FOR_DISSENT.search(said.text):
        return OpenProposal(said, said.text, is_marked=False)
    return None


def _proposes(text: str) -> bool:
    """Tell whether a text proposes; "if we move, we should tell them" leaves open whether we do."""
    found = speech.PROPOSES.finditer(text)
    return any(not speech.OPEN_IF.search(text, 0, one.end()) for one in found)


def _is_decided(context: Sequence[ContextMessage]) -> bool:
    spoken = next((said.text for said in reversed(context) if not is_vote(said.text)), "")
    return speech.MARKED_DECISION.match(spoken) is not None


def _closes(text: str) -> bool:
    if speech.MARKED_DECISION.match(text) or speech.MARKED_PROPOSAL.match(text):
        return False
    return bool(speech.SETTLES.search(text) or speech.ASKS_FOR_DISSENT.search(text))
