"""Score whether a message takes a decision.

Named features of the message in its context window are weighted by weights.toml (log odds)
into a confidence from 0 to 1, with the strongest reasons.
"""

import math
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Final, Protocol

from pydantic import Field

from state.journal import Detection
from state.noun import Noun
from tools.journal.detection import cue_phrases as commitments
from tools.journal.detection import cue_phrases as speech
from tools.journal.detection.context_window import (
    CONTEXT_MESSAGES,
    ContextMessage,
    Window,
    content_words,
    read_window,
    word_overlap,
    word_similarity,
)

_DIRECTIVES = """
abandon accept add adopt allow approve archive ask assign book build buy cancel change clarify
close combine continue convert create cut defer delete deploy deprecate disable discard drop edit
enable expand extend fix freeze give have hire hold include introduce keep launch leave let limit
make mark merge migrate move open order pause pick plan postpone prefer proceed publish put reject
release remove rename replace re-publish republish request require restrict retain retire return
revert run schedule send set ship skip split standardise standardize start stay stick stop
support suspend switch take treat update upgrade use withdraw write go agree"""
DIRECTIVES: Final = frozenset(_DIRECTIVES.split())
_FIRST = re.compile(r"^[^\w`]*(?:(?:the )?(?:wg|group|team|we)(?: agrees?)? to )?`?([\w-]+)")
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[^a-z])")
_SO = re.compile(r",\s+so\s+", re.IGNORECASE)
_CHATTY = re.compile(
    r"\b(?:you|your|lol|hmm|well|yeah|thanks?|thank|sorry|hi|hello|please|btw|oh|wow|haha)\b"
    r"|[:;]-?\)|\.\.\.|…",
    re.IGNORECASE,
)

_MOST_WORDS_OF_A_YES = 5
_LONGEST_PICK = 120
RESTATED: Final = 0.85
"""The share of all words from which a text says a proposal again and does not amend it."""
REPEATED: Final = 0.8
"""The share of the shorter text's words from which one says the other, and perhaps more."""
ECHOED: Final = 0.5
"""The share of the shorter text's words from which one takes up the other."""
TAKEN: Final = 0.6
"""The share of a text's words, behind its yes, from which it takes what offers them."""
SAME: Final = 0.99
"""The share of words from which a decision counts as the one just recorded."""

Features = Mapping[str, float]
"""Name to value, mostly 0 or 1; a name that is missing is 0."""


def features_of(text: str, speaker: str, window: Window) -> Features:
    """Read a message in its window."""
    plain = without_greeting(text.replace("’", "'").strip())
    found = _form(plain, speech.INNER_QUOTE.sub(" ", plain))
    found |= _setting(plain, window)
    accepted = _acceptance(plain, speaker, window)
    if any(accepted.values()):  # then it is more than a vote, and stands for the words it accepts
        found |= {"votes": 0.0, "nothing_said": 0.0, "first_person": 0.0}
    found |= accepted
    return {name: float(value) for name, value in found.items() if value}


def is_acceptance(text: str, speaker: str, window: Window) -> bool:
    """Tell whether a message takes what another proposed in ordinary words."""
    return any(_acceptance(text, speaker, window).values())


def _form(text: str, own: str) -> dict[str, float]:
    if speech.MARKED_DECISION.match(text):
        return {"marked_decision": 1.0}  # whatever it says then, it was decided
    first = _FIRST.match(text.lower())
    commits = _says(commitments.COMMITS, own)
    plans = not (commits or commitments.NARRATES.search(own)) and _says(commitments.PLANS, own)
    rules = not (commits or plans) and _says(commitments.RULES, own)
    passes = bool(speech.PASSED.search(own)) and "had been" not in own
    settles = bool(speech.SETTLES.search(own))
    it_is = any(speech.IT_IS.match(part[:_LONGEST_PICK]) for part in _clauses(own))
    is_final = settles and not speech.BIDS.search(own)
    announces = bool(commitments.ANNOUNCES.search(own))
    is_vote_ = any(
        v.match(own) for v in (speech.VOTE_FOR, speech.VOTE_AGAINST, speech.VOTE_NEUTRAL)
    )
    return {
        "marked_proposal": bool(speech.MARKED_PROPOSAL.match(text)),
        "commits": commits,
        "plans": plans,
        "rules": rules and not _CHATTY.search(own),
        "settles": settles,
        "passes": passes,
        "it_is": it_is,
        "directive": bool(first and first[1] in DIRECTIVES),
        "opens": bool(speech.OPENS.match(own)),
        "group_states": bool(speech.GROUP_STATES.search(own)),
        "names_issue": bool(first and first[1] in DIRECTIVES and speech.NAMES_ISSUE.search(own)),
        "will": bool(speech.WILL.search(own)),
        "votes": is_vote_
        or (bool(speech.ASSENTS.match(own)) and not (commits or plans or is_final)),
        "proposes": bool(speech.PROPOSES.search(own)) and not (commits or plans),
        "asks": bool(speech.ASKS.search(own) or speech.ASKS_AT_ALL.match(own)),
        "asks_for_dissent": bool(speech.ASKS_FOR_DISSENT.search(own)) and not settles,
        "denies": bool(speech.DENIES.search(own)),
        "supposes": bool(speech.SUPPOSES.search(own)),
        "hedges": bool(speech.HEDGES.search(own)),
        "recalls": bool(speech.RECALLS.search(own)) and not passes,
        "first_person": bool(speech.FIRST_PERSON.search(own)) and not (announces or plans),
        "chatty": bool(_CHATTY.search(own)) and not (announces or is_final or it_is),
        "quoted": bool(speech.QUOTED.search(own)),
        "nothing_said": not content_words(text) or bool(speech.LINK_ALONE.match(text)),
    }


