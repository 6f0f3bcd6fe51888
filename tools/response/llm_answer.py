"""Ask a model about one event: answer form, prompt, and the capped confidence of its answer.

The prompt says who the model speaks as and what is known (Executive decision loop §9.2). Everything
that did not come from us stands in a block whose mark is made of the decision's id and of every
text in it: none of them can hold it, and the same decision asks the same again.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from functools import partial
from hashlib import sha256
from itertools import islice

from pydantic import BaseModel, Field

from state.errors import ModelUnavailable
from state.event import Event
from state.personality import TRAITS
from state.policy import Suggestion
from state.response import ResponseType
from state.result import DecisionPath, DecisionResult, response_id_of
from state.stages import Decided
from state.strategy import Background, DecisionContext, Remark
from tools.adapters import ChatModel
from tools.adapters.chat_model import OnText
from tools.platform.redaction import MASK, names_secret, redact_private
from tools.platform.serialization import prompt_beside
from tools.platform.text_comparison import shorten
from tools.platform.unicode_safety import strip_controls
from tools.response.entailment import claims_an_act


class SlotValue(BaseModel):
    """One argument as the model read it."""

    slot: str
    value: str | bool | int | float | list[str | bool | int | float]


class ModelAnswer(BaseModel):
    """The form a model answers in; its words come last, when it is known that they are all."""

    action: str | None
    arguments: list[SlotValue] = Field(max_length=20)
    predicted_success: float = Field(ge=0, le=1)
    confidence: float = Field(ge=0, le=1)
    say: str = Field(max_length=2_000)


async def ask_model(
    context: DecisionContext,
    llm: ChatModel,
    *,
    instructions: str,
    shown: Sequence[Suggestion],
    scored: bool,
    most_sure: float,
    told: OnText | None = None,
) -> DecisionResult:
    """Ask once. Path: llm, or fallback without words when no answer came in time and form.

    An action is taken over only when the context lists it, with arguments as the model wrote them.

    Args:
        shown: heuristics that the model is shown, in this order.
        scored: show how sure they are; without it nothing anchors the model.
        most_sure: its word on itself counts for no more (executive.md §1.2, GLADyS finding F-06).
        told: given the beginning of the words, again and again, as they come.
    """
    prompt = prompt_of(context, shown, scored=scored)
    teller = told and _Teller(told)
    response_id = response_id_of(context.decision_id or context.event_id)
    matched = context.suggestion.heuristic_id if context.suggestion else None
    try:
        answer = await llm.answer(instructions, prompt, ModelAnswer, told=teller)
    except ModelUnavailable as failure:
        return _without_an_answer(response_id, prompt, str(failure))
    action = answer.action if answer.action in context.actions else None
    words = strip_controls(answer.say).strip()
    if answer.action and action is None:  # its words would tell of it as if it were being done
        named = shorten(strip_controls(answer.action), 60)
        return _without_an_answer(response_id, prompt, f"it named an unknown action: {named}")
    if action is None and context.addressed and claims_an_act(words):
        return _without_an_answer(response_id, prompt, "it told of an act that nobody did")
    if action is None and not any(one.isprintable() and not one.isspace() for one in words):
        # Whether to speak was settled before: without words of its own it changes nothing of that.
        return _without_an_answer(response_id, prompt, "it said nothing")
    return DecisionResult(
        path=DecisionPath.LLM,
        response_text=words,
        response_id=response_id,
        matched_heuristic_id=matched,
        predicted_success=min(most_sure, answer.predicted_success),
        prediction_confidence=min(most_sure, answer.confidence),
        prompt_text=prompt,
        action=action,
        arguments={each.slot: each.value for each in answer.arguments} if action else {},
        confidence=min(most_sure, answer.confidence),
        tainted=True,
        metadata={"model": llm.model_name},
    )


_SENTENCE_END = re.compile(r"[.!?…]\s")


@dataclass
class _Teller:
    """Passes on the beginning of an answer, until it tells of an act that nobody does."""

    told: OnText
    _read: int = 0
    """Characters of the sentences that have ended: they are not read again."""
    _claims: bool = False

    def __call__(self, said: str) -> None:
        said = strip_controls(said)
        self._claims = self._claims or claims_an_act(said[self._read :])
        if not self._claims:
            self.told(said)
            ends = _SENTENCE_END.finditer(said, self._read)
            self._read = max((end.end() for end in ends), default=self._read)


def _without_an_answer(response_id: str, prompt: str, failure: str) -> DecisionResult:
    return DecisionResult(
        path=DecisionPath.FALLBACK,
        response_id=response_id,
        prompt_text=prompt,
        metadata={"reason": "llm_no_response", "failure": failure},
    )


def prompt_of(context: DecisionContext, shown: Sequence[Suggestion], *, scored: bool) -> str:
    """Lay out an event, what is known of such events, and what may be proposed."""
    what = "what the person says" if context.addressed else "event"
    blocks = [Block(what, f"from {context.event_source}:\n{context.event_text}")]
    blocks += [Block("a learned pattern matched", _pattern(one, scored=scored)) for one in shown]
    actions = ("Actions:\n" + "\n".join(context.actions.values()),) if context.actions else ()
    seed = context.decision_id or context.event_id
    return lay_out(seed, context.background, blocks, actions)


def _pattern(known: Suggestion, *, scored: bool) -> str:
    sure = f" (confidence {known.confidence:.0%})" if scored else ""
    if known.doubted:
        sure = " (somebody called that wrong last time)"
    return f'"{known.condition_text}" suggests: "{known.suggested_action}"{sure}'


EVENT_CHARACTERS = 2_000
LINE_CHARACTERS = 160
NEWEST = 5
"""Goals, remarks, facts and details each: the newest so many, each a line of that length."""
MARK_LENGTH = 12
"""Hex digits."""

_KINDS: Mapping[ResponseType, str] = {
    "alert": "an alert: what happened and what it means, at once",
    "question": "a question to the person about what happened",
    "suggestion": "a suggestion that follows from what happened",
    "observation": "an observation: what happened, in passing",
    "quip": "a light remark that still says what happened",
    "check_in": "a friendly word, without news of its own",
    "answer": "an answer to the person",
    "none": "an observation: what happened, in passing",
}


@dataclass(frozen=True)
class Block:
    """A foreign text and what it is."""

    label: str
    text: str


def background_of(state: Decided, zone: tzinfo = UTC) -> Background:
    """Gather what is known beside an event; the newest of each."""
    event, session = state.event, state.session
    now = state.arrival.received_at.astimezone(zone)
    learnt = [fact for memory in session.memory.values() for fact in memory.facts.items()]
    learnt.sort(key=lambda fact: fact[1].at)
    remarks = (
        Remark(at=datetime.fromtimestamp(said.at, zone), about=said.about, said=said.text)
        for said in session.spoken[-NEWEST:]
    )
    goals = session.aims_of(event.user) if event.is_addressed else session.aims
    return Background(
        kind="answer" if event.is_addressed else state.timing.response_type,
        at=now,
        context=session.active_context,
        traits=session.traits,
        mood=session.mood,
        person=event.user or session.person,
        goals=goals[-NEWEST:],
        remarks=tuple(remarks),
        facts=tuple(f"{name}: {fact.value}" for name, fact in learnt[-NEWEST:]),
        details=tuple(islice(_details(event), NEWEST)),
    )


def _details(event: Event) -> Iterator[str]:
    """Name entities and plain values of an event, cut; secret and private values are covered."""
    for entity in event.entities:
        yield shorten(f"{entity.type}: {entity.value}", LINE_CHARACTERS)
    for name, value in event.payload.items():
        is_plain = isinstance(value, (str, int, float)) and not isinstance(value, bool)
        if is_plain and not names_secret(name[:LINE_CHARACTERS]):
            # Covered before it is cut: the beginning of a key looks like none.
            told = redact_private(f"{name}: {value}"[: 2 * LINE_CHARACTERS], MASK)
            yield shorten(told, LINE_CHARACTERS)


def lay_out(seed: str, background: Background, blocks: Sequence[Block], ours: Sequence[str]) -> str:
    """Write a prompt: the moment, what is known beside, the blocks, and what may be proposed.

    Args:
        seed: the decision's id; the same one makes the same marks of the same texts.
        ours: text of our own, such as the actions of the catalogue.
    """
    every = [*_known(background), *blocks]
    texts = [_bounded(block) for block in every]
    mark = mark_of(seed, texts)
    written = (
        f"<<<{mark} {block.label}\n{text}\n{mark}>>>"
        for block, text in zip(every, texts, strict=True)
    )
    return "\n\n".join((_moment(background), *written, *ours))


def mark_of(seed: str, texts: Sequence[str]) -> str:
    """Make a mark that stands in none of the texts."""
    digest = sha256("\x1f".join((seed, *texts)).encode()).hexdigest()
    while any(digest[:MARK_LENGTH] in text for text in texts):
        digest = sha256(digest.encode()).hexdigest()
    return digest[:MARK_LENGTH]


def _bounded(block: Block) -> str:
    text = strip_controls(block.text).strip()
    return text if len(text) <= EVENT_CHARACTERS else f"{text[:EVENT_CHARACTERS]} …"


def _moment(background: Background) -> str:
    mood = background.mood
    traits = ", ".join(f"{name} {getattr(background.traits, name):.2f}" for name in TRAITS)
    at = f"{background.at:%A %d %B %Y, %H:%M}" if background.at else "unknown"
    return (
        f"It is {at}. You give {_KINDS[background.kind]}.\n"
        f"Traits, 0 to 1: {traits}.\n"
        f"Mood, -1 to 1: valence {mood.valence:+.2f}, arousal {mood.arousal:+.2f}."
    )


def _known(background: Background) -> Iterator[Block]:
    if background.person:
        yield Block("person", shorten(background.person, LINE_CHARACTERS))
    if background.context:
        yield Block("context", shorten(background.context, LINE_CHARACTERS))
    if background.goals:
        yield Block("goals of the person", _lines(background.goals))
    if background.facts:
        yield Block("what is remembered", _lines(background.facts))
    if background.remarks:
        yield Block(
            "what happened lately, and what you said", _lines(map(_remark, background.remarks))
        )
    if background.details:
        yield Block("details of the event", _lines(background.details))


def _remark(remark: Remark) -> str:
    about = shorten(remark.about, LINE_CHARACTERS // 2)
    said = shorten(remark.said, LINE_CHARACTERS // 2)
    return f"{remark.at:%H:%M} {about} → {said}" if about else f"{remark.at:%H:%M} {said}"


def _lines(texts: Iterable[str]) -> str:
    return "\n".join(f"- {shorten(text, LINE_CHARACTERS)}" for text in texts)


system_prompt = partial(prompt_beside, __file__)
prediction_prompt = partial(prompt_beside, __file__, "prediction.md")
"""How a model is asked to judge its own answer."""
