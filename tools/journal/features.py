"""What tells a decision from talk about one: named features of a message in its window."""

import math
import re
from collections.abc import Mapping
from typing import Final

from tools.journal import speech
from tools.journal.window import Window, likeness, overlap, words_of

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
_CHATTY = re.compile(
    r"\b(?:you|your|lol|hmm|well|yeah|thanks?|thank|sorry|hi|hello|please|btw|oh|wow|haha)\b"
    r"|[:;]-?\)|\.\.\.|…",
    re.IGNORECASE,
)

_MOST_WORDS_OF_A_YES = 5
RESTATED: Final = 0.85
"""The share of all words from which a text says a proposal again and does not amend it."""
REPEATED: Final = 0.8
"""The share of the shorter text's words from which one says the other, and perhaps more."""
SAME: Final = 0.99
"""The share of words from which a decision counts as the one just recorded."""

Features = Mapping[str, float]
"""Name to value, mostly 0 or 1; a name that is missing is 0."""


def features_of(text: str, speaker: str, window: Window) -> Features:
    """Read a message in its window."""
    plain = text.replace("’", "'").strip()
    found = _form(plain, speech.INNER_QUOTE.sub(" ", plain))
    found |= _setting(plain, window)
    accepted = _acceptance(plain, speaker, window)
    if any(accepted.values()):  # then it is more than a vote, and stands for the words it accepts
        found |= {"votes": 0.0, "nothing_said": 0.0, "first_person": 0.0}
    found |= accepted
    return {name: float(value) for name, value in found.items() if value}


def is_settled_on(text: str, speaker: str, window: Window) -> bool:
    """Tell whether a message takes what another proposed in ordinary words."""
    return any(_acceptance(text, speaker, window).values())


def _form(text: str, own: str) -> dict[str, float]:
    if speech.MARKED_DECISION.match(text):
        return {"marked_decision": 1.0}  # whatever it says then, it was decided
    first = _FIRST.match(text.lower())
    says = sentences_said(own)
    commits = any(
        speech.COMMITS.search(one)
        and not (
            speech.ASKS.search(one)
            or speech.DENIES.search(one)
            or speech.SUPPOSES.search(one)
            or speech.RECALLS.search(one)
            or speech.UNSURE.match(one)
        )
        for one in says
    )
    passes = bool(speech.PASSED.search(own))
    is_vote_ = any(
        v.match(own) for v in (speech.VOTE_FOR, speech.VOTE_AGAINST, speech.VOTE_NEUTRAL)
    )
    return {
        "marked_proposal": bool(speech.MARKED_PROPOSAL.match(text)),
        "commits": commits,
        "settles": bool(speech.SETTLES.search(own)),
        "passes": passes,
        "it_is": bool(speech.IT_IS.match(own)),
        "directive": bool(first and first[1] in DIRECTIVES),
        "group_states": bool(speech.GROUP_STATES.search(own)),
        "names_issue": bool(first and first[1] in DIRECTIVES and speech.NAMES_ISSUE.search(own)),
        "will": bool(speech.WILL.search(own)),
        "votes": is_vote_ or (bool(speech.ASSENTS.match(own)) and not commits),
        "proposes": bool(speech.PROPOSES.search(own)) and not commits,
        "asks": bool(speech.ASKS.search(own) or speech.ASKS_AT_ALL.match(own)),
        "asks_for_dissent": bool(speech.ASKS_FOR_DISSENT.search(own)),
        "denies": bool(speech.DENIES.search(own)),
        "supposes": bool(speech.SUPPOSES.search(own)),
        "hedges": bool(speech.HEDGES.search(own)),
        "recalls": bool(speech.RECALLS.search(own)) and not passes,
        "first_person": bool(speech.FIRST_PERSON.search(own)),
        "chatty": bool(_CHATTY.search(own)),
        "quoted": bool(speech.QUOTED.search(own)),
        "nothing_said": not words_of(text) or bool(speech.LINK_ALONE.match(text)),
    }


def _setting(text: str, window: Window) -> dict[str, float]:
    marked = [one.what for one in window.proposals if one.is_marked]
    echo = max((overlap(text, one.what) for one in window.proposals), default=0.0)
    restates = any(likeness(text, what) >= RESTATED for what in marked[-2:])
    return {
        "open_marked_proposal": bool(marked),
        "echo": echo,
        "restates": restates,
        "restates_opposed": restates and bool(window.objecting),
        "amends_voted": bool(marked) and echo < REPEATED and len(window.voting) > 1,
        "repeats_voted": len(window.voting) > 1
        and any(words_of(what) and words_of(what) <= words_of(text) for what in marked[-1:]),
        "calls_for_words": window.calls_for_words,
        "just_decided": window.just_decided,
        "assenting": math.log1p(len(window.assenting)),
        "voting": math.log1p(len(window.voting)),
        "votes_last": window.votes_last / 4,
        "objecting": math.log1p(len(window.objecting)),
        "closing_last": window.closing_last,
        "asked_for_dissent": window.asked_for_dissent,
        "near_closing": window.near_closing,
        "passed_before": bool(window.passed) and overlap(text, window.passed) > 0,
        "said_before": max((overlap(text, one) for one in window.taken), default=0.0) >= SAME,
    }


def _acceptance(text: str, speaker: str, window: Window) -> dict[str, float]:
    """Take an assent for a decision when nobody else has to be waited for.

    Between two people the other one's yes is enough; among more it takes two. A proposal that was
    marked as one is closed by whoever leads the vote.
    """
    nothing = {"accepts": 0.0, "joins_in": 0.0}
    last = window.proposals[-1] if window.proposals else None
    if last is None or last.is_marked or last.said.speaker == speaker:
        return nothing
    if window.objecting or speech.TURNS.search(text) or "?" in text or speech.DENIES.search(text):
        return nothing
    if speech.ACCEPTS.match(text):
        return {"accepts": 1.0, "joins_in": 0.0}
    is_yes = speech.ASSENTS.match(text) or speech.VOTE_FOR.match(text)
    is_enough = window.speakers <= {speaker, last.said.speaker} or bool(
        window.assenting - {speaker, last.said.speaker}
    )
    is_short = len(text.split()) <= _MOST_WORDS_OF_A_YES
    return nothing | {"joins_in": float(bool(is_yes) and is_short and is_enough)}


def sentences_said(text: str) -> list[str]:
    """Cut a text into sentences, its quoted lines left out."""
    lines = [line for line in text.splitlines() if not speech.QUOTED.search(line)]
    return [part for line in lines for part in _SENTENCE.split(line) if part.strip()]