def _setting(text: str, window: Window) -> dict[str, float]:
    marked = [one.what for one in window.proposals if one.is_marked]
    echo = max((word_overlap(text, one.what) for one in window.proposals), default=0.0)
    restates = any(word_similarity(text, what) >= RESTATED for what in marked[-2:])
    return {
        "open_marked_proposal": bool(marked),
        "echo": echo,
        "restates": restates,
        "restates_opposed": restates and bool(window.objecting),
        "amends_voted": bool(marked) and echo < REPEATED and len(window.voting) > 1,
        "repeats_voted": len(window.voting) > 1
        and any(
            content_words(what) and content_words(what) <= content_words(text)
            for what in marked[-1:]
        ),
        "calls_for_words": window.calls_for_words,
        "just_decided": window.just_decided,
        "assenting": math.log1p(len(window.assenting)),
        "voting": math.log1p(len(window.voting)),
        "votes_last": window.votes_last / 4,
        "objecting": math.log1p(len(window.objecting)),
        "closing_last": window.closing_last,
        "asked_for_dissent": window.asked_for_dissent,
        "near_closing": window.near_closing,
        "passed_before": bool(window.passed) and word_overlap(text, window.passed) > 0,
        "said_before": max((word_overlap(text, one) for one in window.taken), default=0.0) >= SAME,
    }


def _acceptance(text: str, speaker: str, window: Window) -> dict[str, float]:
    """Take an assent for a decision when nobody else has to be waited for.

    Between two people the other one's yes is enough; among more it takes two. Who says what is
    taken ("cool, dropping it", "ok, CSV for now") needs one yes of others, or the words of another.
    A proposal that was marked as one is closed by whoever leads the vote.
    """
    nothing = {"accepts": 0.0, "joins_in": 0.0, "takes": 0.0}
    if window.objecting or speech.TURNS.search(text) or "?" in text or speech.DENIES.search(text):
        return nothing
    if any(one.is_marked for one in window.proposals):
        return nothing
    if _takes_named(text, speaker, window):
        return nothing | {"takes": 1.0}
    last = window.proposals[-1] if window.proposals else None
    if last is None or last.said.speaker == speaker:
        return nothing
    if speech.ACCEPTS.match(text):
        return nothing | {"accepts": 1.0}
    is_yes = speech.ASSENTS.match(text) or speech.VOTE_FOR.match(text)
    is_enough = window.speakers <= {speaker, last.said.speaker} or bool(
        window.assenting - {speaker, last.said.speaker}
    )
    is_short = len(text.split()) <= _MOST_WORDS_OF_A_YES
    return nothing | {"joins_in": float(bool(is_yes) and is_short and is_enough)}


