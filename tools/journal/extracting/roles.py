"""What a sentence does in a discussion: gives a reason, speaks for, against, warns, assumes."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from state.journal import JournalMessage
from tools.journal.detecting import speech
from tools.journal.detecting.window import words_of
from tools.journal.extracting.citing import Cited, plain, sentences

Role = Literal["rationale", "pro", "con", "risk", "assumption"]

_ROLES: tuple[tuple[Role, re.Pattern[str]], ...] = (
    (
        "assumption",
        re.compile(
            r"\b(?:assum(?:e|es|ing|ption)|provided (?:that|we)|presuming|as long as|presumably"
            r"|we (?:expect|take it) that|on the condition)\b",
            re.IGNORECASE,
        ),
    ),
    (
        "risk",
        re.compile(
            r"\b(?:risks?|risky|danger(?:ous)?|worr(?:y|ied|ies)|afraid|fear|concern(?:ed|s)?"
            r"|(?:might|may|could|would) (?:break|fail|lose|block|delay|leak|conflict|confuse|hurt)"
            r"|in trouble|vulnerab\w+|lock-?in|fragile)\b",
            re.IGNORECASE,
        ),
    ),
    (
        "con",
        re.compile(
            r"\b(?:disadvantages?|drawbacks?|downsides?|cons?\b:|the problem (?:is|with)"
            r"|slower|harder"
            r"|worse|more expensive|costs? more|too (?:\w+ )?(?:complex|complicated|slow|heavy|big"
            r"|expensive|costly|hard|late|much)|lacks?|missing|overkill|steep|painful|unmaintained"
            r"|doesn't (?:support|scale|work|allow|fit)|does not (?:support|scale|work|allow|fit)"
            r"|(?:clash(?:es)?|conflicts?) with"
            r"|can't|cannot|bad,? because|no (?:support|experience))\b",
            re.IGNORECASE,
        ),
    ),
    (
        "pro",
        re.compile(
            r"\b(?:advantages?|benefits?|upsides?|pros?\b:|simpler|easier|faster|cheaper|safer"
            r"|better"
            r"|cleaner|smaller|less (?:work|code|effort|complex)|more (?:flexible|readable|robust"
            r"|reliable|consistent|familiar)|gives us|lets us|allows us|saves|proven|mature"
            r"|well[- ](?:known|supported|documented)|already (?:know|use|have|works)"
            r"|good,? because"
            r"|scales well|works well)\b",
            re.IGNORECASE,
        ),
    ),
    (
        "rationale",
        re.compile(
            r"\b(?:because|since (?!(?:last|19|20|then|yesterday))|so that|in order to|due to"
            r"|the reason|that(?:'s| is) why|given that|this way|otherwise|means (?:that )?we)\b",
            re.IGNORECASE,
        ),
    ),
)
_CHOOSING = frozenset(
    ["use", "using", "adopt", "choose", "pick", "take", "go", "keep", "make", "have", "let"]
)
_REASON = re.compile(
    r"\b(?:because(?: of)?|since|so that|so (?=we (?:can|don't|do not|need not)\b)|in order to"
    r"|due to|given that"
    r"|(?<=, )as (?=(?:it|we|they|the|this|that|nobody|everybody)\b))\s*(?P<why>[^\s;][^;]*)",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class InRole:
    """A sentence and what it does."""

    role: Role
    cited: Cited


def reason_in(sentence: Cited) -> Cited | None:
    """Cite the reason that a sentence gives for itself, behind its "because"."""
    found = _REASON.search(plain(sentence.text))
    if found is None:
        return None
    cited = sentence.part(found.start("why"), len(sentence.text)).trimmed()
    return cited if cited.text else None


@dataclass(frozen=True)
class Earlier:
    """The decision taken before this one in the same discussion: what led to it is its own."""

    messages: int
    """How many messages of the discussion there were when it was taken, its own among them."""
    words: frozenset[str]


NOTHING_EARLIER = Earlier(0, frozenset())


def in_roles(
    messages: Sequence[JournalMessage], topic: str, earlier: Earlier = NOTHING_EARLIER
) -> Iterator[InRole]:
    """Read the sentences that share a rarer word with the topic; questions have no role.

    What was said before an earlier decision has to share two, and more than with that one.
    """
    wanted = topic_words(topic)
    for place, message in enumerate(messages):
        for sentence in sentences(message):
            text = plain(sentence.text)
            words = words_of(text)
            shared = len(wanted & words)
            fewest = 1 if place >= earlier.messages else max(2, len(earlier.words & words) + 1)
            if speech.ASKS.search(text) or shared < fewest:
                continue
            role = role_of(text)
            if role is not None:
                yield InRole(role, sentence)


def topic_words(topic: str) -> frozenset[str]:
    """Give the words that tell what a decision is about; "use" tells of nothing."""
    words = words_of(topic)
    return words - _CHOOSING or words


def role_of(text: str) -> Role | None:
    """Name what a sentence does; None: it only tells."""
    return next((role for role, pattern in _ROLES if pattern.search(text)), None)
