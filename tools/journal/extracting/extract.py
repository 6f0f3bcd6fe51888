"""Read a decision out of a discussion: every sentence of it is cited, none is written."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import islice

from state.journal import Decision, JournalMessage, Span, TradeOffs
from tools.journal.detecting.window import shared, words_of
from tools.journal.extracting.artifacts import find_artifacts
from tools.journal.extracting.category import category_of
from tools.journal.extracting.citing import Cited, in_a_row, plain, sentences
from tools.journal.extracting.options import chosen_part, find_alternatives
from tools.journal.extracting.people import speakers_of, vote_in, votes_of
from tools.journal.extracting.roles import (
    NOTHING_EARLIER,
    Earlier,
    InRole,
    Role,
    in_roles,
    reason_in,
    topic_words,
)
from tools.journal.extracting.wording import Worded, worded

DISCUSSION_MESSAGES = 40
"""How far back a discussion is read for reasons, options, people and artifacts."""
DISCUSSION_CHARACTERS = 40_000
"""How far back in characters; of 68 discussions of real meetings the longest holds 4,900."""
LONGEST_TITLE = 120
KEYWORDS = 12
_MOST_SENTENCES = 8
_TAKEN_BEFORE = 0.5
"""Of a proposal's words, how many an earlier decision has that took it: its votes are spent."""
_FOR = re.compile(
    r"^\W*(?:(?:and|so|ok|okay|then)\W+)*"
    r"(?P<what>(?:for|on|as for|regarding|about|concerning|with|at|in)\s"
    r"[^,;:]{3,80}?),?\s+(?:we|the (?:team|group)|it (?:was|is)|i)\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W_][\w.+#-]*[^\W_]|[^\W_]")


def extract(
    messages: Sequence[JournalMessage],
    at: int,
    *,
    confidence: float,
    tenant_id: str = "default",
    earlier: Earlier = NOTHING_EARLIER,
) -> Decision:
    """Read the decision that `messages[at]` takes, in the light of those before and after it.

    Args:
        messages: of one session, in order; those after `at` may add votes.
        at: the place of the message that takes the decision.
        confidence: how sure its detection is.
        tenant_id: whose journal it goes into.
        earlier: what was decided before it, counted in `messages`.
    """
    message = messages[at]
    start = _start_of(messages, at)
    discussion = messages[start : at + 1]
    said = worded(messages, at)
    voting = _voting(messages, at, said, earlier)
    earlier = Earlier(max(0, earlier.messages - start), earlier.words)
    decision = said.decision.text
    reasons = _reasons(said, discussion, earlier)
    roles = tuple(in_roles(discussion, chosen_part(decision), earlier))
    alternatives, option_spans = find_alternatives(discussion, decision, earlier.messages)
    artifacts = find_artifacts(discussion)
    background = _background(said, discussion)
    return Decision(
        id=_id(tenant_id, message, decision),
        timestamp=message.timestamp,
        session_id=message.session_id,
        tenant_id=tenant_id,
        title=title_of(decision),
        decision=decision,
        context=in_a_row(background),
        rationale=in_a_row(reasons),
        category=category_of(decision, names_code=bool(artifacts.code)),
        confidence=confidence,
        alternatives=alternatives,
        trade_offs=_trade_offs(roles),
        stakeholders=speakers_of(discussion),
        decision_maker=_maker(message, said),
        votes=votes_of(voting),
        related_code=_texts(artifacts.code),
        related_features=_texts(artifacts.features),
        related_docs=_texts(artifacts.docs),
        keywords=_keywords(decision),
        evidence=_evidence(
            {
                "decision": (said.decision.span,),
                "proposal": (said.proposal.span,) if said.proposal else (),
                "context": _spans(background),
                "rationale": _spans(reasons),
                "alternatives": option_spans,
                "trade_offs": _spans(one.cited for one in roles if one.role != "rationale"),
                "related_code": _spans(artifacts.code),
                "related_features": _spans(artifacts.features),
                "related_docs": _spans(artifacts.docs),
            }
        ),
    )


def _start_of(messages: Sequence[JournalMessage], at: int) -> int:
    """Find where the discussion before a message begins; the whole of one more is always read.

    A decision costs as much as what is read for it: without an end in characters ten messages
    of 60 kB that each decide something cost ten times the ten.
    """
    start, left = at, DISCUSSION_CHARACTERS
    while start > max(0, at - DISCUSSION_MESSAGES) and left > 0:
        start -= 1
        left -= len(messages[start].content)
    return start


