"""Extract a decision from a discussion, every sentence cited from a message, none generated.

Parts: title, text, rationale, alternatives, trade-offs, makers and votes.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import islice
from typing import Self

from state.journal import Alternative, Decision, JournalMessage, Span, TradeOffs
from tools.journal.detection.context_window import content_words, word_containment
from tools.journal.extraction.attributes import (
    category_of,
    find_artifacts,
    speakers_of,
    vote_in,
    votes_of,
)
from tools.journal.extraction.decision_text import DecisionText, find_decision_text
from tools.journal.extraction.sentences import (
    NO_EARLIER_DECISION,
    CitedSpan,
    EarlierDecision,
    Role,
    SentenceInRole,
    cite_sentences,
    join_sentences,
    label_sentences,
    plain_apostrophes,
    reason_in,
    role_of,
    topic_words,
)
from tools.platform.text_comparison import shorten

MOST = 6
_LONGEST_OPTION = 60
_MOST_WORDS = 6
_MOST_NAMED = 2
"""Words of a decision that only names what was chosen: "Postgres", "GitHub Actions"."""
_TAKEN = 0.5
_ABOUT = 0.3
_TAIL = (
    r"(?=\s+(?:because|since|as|so that|in order|for|to|on|at|when|if|but|and|is|was|would)\b"
    r"|[,;?!)]|[.:](?!\w)|$)"
)
_OPTION = r"(?P<{name}>[\w#+./'\"` -]{{2,60}}?)"
_INSTEAD = re.compile(
    r"\b(?:instead of|rather than|in favou?r over|in preference to|as opposed to)\s+"
    rf"{_OPTION.format(name='one')}{_TAIL}",
    re.IGNORECASE,
)
_EITHER = re.compile(
    r"\b(?:use|using|take|choose|choosing|between|with|on|pick|prefer|have|keep|either"
    r"|whether to)\s+"
    rf"{_OPTION.format(name='one')}\s+(?:or|vs\.?|versus|and)\s+{_OPTION.format(name='two')}{_TAIL}",
    re.IGNORECASE,
)
_RIVAL = re.compile(
    r"\b(?:i(?:'d| would)(?: rather)? (?:take|go with|use|pick|choose|prefer|vote for)"
    r"|(?:how|what) about(?: using| taking)?"
    r"|(?:why not|let's|(?:we|i) (?:could|should|suggest|propose)(?: we)?"
    r"|(?:can|could|should|shall) we)"
    r" (?:use|take|go with|try|pick|choose|adopt))\s+"
    rf"{_OPTION.format(name='one')}{_TAIL}",
    re.IGNORECASE,
)
_CHOOSES = re.compile(
    r"^\W*(?:use|take|go with|going with|choose|pick|adopt|stick with|keep|stay with)\b",
    re.IGNORECASE,
)
_RIVALS_REACH = 12
"""Messages before a decision among which other options were proposed for the same thing."""
_NOT_CHOSEN = re.compile(r"\b(?:over|instead of|rather than|not|as opposed to)\b", re.IGNORECASE)
_NO_NAME = re.compile(
    r"^(?:\w+ing\b|(?:it|this|that|them|these|those|us|me|you|one|both)$)", re.IGNORECASE
)


@dataclass(frozen=True)
class _Chosen:
    """What was taken, read once: a decision may be long, and every sentence is held against it."""

    words: frozenset[str]
    is_a_choice: bool
    """It says "use …", or only names what was chosen."""

    @classmethod
    def of(cls, decision: str) -> Self:
        text = chosen_part(decision)
        words = content_words(text)
        return cls(words, _CHOOSES.match(text) is not None or len(words) <= _MOST_NAMED)


def find_alternatives(
    messages: Sequence[JournalMessage], decision: str, earlier: int = 0
) -> tuple[tuple[Alternative, ...], tuple[Span, ...]]:
    """Find options that were weighed and not taken, with the places of everything cited.

    Args:
        earlier: how many of the messages led to another decision before.
    """
    chosen = _Chosen.of(decision)
    options: dict[str, CitedSpan] = {}
    since = max(earlier, len(messages) - 1 - _RIVALS_REACH)
    for place, message in enumerate(messages):
        for sentence in cite_sentences(message):
            rivals = _rivals(sentence, chosen) if place >= since else ()
            for option in (*_not_taken(sentence, chosen), *rivals):
                if _is_name(option.text):
                    options.setdefault(option.text.lower(), option)
    found = [_weighed(option, messages, chosen) for option in list(options.values())[:MOST]]
    return (
        tuple(alternative for alternative, _spans in found),
        tuple(span for _alternative, spans in found for span in spans),
    )


def _not_taken(sentence: CitedSpan, chosen: _Chosen) -> Iterator[CitedSpan]:
    """Name the other one of two between which the decision chose, or what it came instead of."""
    text = plain_apostrophes(sentence.text)
    if "?" in text or "between" in text.lower():
        for found in _EITHER.finditer(text):
            pair = [sentence.part(*found.span(name)).trimmed() for name in ("one", "two")]
            taken = [
                word_containment(content_words(one.text), chosen.words) >= _TAKEN for one in pair
            ]
            if taken.count(True) == 1:
                yield pair[taken.index(False)]
    for found in _INSTEAD.finditer(text):
        option = sentence.part(*found.span("one")).trimmed()
        about = word_containment(content_words(text[: found.start()]), chosen.words) >= _ABOUT
        if about and word_containment(content_words(option.text), chosen.words) <= _TAKEN:
            yield option


def _rivals(sentence: CitedSpan, chosen: _Chosen) -> Iterator[CitedSpan]:
    """Name what somebody proposed to take, where in the end something else was taken."""
    if not chosen.is_a_choice:
        return
    for found in _RIVAL.finditer(plain_apostrophes(sentence.text)):
        option = sentence.part(*found.span("one")).trimmed()
        if not content_words(option.text) & chosen.words:
            yield option


def _is_name(option: str) -> bool:
    words = content_words(option)
    is_short = len(option) <= _LONGEST_OPTION and len(option.split()) <= _MOST_WORDS
    return bool(words) and is_short and not _NO_NAME.search(option)


def chosen_part(decision: str) -> str:
    """Cut off what it was chosen instead of."""
    found = _NOT_CHOSEN.search(decision)
    return decision[: found.start()] if found else decision


def _weighed(
    option: CitedSpan, messages: Sequence[JournalMessage], chosen: _Chosen
) -> tuple[Alternative, tuple[Span, ...]]:
    pros: list[CitedSpan] = []
    cons: list[CitedSpan] = []
    for message in messages:
        for sentence in cite_sentences(message):
            text = plain_apostrophes(sentence.text)
            if "?" in text or not _is_about(text, option.text, chosen):
                continue
            role = role_of(text)
            if role == "pro":
                pros.append(sentence)
            elif role in ("con", "risk"):
                cons.append(sentence)
    alternative = Alternative(
        option=option.text,
        pros=tuple(one.text for one in pros),
        cons=tuple(one.text for one in cons),
        why_not_chosen=cons[0].text if cons else None,
    )
    return alternative, (option.span, *(one.span for one in (*pros, *cons)))


def _is_about(text: str, option: str, chosen: _Chosen) -> bool:
    """Tell whether a sentence speaks of an option, and not first of what was chosen."""
    words = content_words(option)
    if not words <= content_words(text):
        return False
    lowered = text.lower()
    own = min(lowered.find(word) for word in words)
    rival = [at for word in chosen.words - words if (at := lowered.find(word)) >= 0]
    return all(own < at for at in rival)


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
    earlier: EarlierDecision = NO_EARLIER_DECISION,
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
    said = find_decision_text(messages, at)
    voting = _voting(messages, at, said, earlier)
    earlier = EarlierDecision(max(0, earlier.messages - start), earlier.words)
    decision = said.decision.text
    reasons = _reasons(said, discussion, earlier)
    roles = tuple(label_sentences(discussion, chosen_part(decision), earlier))
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
        context=join_sentences(background),
        rationale=join_sentences(reasons),
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


def _reasons(
    said: DecisionText, discussion: Sequence[JournalMessage], earlier: EarlierDecision
) -> list[CitedSpan]:
    """Cite why: the decision's own because, then sentences about it that give reasons."""
    found: list[CitedSpan] = []
    for source in dict.fromkeys((said.decision.message, discussion[-1])):
        own = (reason_in(sentence) for sentence in cite_sentences(source))
        found += islice((reason for reason in own if reason is not None), _MOST_SENTENCES)
        if found:
            break
    for one in label_sentences(discussion, said.decision.text, earlier):
        if len(found) == _MOST_SENTENCES:
            break
        is_told = any(
            one.cited.message is reason.message and one.cited.start <= reason.start < one.cited.end
            for reason in found
        )
        if one.role == "rationale" and not is_told:
            found.append(one.cited)
    return found


