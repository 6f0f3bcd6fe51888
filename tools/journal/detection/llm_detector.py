"""Ask a language model about messages near the detector's threshold.

Only quotations that the messages contain count. If the model does not answer, the rules
decide.
"""

import asyncio
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

import structlog
from pydantic import BaseModel, Field

from state.errors import ModelUnavailable
from state.journal import Alternative, Decision, Detection, JournalMessage, Span, TradeOffs
from tools.adapters import ChatModel
from tools.journal.detection import cue_phrases as commitments
from tools.journal.detection import cue_phrases as speech
from tools.journal.detection.context_window import CONTEXT_MESSAGES, ContextMessage
from tools.journal.detection.detector import Confirmer
from tools.journal.extraction.attributes import fold_name, speakers_of
from tools.journal.extraction.extractor import title_of
from tools.journal.extraction.sentences import CitedSpan, join_sentences
from tools.platform.serialization import prompt_beside

READ_MESSAGES = 5
"""How many messages before the one in question a model is shown."""
_SHOWN_CHARACTERS = 4_000
_MOST = 8


class Quotation(BaseModel):
    """A part of a message, as the model repeats it."""

    message: int = Field(description="number of the message")
    words: str = Field(max_length=2_000)


class ModelReading(BaseModel):
    """The form a model answers in."""

    score: float = Field(ge=0, le=1)
    explanation: str = Field(max_length=500)
    decision: Quotation | None
    rationale: list[Quotation] = Field(max_length=_MOST)
    pros: list[Quotation] = Field(max_length=_MOST)
    cons: list[Quotation] = Field(max_length=_MOST)
    risks: list[Quotation] = Field(max_length=_MOST)
    assumptions: list[Quotation] = Field(max_length=_MOST)
    alternatives: list[Quotation] = Field(max_length=_MOST)
    decision_maker: str | None


instructions = partial(prompt_beside, __file__)


def prompt_of(shown: Sequence[JournalMessage]) -> str:
    """Number the messages; the last one is in question."""
    lines = (
        f"[{number}] {one.speaker or 'unknown'}: {one.content[:_SHOWN_CHARACTERS]}"
        for number, one in enumerate(shown, 1)
    )
    body = "\n".join(lines)
    return f"<<<\n{body}\n>>>\nDoes message {len(shown)} take a decision?"


def apply_supported(
    decision: Decision, reading: ModelReading, shown: Sequence[JournalMessage]
) -> Decision:
    """Put what a model read in place of what rules found, where it is said word for word.

    What is not in the messages is left out, whoever says it is; then the rules' reading stays.
    """
    taken = _cited(reading.decision, shown)
    update: dict[str, object] = {}
    evidence = dict(decision.evidence)
    if taken is not None:
        update |= {"decision": taken.text, "title": title_of(taken.text)}
        evidence["decision"] = (taken.span,)
    if rationale := _all(reading.rationale, shown):
        update["rationale"] = join_sentences(rationale)
        evidence["rationale"] = _spans(rationale)
    sides = {
        name: _all(quoted, shown)
        for name, quoted in (
            ("pros", reading.pros),
            ("cons", reading.cons),
            ("risks", reading.risks),
            ("assumptions", reading.assumptions),
        )
    }
    if any(sides.values()):
        said = {name: tuple(one.text for one in found) for name, found in sides.items()}
        update["trade_offs"] = TradeOffs(**said)
        evidence["trade_offs"] = _spans(one for found in sides.values() for one in found)
    if options := _all(reading.alternatives, shown):
        update["alternatives"] = tuple(Alternative(option=one.text) for one in options)
        evidence["alternatives"] = _spans(options)
    if maker := _spoke(reading.decision_maker, shown):
        update["decision_maker"] = maker
    return decision.model_copy(update=update | {"evidence": evidence})


def _cited(quoted: Quotation | None, shown: Sequence[JournalMessage]) -> CitedSpan | None:
    if quoted is None or not 1 <= quoted.message <= len(shown) or not quoted.words.strip():
        return None
    message = shown[quoted.message - 1]
    start = message.content.find(quoted.words.strip())
    if start < 0:
        return None
    cited = CitedSpan(message, start, start + len(quoted.words.strip())).trimmed()
    return cited if cited.text else None


def _all(quoted: Iterable[Quotation], shown: Sequence[JournalMessage]) -> list[CitedSpan]:
    found = (_cited(one, shown) for one in quoted)
    return list({one.span: one for one in found if one is not None}.values())


