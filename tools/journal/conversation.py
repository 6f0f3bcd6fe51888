"""Read conversations message by message into decisions, or detect one in a single message.

A decision that is repeated within a session is returned once.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from state.journal import Decision, Detection, JournalMessage
from state.note import DetectedDecision
from state.noun import Noun, Score
from tools.journal.detection.context_window import (
    CONTEXT_MESSAGES,
    READ_CHARACTERS,
    ContextMessage,
    is_vote,
    word_similarity,
)
from tools.journal.detection.cue_phrases import MARKED_DECISION, MARKED_PROPOSAL
from tools.journal.detection.detector import Confirmer, Detector
from tools.journal.detection.llm_detector import ModelVerdict, apply_supported
from tools.journal.extraction.decision_text import find_decision_text, names_choice
from tools.journal.extraction.extractor import DISCUSSION_MESSAGES, extract
from tools.journal.extraction.sentences import (
    NO_EARLIER_DECISION,
    EarlierDecision,
    cite_sentences,
    reason_in,
    topic_words,
)
from tools.journal.supersession.rules import choice_in_title


def detect_decision(text: str, threshold: float) -> DetectedDecision | None:
    """Find a decision in a message; None for talk, questions, proposals, reports and quotes.

    Args:
        text: as it was said, without NUL and half surrogate pairs.
        threshold: confidence from which it counts.
    """
    plain = text[:READ_CHARACTERS].replace("’", "'")
    found = Detector(threshold).confirm(ContextMessage("", plain), ())
    if not found.is_decision:
        return None
    message = JournalMessage(message_id="heard", content=plain)
    decision = find_decision_text([message], 0).decision.text
    reasons = [reason for one in cite_sentences(message) if (reason := reason_in(one)) is not None]
    if not names_choice(decision):
        return None
    return DetectedDecision(
        decision=decision,
        rationale=reasons[0].text if reasons else "",
        confidence=found.confidence,
    )


REPEATED = 0.85
"""The share of words from which a decision is one just taken, said again."""
UNMARKED = 0.97
"""How sure one has to be, where proposals or decisions carry a marker, of what neither carries one
nor says outright that it is decided.