def _background(said: DecisionText, discussion: Sequence[JournalMessage]) -> list[CitedSpan]:
    """Cite what it is for, and the last question before it that shares its words."""
    wanted = content_words(said.decision.text)
    asked = [
        sentence
        for message in discussion[:-1]
        for sentence in cite_sentences(message)
        if sentence.text.rstrip().endswith("?") and wanted & content_words(sentence.text)
    ]
    return [*_what_for(said.decision), *asked[-1:]]


def _what_for(decision: CitedSpan) -> Iterator[CitedSpan]:
    """Cite what stands before the choosing, as "for the mails to guests" before "we decided"."""
    for sentence in cite_sentences(decision.message):
        if sentence.start <= decision.start < sentence.end:
            before = plain_apostrophes(sentence.text)[: decision.start - sentence.start]
            if found := _FOR.match(before):
                yield sentence.part(*found.span("what")).trimmed()


def _trade_offs(roles: Sequence[SentenceInRole]) -> TradeOffs | None:
    def of(role: Role) -> tuple[str, ...]:
        return tuple(one.cited.text for one in roles if one.role == role)[:_MOST_SENTENCES]

    made = TradeOffs(pros=of("pro"), cons=of("con"), risks=of("risk"), assumptions=of("assumption"))
    return made if made != TradeOffs() else None