def _spans(cited: Iterable[CitedSpan]) -> tuple[Span, ...]:
    return tuple(one.span for one in cited)


def _spoke(name: str | None, shown: Sequence[JournalMessage]) -> str | None:
    """Find a person among those who spoke or were spoken to."""
    wanted = fold_name(name or "")
    return next((one for one in _people(shown) if wanted and fold_name(one) == wanted), None)


def _people(shown: Sequence[JournalMessage]) -> Iterator[str]:
    yield from speakers_of(shown)


WORTH_ASKING = 0.05
"""Confidence of the rules from which a message is shown to a model; below only one that assents,
settles or commits in its words is."""
CERTAIN = 0.99
"""From here on nobody has to confirm it: it was marked as a decision."""
AT_ONCE = 4
MOST_FAILURES = 3
"""Failures in a row after which a model is not asked any more in this import."""

log = structlog.get_logger()


@dataclass(frozen=True)
class ModelVerdict:
    """What a message was found to be; with a reading when a model answered."""

    detection: Detection
    shown: tuple[JournalMessage, ...] = ()
    reading: ModelReading | None = None


@dataclass(frozen=True)
class ModelConfirmer:
    """Confirms what rules find possible; it is told the last messages and answers in a form."""

    rules: Confirmer
    model: ChatModel
    threshold: float
    keywords: tuple[str, ...] = ()
    """What holds one of them is shown to the model, however unlikely the rules find it."""
    _gate: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(AT_ONCE))

    async def judge(self, messages: Sequence[JournalMessage]) -> Mapping[int, ModelVerdict]:
        """Judge messages by their place; those that are plain talk or certain are left out."""
        asked = await asyncio.to_thread(lambda: dict(self._worth_asking(messages)))
        failures: list[str] = []
        found = await asyncio.gather(
            *(self._ask(place, shown, failures) for place, shown in asked.items())
        )
        return {place: one for place, one in found if one is not None}

    async def judge_last(self, messages: Sequence[JournalMessage]) -> ModelVerdict | None:
        """Judge the last message of one session; None: nobody has to, or no answer came."""
        context = [
            ContextMessage(one.speaker, one.content) for one in messages[-CONTEXT_MESSAGES - 1 : -1]
        ]
        last = messages[-1]
        if not self._is_worth(last, context):
            return None
        _place, found = await self._ask(0, tuple(messages[-READ_MESSAGES - 1 :]), [])
        return found

    def _is_worth(self, message: JournalMessage, context: Sequence[ContextMessage]) -> bool:
        found = self.rules.confirm(ContextMessage(message.speaker, message.content), context)
        if found.confidence >= CERTAIN:
            return False
        text = message.content.lower()
        is_named = any(word.lower() in text for word in self.keywords)
        return is_named or _may_decide(message.content, found.confidence)

    def _worth_asking(
        self, messages: Sequence[JournalMessage]
    ) -> list[tuple[int, tuple[JournalMessage, ...]]]:
        sessions: dict[str, list[JournalMessage]] = {}
        wanted = []
        for place, message in enumerate(messages):
            before = sessions.setdefault(message.session_id, [])
            context = [
                ContextMessage(one.speaker, one.content) for one in before[-CONTEXT_MESSAGES:]
            ]
            if self._is_worth(message, context):
                wanted.append((place, (*before[-READ_MESSAGES:], message)))
            before.append(message)
        return wanted

    async def _ask(
        self, place: int, shown: tuple[JournalMessage, ...], failures: list[str]
    ) -> tuple[int, ModelVerdict | None]:
        async with self._gate:
            if len(failures) >= MOST_FAILURES:
                return place, None
            try:
                reading = await self.model.answer(instructions(), prompt_of(shown), ModelReading)
            except ModelUnavailable as failure:
                failures.append(str(failure))
                log.warning("journal_model_failed", failures=len(failures))
                return place, None
        failures.clear()
        detection = Detection(
            is_decision=reading.score >= self.threshold,
            confidence=round(reading.score, 4),
            reasons=(f"model: {' '.join(reading.explanation.split())}",),
        )
        return place, ModelVerdict(detection, shown, reading)


def _may_decide(text: str, confidence: float) -> bool:
    """Tell whether a message is worth a question: rules look for many, a model picks."""
    plain = text.replace("’", "'")
    by_words = (
        speech.ASSENTS.match(plain),
        speech.SETTLES.search(plain),
        commitments.COMMITS.search(plain),
    )
    return confidence >= WORTH_ASKING or any(by_words)
