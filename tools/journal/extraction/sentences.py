"""Sentences of messages with their character spans and argumentative roles.

Roles: reason, argument for or against, risk, assumption.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from state.journal import JournalMessage, Span
from tools.journal.detection import cue_phrases as speech
from tools.journal.detection.context_window import content_words

_SENTENCE = re.compile(r"\S.*?(?:[.!?…]+(?=[\s\"'”)]|$)[\"'”)]?|$)", re.MULTILINE)
_ENDS = re.compile(r"[.!?…:;][\"'”’)\]]*$")
_EDGES = " \t\r\n.,;:–—-"


@dataclass(frozen=True)
class CitedSpan:
    """A verbatim part of a message."""

    message: JournalMessage
    start: int
    end: int

    @property
    def text(self) -> str:
        """Give the words."""
        return self.message.content[self.start : self.end]

    @property
    def span(self) -> Span:
        """Give the place."""
        return Span(message_id=self.message.message_id, start=self.start, end=self.end)

    def part(self, start: int, end: int) -> "CitedSpan":
        """Cite a part of it, by offsets into `text`."""
        return CitedSpan(self.message, self.start + start, self.start + end)

    def trimmed(self) -> "CitedSpan":
        """Leave out spaces and loose marks at both ends."""
        text = self.text
        start = len(text) - len(text.lstrip(_EDGES))
        return self.part(start, max(start, len(text.rstrip(_EDGES))))


def cite_whole(message: JournalMessage) -> CitedSpan:
    """Cite a message from beginning to end."""
    return CitedSpan(message, 0, len(message.content))


def cite_sentences(message: JournalMessage) -> Iterator[CitedSpan]:
    """Cite sentence after sentence, without code and what is quoted from elsewhere."""
    fenced = False
    start = 0
    for line in message.content.splitlines(keepends=True):
        if line.lstrip().startswith(("```", "~~~")):
            fenced = not fenced
        elif not fenced and not speech.QUOTED.search(line):
            for found in _SENTENCE.finditer(line.rstrip("\r\n")):
                yield CitedSpan(message, start + found.start(), start + found.end())
        start += len(line)


def join_sentences(cited: Iterable[CitedSpan]) -> str:
    """Put sentences behind each other; one that ends without a mark gets a full stop."""
    *before, last = [one.text for one in cited] or [""]
    return " ".join([*(text if _ENDS.search(text) else f"{text}." for text in before), last])


def plain_apostrophes(text: str) -> str:
    """Give apostrophes one form; offsets stay as they are."""
    return text.replace("’", "'")


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
class SentenceInRole:
    """A sentence and what it does."""

    role: Role
    cited: CitedSpan


def reason_in(sentence: CitedSpan) -> CitedSpan | None:
    """Cite the reason that a sentence gives for itself, behind its "because"."""
    found = _REASON.search(plain_apostrophes(sentence.text))
    if found is None:
        return None
    cited = sentence.part(found.start("why"), len(sentence.text)).trimmed()
    return cited if cited.text else None


@dataclass(frozen=True)
class EarlierDecision:
    """The decision taken before this one in the same discussion: what led to it is its own."""

    messages: int
    """How many messages of the discussion there were when it was taken, its own among them."""
    words: frozenset[str]


NO_EARLIER_DECISION = EarlierDecision(0, frozenset())


def label_sentences(
    messages: Sequence[JournalMessage], topic: str, earlier: EarlierDecision = NO_EARLIER_DECISION
) -> Iterator[SentenceInRole]:
    """Read the sentences that share a rarer word with the topic; questions have no role.

    What was said before an earlier decision has to share two, and more than with that one.
    """
    wanted = topic_words(topic)
    for place, message in enumerate(messages):
        for sentence in cite_sentences(message):
            text = plain_apostrophes(sentence.text)
            words = content_words(text)
            shared = len(wanted & words)
            fewest = 1 if place >= earlier.messages else max(2, len(earlier.words & words) + 1)
            if speech.ASKS.search(text) or shared < fewest:
                continue
            role = role_of(text)
            if role is not None:
                yield SentenceInRole(role, sentence)


def topic_words(topic: str) -> frozenset[str]:
    """Give the words that tell what a decision is about; "use" tells of nothing."""
    words = content_words(topic)
    return words - _CHOOSING or words


def role_of(text: str) -> Role | None:
    """Name what a sentence does; None: it only tells."""
    return next((role for role, pattern in _ROLES if pattern.search(text)), None)
