"""Ask a model about messages that rules are not sure of; without its answer the rules decide."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import structlog

from state.errors import ModelUnavailable
from state.journal import Detection, JournalMessage
from tools.journal.by_model.reading import READ_MESSAGES, ModelReading, instructions, prompt_of
from tools.journal.detecting import commitments, speech
from tools.journal.detecting.detector import Confirmer
from tools.journal.detecting.window import CONTEXT_MESSAGES, Said
from tools.models.chat import ChatModel

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
class Judged:
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

    async def judge(self, messages: Sequence[JournalMessage]) -> Mapping[int, Judged]:
        """Judge messages by their place; those that are plain talk or certain are left out."""
        asked = await asyncio.to_thread(lambda: dict(self._worth_asking(messages)))
        failures: list[str] = []
        found = await asyncio.gather(
            *(self._ask(place, shown, failures) for place, shown in asked.items())
        )
        return {place: one for place, one in found if one is not None}

    async def judge_last(self, messages: Sequence[JournalMessage]) -> Judged | None:
        """Judge the last message of one session; None: nobody has to, or no answer came."""
        context = [Said(one.speaker, one.content) for one in messages[-CONTEXT_MESSAGES - 1 : -1]]
        last = messages[-1]
        if not self._is_worth(last, context):
            return None
        _place, found = await self._ask(0, tuple(messages[-READ_MESSAGES - 1 :]), [])
        return found

    def _is_worth(self, message: JournalMessage, context: Sequence[Said]) -> bool:
        found = self.rules.confirm(Said(message.speaker, message.content), context)
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
            context = [Said(one.speaker, one.content) for one in before[-CONTEXT_MESSAGES:]]
            if self._is_worth(message, context):
                wanted.append((place, (*before[-READ_MESSAGES:], message)))
            before.append(message)
        return wanted

    async def _ask(
        self, place: int, shown: tuple[JournalMessage, ...], failures: list[str]
    ) -> tuple[int, Judged | None]:
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
        return place, Judged(detection, shown, reading)


def _may_decide(text: str, confidence: float) -> bool:
    """Tell whether a message is worth a question: rules look for many, a model picks."""
    plain = text.replace("’", "'")
    by_words = (
        speech.ASSENTS.match(plain),
        speech.SETTLES.search(plain),
        commitments.COMMITS.search(plain),
    )
    return confidence >= WORTH_ASKING or any(by_words)
