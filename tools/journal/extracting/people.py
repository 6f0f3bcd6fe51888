"""Who took part in a decision, and how they voted."""

import re
from collections.abc import Mapping, Sequence

from state.journal import JournalMessage, Vote
from tools.journal.detecting import speech

_MENTION = re.compile(r"(?<![\w@/.])@([A-Za-z][\w.-]{1,38}\w)(?![\w@/])")
_NOBODY = frozenset({"", "chair", "group", "scribe", "all", "bot", "zakim", "here", "channel"})


def speakers_of(messages: Sequence[JournalMessage]) -> tuple[str, ...]:
    """Name who spoke and who was addressed with an at sign, in the order they came up."""
    found: dict[str, str] = {}
    for message in messages:
        for name in (message.speaker, *_MENTION.findall(message.content)):
            if folded(name) not in _NOBODY:
                found.setdefault(folded(name), name.lstrip("@"))
    return tuple(found.values())


def votes_of(messages: Sequence[JournalMessage]) -> Mapping[str, Vote]:
    """Count who voted how; the last vote of a person stands."""
    votes: dict[str, Vote] = {}
    for message in messages:
        vote = vote_in(message.content)
        if vote is not None and folded(message.speaker) not in _NOBODY:
            votes[message.speaker] = vote
    return votes


def vote_in(text: str) -> Vote | None:
    """Read a vote in figures or as a thumb; words are no vote."""
    if speech.VOTE_FOR.match(text):
        return "for"
    if speech.VOTE_AGAINST.match(text):
        return "against"
    return "abstain" if speech.VOTE_NEUTRAL.match(text) else None


def folded(name: str) -> str:
    """Fold a name for comparing: no at sign, lower case, single spaces."""
    return " ".join(name.lstrip("@").casefold().split())
