"""Find the words that state a decision: the message itself, or the proposal it accepts."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from state.journal import JournalMessage
from tools.journal.detection import cue_phrases as commitments
from tools.journal.detection import cue_phrases as speech
from tools.journal.detection.context_window import (
    CONTEXT_MESSAGES,
    ContextMessage,
    OpenProposal,
    content_words,
    is_vote,
    read_window,
    word_similarity,
)
from tools.journal.detection.detector import is_acceptance
from tools.journal.extraction.sentences import (
    CitedSpan,
    cite_sentences,
    cite_whole,
    plain_apostrophes,
)
from tools.journal.supersession.rules import DROPS

_CHOICE = re.compile(
    r"\b(?:(?:decided|agreed|resolved|chosen|chose|voted|opted|settled|concluded|picked|selected"
    r"|approved|adopted|decides|agrees)(?: (?:to|on|for|that|upon|in favour of))?"
    r"|going with|go(?:ing)? (?:to go )?(?:with|for)|stick(?:ing)? (?:with|to)"
    r"|(?:decision|consensus) (?:is|was) (?:to|that)|the winner is|let's(?: just| then)?"
    r"|we(?:'ll| will) (?=use\b)|from now on,? we)\s+(?P<what>\S.*)",
    re.IGNORECASE | re.DOTALL,
)
_LEAD = re.compile(
    r"^\W*(?:[^,.;]{1,40},\s*)?(?:(?:so|ok|okay|well|then|and|maybe|perhaps)\W+)*"
    r"(?:(?:i|we)(?:'d| would|'ll)? (?:like to )?(?:therefore |hereby )?"
    r"(?:propose|suggest|recommend|move|think|vote)(?: that)?(?: we)?(?: should| could)?(?: to)?"
    r"|my (?:proposal|suggestion|recommendation)(?: is)?(?: that| to)?(?: we)?|(?:how"
    r"|what) about(?: we)?"
    r"|let's|let us|lets|(?:shall|should|could|can) we|why don't we|we (?:should|could|ought to)"
    r"|i'd (?:go with|say|vote for)|i would (?:go with|vote for))\s+",
    re.IGNORECASE,
)
_BECAUSE = re.compile(
    r"[,;]?\s+\b(?:because|since|so that|so (?=we (?:can|don't|do not|need not)\b)|in order to"
    r"|due to|given that)\b"
    r"|,\s+as (?=(?:it|we|they|the|this|that|nobody|everybody)\b)",
    re.IGNORECASE,
)
_TELLS = (commitments.PLANS, commitments.RULES)
_REFUSES = re.compile(
    r"^\W*(?:(?:hmm+|well|oh|sorry|please|honestly|ok(?:ay)?)\W+)*"
    r"(?:no(?! (?:objection|concern|problem|doubt|worries|issue|comment|complaint|one\b|dissent"
    r"|opposition))|nah|nope|never|absolutely not|(?:i'd )?(?:rather|better) not"
    r"|(?:let's )?not(?! sure)"
    r"|(?:please )?(?:don't|do not)(?! (?:mind|see why|know)))\b",
    re.IGNORECASE,
)
_KEEPS = re.compile(
    r"^\W*(?:(?:we|it|they|that|this|he|she|let's|let us)(?:'ll|'s|'re| will| are| is| can"
    r"| should)* )?(?:just |all )*(?:keep(?:s|ing)?|stay(?:s|ing)?|stick(?:s|ing)? (?:with|to)"
    r"|remain(?:s|ing)?|leave (?:it|them|that|things))\b",
    re.IGNORECASE,
)
REACH_MESSAGES = 40
"""How far back a proposal is looked for, votes not counted."""
_LIKE = 0.3
"""From here on a text says a proposal again, however amended."""


_ABOUT_DECIDING = """
accepted achieved adopted agree agreed agreement agrees approved carried close closed consensus
decide decided decision direction done group let motion passed proposal proposals propose proposed
resolution resolutions resolved settled ship should take taken team thing things vote voted votes
way whatever"""
_OF_DECIDING = frozenset(_ABOUT_DECIDING.split())
"""Words that tell that something was decided, and not what."""


@dataclass(frozen=True)
class DecisionText:
    """What was decided, and whose proposal it had been."""

    decision: CitedSpan
    proposal: CitedSpan | None = None


def find_decision_text(messages: Sequence[JournalMessage], at: int) -> DecisionText:
    """Find the words of the decision that `messages[at]` takes, and the proposal before it."""
    message = messages[at]
    before = [_said(one) for one in messages[:at]]
    recent = _with_votes_skipped(before)
    text = plain_apostrophes(message.content)
    answers = [_said(one).text for one in messages[: at + 1]]
    proposed = [
        (where, one)
        for where in recent
        if (one := _proposal(before[where])) is not None
        and _is_open(one.what, answers[where + 1 :])
    ]
    marked = speech.MARKED_DECISION.match(text)
    said = _marked(message, marked) if marked else _said_outright(message)
    if (said is None or not names_choice(said.text)) and _takes_up(messages, at):
        for where in _takeable(message, proposed):
            found = _of_proposal(messages[where])
            if names_choice(found.text):
                return DecisionText(found, proposal=found)
    decision = said or cite_whole(message).trimmed()
    nearest = _nearest(decision.text, proposed)
    return DecisionText(
        decision, proposal=None if nearest is None else _of_proposal(messages[nearest])
    )


def names_choice(text: str) -> bool:
    """Tell whether a text says what is decided: "ship it" and "we have consensus" do not."""
    own = content_words(_behind_the_yes(text)) - _OF_DECIDING
    return len(own) > 1 or (bool(own) and not is_vote(text))


def _is_open(proposal: str, answers: Sequence[str]) -> bool:
    """Tell whether a proposal can still be taken.

    What was asked and answered with a no cannot: a question about dropping something is answered
    so by keeping it, too, in the closing words as well. Nor can a mere refusal: "let's not".
    """
    if (refused := _REFUSES.match(proposal)) and not speech.PROPOSES.search(
        proposal, refused.end()
    ):
        return False
    if "?" not in proposal and not speech.ASKS_AT_ALL.match(proposal):
        return True
    is_dropping = DROPS.search(proposal) is not None
    return not any(
        _REFUSES.match(one) or (is_dropping and _KEEPS.match(_behind_the_yes(one)))
        for one in answers
    )


def _behind_the_yes(text: str) -> str:
    lead = commitments.TAKES.match(text)
    return text[lead.end() :] if lead else text


def _said(message: JournalMessage) -> ContextMessage:
    return ContextMessage(message.speaker, message.content).short


def _with_votes_skipped(before: Sequence[ContextMessage]) -> list[int]:
    """Name the last messages that are no votes: twenty votes push no proposal out of sight."""
    spoken = [where for where, said in enumerate(before) if not is_vote(said.text)]
    return spoken[-REACH_MESSAGES:]


def _proposal(said: ContextMessage) -> OpenProposal | None:
    found = read_window([said]).proposals
    return found[0] if found else None


def _marked(message: JournalMessage, found: re.Match[str]) -> CitedSpan:
    start = found.start("what")
    return CitedSpan(message, start, len(message.content)).trimmed()


def _said_outright(message: JournalMessage) -> CitedSpan | None:
    """Cut the choice out of "we decided to … because …"; a plan is told by its whole sentence."""
    for sentence in cite_sentences(message):
        text = plain_apostrophes(sentence.text)
        is_chosen = commitments.COMMITS.search(text) is not None
        if not is_chosen and not any(one.search(text) for one in _TELLS):
            continue
        choice = _CHOICE.search(text) if is_chosen else None
        start = choice.start("what") if choice else 0
        reason = _BECAUSE.search(text, start + 3)
        found = sentence.part(start, reason.start() if reason else len(text)).trimmed()
        if content_words(found.text):  # more than "to" at the end of a line
            return found
    return None


def _takes_up(messages: Sequence[JournalMessage], at: int) -> bool:
    """Tell whether a message stands for the words of another: "agreed", "so decided"."""
    message = messages[at]
    context = [_said(one) for one in messages[max(0, at - CONTEXT_MESSAGES) : at]]
    text = _said(message).text
    if speech.SETTLES.search(text) or is_vote(text):
        return True
    return is_acceptance(text, message.speaker, read_window(context))


def _takeable(
    message: JournalMessage, proposed: Sequence[tuple[int, OpenProposal]]
) -> Iterator[int]:
    """Name the proposals that a message may take, the likeliest first."""
    others = [pair for pair in proposed if pair[1].said.speaker != message.speaker]
    marked = [pair for pair in proposed if pair[1].is_marked]
    yield from (where for where, _one in reversed(marked or others or list(proposed)))


def _nearest(decision: str, proposed: Sequence[tuple[int, OpenProposal]]) -> int | None:
    """Find the proposal it came from: the one most like it, else the last that was marked."""
    alike = [(word_similarity(decision, one.what), -where) for where, one in proposed]
    best = max(alike, default=(0.0, 0))
    if best[0] >= _LIKE:
        return -best[1]
    marked = [where for where, one in proposed if one.is_marked]
    return marked[-1] if marked else None


def _of_proposal(message: JournalMessage) -> CitedSpan:
    text = plain_apostrophes(message.content)
    if marked := speech.MARKED_PROPOSAL.match(text):
        return CitedSpan(message, marked.start("what"), len(text)).trimmed()
    for sentence in cite_sentences(message):
        if speech.PROPOSES.search(plain_apostrophes(sentence.text)):
            lead = _LEAD.match(plain_apostrophes(sentence.text))
            start = lead.end() if lead else 0
            found = sentence.part(start, len(sentence.text.rstrip(" ?"))).trimmed()
            if found.text:
                return found
    return cite_whole(message).trimmed()