def _reasons(said: Worded, discussion: Sequence[JournalMessage], earlier: Earlier) -> list[Cited]:
    """Cite why: the decision's own because, then sentences about it that give reasons."""
    found: list[Cited] = []
    for source in dict.fromkeys((said.decision.message, discussion[-1])):
        own = (reason_in(sentence) for sentence in sentences(source))
        found += islice((reason for reason in own if reason is not None), _MOST_SENTENCES)
        if found:
            break
    for one in in_roles(discussion, said.decision.text, earlier):
        if len(found) == _MOST_SENTENCES:
            break
        is_told = any(
            one.cited.message is reason.message and one.cited.start <= reason.start < one.cited.end
            for reason in found
        )
        if one.role == "rationale" and not is_told:
            found.append(one.cited)
    return found


def _background(said: Worded, discussion: Sequence[JournalMessage]) -> list[Cited]:
    """Cite what it is for, and the last question before it that shares its words."""
    wanted = words_of(said.decision.text)
    asked = [
        sentence
        for message in discussion[:-1]
        for sentence in sentences(message)
        if sentence.text.rstrip().endswith("?") and wanted & words_of(sentence.text)
    ]
    return [*_what_for(said.decision), *asked[-1:]]


def _what_for(decision: Cited) -> Iterator[Cited]:
    """Cite what stands before the choosing, as "for the mails to guests" before "we decided"."""
    for sentence in sentences(decision.message):
        if sentence.start <= decision.start < sentence.end:
            before = plain(sentence.text)[: decision.start - sentence.start]
            if found := _FOR.match(before):
                yield sentence.part(*found.span("what")).trimmed()


def _trade_offs(roles: Sequence[InRole]) -> TradeOffs | None:
    def of(role: Role) -> tuple[str, ...]:
        return tuple(one.cited.text for one in roles if one.role == role)[:_MOST_SENTENCES]

    made = TradeOffs(pros=of("pro"), cons=of("con"), risks=of("risk"), assumptions=of("assumption"))
    return made if made != TradeOffs() else None


def _maker(message: JournalMessage, said: Worded) -> str | None:
    """Name whose proposal was taken; without one, who said it."""
    maker = said.proposal.message.speaker if said.proposal else message.speaker
    return maker.lstrip("@") or None


def _voting(
    messages: Sequence[JournalMessage], at: int, said: Worded, earlier: Earlier
) -> Sequence[JournalMessage]:
    """Cut out what lies between proposal and decision: votes of an earlier one are spent.

    Without a proposal those of the discussion count. What an earlier decision has taken, its late
    votes too, counts for it alone: also where this one comes from the same proposal.
    """
    if said.proposal is None:
        start, is_spent = max(0, at - DISCUSSION_MESSAGES), True
    else:
        ids = [one.message_id for one in messages[:at]]
        start = ids.index(said.proposal.message.message_id) + 1
        proposed = topic_words(said.proposal.text)
        is_spent = shared(proposed, earlier.words) >= _TAKEN_BEFORE
    if is_spent and 0 < earlier.messages >= start:
        since = range(earlier.messages, at)
        start = next((n for n in since if vote_in(messages[n].content) is None), at)
    return messages[start:at]


def title_of(decision: str) -> str:
    """Shorten a decision to a line that names it."""
    line = " ".join(decision.split())
    if len(line) <= LONGEST_TITLE:
        return line
    return f"{line[:LONGEST_TITLE].rsplit(' ', 1)[0]} …"


def _keywords(decision: str) -> tuple[str, ...]:
    words = (word.lower() for word in _WORD.findall(plain(decision)))
    counted = Counter(word for word in words if words_of(word))
    return tuple(word for word, _count in counted.most_common(KEYWORDS))


def _id(tenant_id: str, message: JournalMessage, decision: str) -> str:
    """Make the same id of the same words in the same message: importing again changes nothing."""
    parts = (tenant_id, message.session_id, message.message_id, " ".join(decision.lower().split()))
    return f"dec-{sha256(chr(31).join(parts).encode()).hexdigest()[:16]}"


def _texts(cited: Iterable[Cited]) -> tuple[str, ...]:
    return tuple(one.text for one in cited)


def _spans(cited: Iterable[Cited]) -> tuple[Span, ...]:
    return tuple(one.span for one in cited)


def _evidence(found: Mapping[str, tuple[Span, ...]]) -> Mapping[str, tuple[Span, ...]]:
    return {field: spans for field, spans in found.items() if spans}