Of the nine below it in 68 public discussions of a group that writes "RESOLVED:" one at most decided
anything.
"""
_OUTRIGHT = frozenset({"commits", "passes", "restates", "settles"})
_RECENT = 12
KEPT_MESSAGES = 200
"""How far back a session is remembered: its discussion, and votes on what was proposed."""


class Read(Noun):
    """What one message was taken for."""

    message_id: str
    is_decision: bool
    confidence: Score
    reasons: tuple[str, ...] = ()
    decision_id: str | None = None
    decision: Decision | None = None
    """None too when the same was decided just before: `decision_id` names that one."""


def read_conversations(
    messages: Iterable[JournalMessage],
    confirmer: Confirmer,
    *,
    tenant_id: str = "default",
    judged: Mapping[int, ModelVerdict] | None = None,
) -> Iterator[Read]:
    """Read messages in order; sessions may be mixed, each has a context of its own.

    Args:
        judged: what a model has said of some messages, by their place; the others are confirmed.
    """
    reader = ConversationReader(confirmer, tenant_id)
    known = judged or {}
    for place, message in enumerate(messages):
        yield reader.read(message, known.get(place))


class ConversationReader:
    """Reads messages as they come; what was said before is remembered, a session at a time."""

    def __init__(self, confirmer: Confirmer, tenant_id: str = "default") -> None:
        self._confirmer = confirmer
        self._tenant_id = tenant_id
        self._sessions: dict[str, _Session] = {}

    def read(self, message: JournalMessage, judged: ModelVerdict | None = None) -> Read:
        """Read one more message; `judged` is what a model has said of it."""
        session = self._sessions.get(message.session_id)
        if session is None:
            session = _Session(self._confirmer, self._tenant_id)
            self._sessions[message.session_id] = session
        return session.read(message, judged)


class _Session:
    def __init__(self, confirmer: Confirmer, tenant_id: str) -> None:
        self._confirmer = confirmer
        self._tenant_id = tenant_id
        self._messages: list[JournalMessage] = []
        self._taken: list[tuple[int, Decision]] = []
        self._count = 0
        self._marked_at: int | None = None

    def read(self, message: JournalMessage, judged: ModelVerdict | None = None) -> Read:
        before = self._messages[-KEPT_MESSAGES:]
        self._messages = [*before, message]
        self._count += 1
        found = (
            judged.detection if judged else self._confirm(message, before[-DISCUSSION_MESSAGES:])
        )
        read = Read(
            message_id=message.message_id,
            is_decision=found.is_decision,
            confidence=found.confidence,
            reasons=found.reasons,
        )
        if not found.is_decision:
            if MARKED_PROPOSAL.match(message.content):
                self._marked_at = self._count
            return read
        is_marked = MARKED_DECISION.match(message.content) is not None
        if is_marked:
            self._marked_at = self._count
        elif self._marks() and not (judged or _is_clear(found)):
            told = (*found.reasons, "unmarked_among_marked")
            return read.model_copy(update={"is_decision": False, "reasons": told})
        decision = self._extracted(found.confidence)
        if not is_marked and not names_choice(decision.decision):
            told = (*found.reasons, "says_not_what")
            return read.model_copy(update={"is_decision": False, "reasons": told})
        if said_short := self._said_in_short(decision):
            self._taken.pop()  # then what led to that one led to this
            whole = self._extracted(found.confidence)
            decision = whole.model_copy(update={"id": said_short.id})
        if judged and judged.reading:
            decision = apply_supported(decision, judged.reading, judged.shown)
        if same := self._said_before(decision):
            return read.model_copy(update={"decision_id": same.id})
        self._taken = [*self._taken[-_RECENT:], (self._count, decision)]
        return read.model_copy(update={"decision_id": decision.id, "decision": decision})

    def _marks(self) -> bool:
        """Tell whether people mark their decisions here, of late."""
        return self._marked_at is not None and self._count - self._marked_at <= KEPT_MESSAGES

    def _confirm(self, message: JournalMessage, before: Sequence[JournalMessage]) -> Detection:
        return self._confirmer.confirm(
            ContextMessage(message.speaker, message.content), _context(before)
        )

    def _extracted(self, confidence: float) -> Decision:
        return extract(
            self._messages,
            len(self._messages) - 1,
            confidence=confidence,
            tenant_id=self._tenant_id,
            earlier=self._earlier(),
        )

    def _said_in_short(self, decision: Decision) -> Decision | None:
        """Find what was taken just before by its name alone, of which this is the whole."""
        if not self._taken:
            return None
        at, last = self._taken[-1]
        named = last.decision.strip().lower()
        is_near = self._count - at <= _RECENT
        return last if is_near and named == choice_in_title(decision.decision) else None

    def _earlier(self) -> EarlierDecision:
        if not self._taken:
            return NO_EARLIER_DECISION
        at, decision = self._taken[-1]
        kept = len(self._messages) - (self._count - at)
        return EarlierDecision(max(0, kept), topic_words(decision.decision))

    def _said_before(self, decision: Decision) -> Decision | None:
        return next(
            (
                known
                for at, known in reversed(self._taken)
                if self._count - at <= _RECENT
                and word_similarity(known.decision, decision.decision) >= REPEATED
            ),
            None,
        )


def _is_clear(found: Detection) -> bool:
    said = {reason.split()[0] for reason in found.reasons}
    return found.confidence >= UNMARKED or not said.isdisjoint(_OUTRIGHT)


def _context(before: Sequence[JournalMessage]) -> list[ContextMessage]:
    """Give the last messages; of a long row of votes the proposal before it is kept in sight."""
    said = [ContextMessage(one.speaker, one.content) for one in before]
    recent = said[-CONTEXT_MESSAGES:]
    if len(said) <= CONTEXT_MESSAGES or not all(is_vote(one.text) for one in recent):
        return recent
    spoken = [one for one in said[:-CONTEXT_MESSAGES] if not is_vote(one.text)]
    return [*spoken[-2:], *recent[-(CONTEXT_MESSAGES - 2) :]]