def _takes_named(text: str, speaker: str, window: Window) -> bool:
    """Tell whether a message takes something in words that were said just before."""
    lead = commitments.TAKES.match(text)
    rest = text[lead.end() :] if lead else text
    first = unquoted_sentences(rest)[:1]
    if not first or any(
        unsure.search(rest) for unsure in (speech.RECALLS, speech.SUPPOSES, speech.HEDGES)
    ):
        return False
    if not lead:
        return bool(commitments.PICKS.match(first[0])) and any(
            word_overlap(first[0], one.text) >= ECHOED for one in window.recent
        )
    offered = [one.what for one in window.proposals[-2:] if one.said.speaker != speaker]
    offered += [one.text for one in window.recent if _orders(one) and one.speaker != speaker]
    if any(_share(first[0], what) >= TAKEN for what in offered):
        return True
    if speech.SETTLED_ON.search(lead.group()) and window.asked_for_dissent:
        return bool(window.assenting - {speaker}) and len(content_words(first[0])) > 1
    if len(content_words(first[0])) <= 2 and any(
        speech.CHOICE.search(one.text) and _share(first[0], one.text) == 1 for one in window.recent
    ):
        return True
    own = [one.what for one in window.proposals[-2:] if one.said.speaker == speaker]
    return bool(own and window.assenting - {speaker}) and (
        _share(first[0], own[-1]) >= TAKEN or commitments.DOES_IT.match(first[0]) is not None
    )


def _share(text: str, offered: str) -> float:
    """Tell how much of a text's rarer words stand in what was offered, 0 to 1."""
    words = content_words(text)
    return len(words & content_words(offered)) / len(words) if words else 0.0


def _clauses(text: str) -> list[str]:
    """Cut a text into sentences, and what follows a "so" in them."""
    return [part for one in unquoted_sentences(text) for part in (one, *_SO.split(one)[1:])]


def _orders(said: ContextMessage) -> bool:
    first = _FIRST.match(said.text.lower())
    return bool(first and first[1] in DIRECTIVES) and not speech.ASKS.search(said.text)


def without_greeting(text: str) -> str:
    """Leave out how somebody is greeted or thanked before the matter."""
    rest = commitments.GREETING.sub("", text, count=1)
    return rest if content_words(rest) else text


def _says(pattern: re.Pattern[str], text: str) -> bool:
    """Tell whether a sentence says it, and does not ask, deny, suppose, remember or guess it."""
    return any(
        pattern.search(one)
        and not (
            speech.ASKS.search(one)
            or speech.DENIES.search(one)
            or speech.SUPPOSES.search(one)
            or speech.RECALLS.search(one)
            or speech.UNSURE.match(one)
        )
        for one in unquoted_sentences(text)
    )


def unquoted_sentences(text: str) -> list[str]:
    """Cut a text into sentences, its quoted lines left out."""
    lines = [line for line in text.splitlines() if not speech.QUOTED.search(line)]
    return [part for line in lines for part in _SENTENCE.split(line) if part.strip()]


SHIPPED = Path(__file__).with_name("weights.toml")
_TOLD = 3


class Weights(Noun):
    """What each feature adds to the log odds of a decision."""

    bias: float
    words: Mapping[str, float] = Field(description="features of the message itself")
    setting: Mapping[str, float] = Field(description="features of the messages before it")

    def confidence(self, features: Features) -> float:
        """Weigh features; 0 to 1."""
        total = self.bias + sum(self._of(name) * value for name, value in features.items())
        return 1 / (1 + math.exp(-max(-30.0, min(30.0, total))))

    def reasons(self, features: Features) -> tuple[str, ...]:
        """Name what told most, strongest first, with its sign."""
        told = {name: self._of(name) * value for name, value in features.items()}
        strongest = sorted(told, key=lambda name: (-abs(told[name]), name))[:_TOLD]
        return tuple(f"{name} {told[name]:+.1f}" for name in strongest if told[name])

    def _of(self, name: str) -> float:
        return self.words.get(name, self.setting.get(name, 0.0))


@cache
def shipped_weights() -> Weights:
    """Read the weights that ship, once."""
    return Weights.model_validate(tomllib.loads(SHIPPED.read_text("utf-8")))


class Confirmer(Protocol):
    """Tells how likely it is that a message takes a decision; rules here, a model elsewhere."""

    def confirm(self, said: ContextMessage, context: Sequence[ContextMessage]) -> Detection:
        """Judge a message in the light of those before it, oldest first."""
        ...


@dataclass(frozen=True)
class Detector:
    """The confirmer that needs no model: the same words mean the same, every time."""

    threshold: float
    weights: Weights = field(default_factory=shipped_weights)

    def confirm(self, said: ContextMessage, context: Sequence[ContextMessage]) -> Detection:
        """Judge a message; see Confirmer."""
        window = read_window([one.short for one in context[-CONTEXT_MESSAGES:]])
        features = features_of(said.short.text, said.speaker, window)
        confidence = self.weights.confidence(features)
        return Detection(
            is_decision=confidence >= self.threshold,
            confidence=round(confidence, 4),
            reasons=self.weights.reasons(features),
        )