def _maker(message: JournalMessage, said: DecisionText) -> str | None:
    """Name whose proposal was taken; without one, who said it."""
    maker = said.proposal.message.speaker if said.proposal else message.speaker
    return maker.lstrip("@") or None


def _voting(
    messages: Sequence[JournalMessage], at: int, said: DecisionText, earlier: EarlierDecision
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
        is_spent = word_containment(proposed, earlier.words) >= _TAKEN_BEFORE
    if is_spent and 0 < earlier.messages >= start:
        since = range(earlier.messages, at)
        start = next((n for n in since if vote_in(messages[n].content) is None), at)
    return messages[start:at]


def title_of(decision: str) -> str:
    """Shorten a decision to a line that names it."""
    return shorten(decision, LONGEST_TITLE)


def _keywords(decision: str) -> tuple[str, ...]:
    words = (word.lower() for word in _WORD.findall(plain_apostrophes(decision)))
    counted = Counter(word for word in words if content_words(word))
    return tuple(word for word, _count in counted.most_common(KEYWORDS))


def _id(tenant_id: str, message: JournalMessage, decision: str) -> str:
    """Make the same id of the same words in the same message: importing again changes nothing."""
    parts = (tenant_id, message.session_id, message.message_id, " ".join(decision.lower().split()))
    return f"dec-{sha256(chr(31).join(parts).encode()).hexdigest()[:16]}"


def _texts(cited: Iterable[CitedSpan]) -> tuple[str, ...]:
    return tuple(one.text for one in cited)


def _spans(cited: Iterable[CitedSpan]) -> tuple[Span, ...]:
    return tuple(one.span for one in cited)


def _evidence(found: Mapping[str, tuple[Span, ...]]) -> Mapping[str, tuple[Span, ...]]:
    return {field: spans for field, spans in found.items() if spans}
