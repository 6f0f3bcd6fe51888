"""Play conversation scripts through an executive.

One folder a conversation, one shared by single turns.
"""

from collections.abc import AsyncIterator, Mapping, Sequence
from datetime import timedelta
from hashlib import sha256
from typing import Any

from pydantic import Field

from evals.replays.script import (
    Conversation,
    Difference,
    Script,
    Turn,
    TurnResult,
    compare_turn,
    parse_speaker,
)
from graph.replay.harness import Harness, HarnessDecision
from state.approval import ApprovalAnswer
from state.errors import AgentError
from state.event import Event
from state.noun import Noun
from state.principal import Principal
from state.record import DecisionRecord
from tools.observability import judge_turn


class PlayedConversation(Noun):
    """A conversation as it went."""

    id: str
    said: tuple[str, ...]
    came: tuple[TurnResult, ...]
    differences: tuple[Difference, ...]
    fingerprint: str = Field(description="changes with what is said, clicked or expected")


async def play_conversations(
    script: Script, playground: Harness
) -> AsyncIterator[PlayedConversation]:
    """Play every conversation; single turns share a folder, the others have one each."""
    if script.turns:
        await playground.open()
    for single in script.turns:
        turn = Turn.model_validate(single.model_dump(exclude={"id"}, exclude_unset=True))
        alone = Conversation(id=single.id, turns=(turn,))
        yield await _Conversing(playground, script, alone).played()
    for conversation in script.conversations:
        await playground.open()
        yield await _Conversing(playground, script, conversation).played()


class _Impossible(Exception):
    """A click that the conversation does not allow at this point: a difference like any other."""


class _Conversing:
    """One conversation under way: what can be picked and answered next."""

    def __init__(self, playground: Harness, script: Script, conversation: Conversation) -> None:
        self._playground = playground
        self._script = script
        self._conversation = conversation
        self._offer_id: str | None = None
        self._asked: DecisionRecord | None = None
        catalogue = playground.executive.catalogue
        self._harmless = [
            action.name for action in catalogue.actions.values() if action.effect == "read"
        ]

    async def played(self) -> PlayedConversation:
        said: list[str] = []
        came: list[TurnResult] = []
        unlike: list[Difference] = []
        for number, turn in enumerate(self._conversation.turns, start=1):
            where, words = f"{self._conversation.id} {number}", _words(turn)
            try:
                what = await self._turn(turn, number)
            except (AgentError, _Impossible) as error:
                what = TurnResult(outcome="failed", text=str(error))
                went = Difference(
                    where=where, said=words, field="turn", expected="to go", got=str(error)
                )
                unlike.append(went)
            else:
                # A click is a yes to what the chip shows; only what was never shown needs one.
                clicked = [what.action] if turn.pick and what.action else []
                harmless = [*self._harmless, *clicked]
                unlike += compare_turn(where, words, turn.expect, what, harmless)
            said.append(words)
            came.append(what)
        return PlayedConversation(
            id=self._conversation.id,
            said=tuple(said),
            came=tuple(came),
            differences=tuple(unlike),
            fingerprint=sha256(self._conversation.model_dump_json().encode()).hexdigest()[:8],
        )

    async def _turn(self, turn: Turn, number: int) -> TurnResult:
        playground = self._playground
        await playground.move_to(playground.clock.now() + timedelta(seconds=turn.after_seconds))
        who = parse_speaker(turn.speaker or self._conversation.speaker or self._script.speaker)
        if turn.say is None and turn.event is None:
            return await self._clicked(turn, who)
        return await self._came(await playground.decide(self._event(turn, number, who)))

    def _event(self, turn: Turn, number: int, who: Principal) -> Event:
        given: Mapping[str, Any] = turn.event or {}
        if turn.say is not None:
            given = {"text": turn.say, "kind": "message", "user": who.user}
            given = {**given, "role": ",".join(who.roles) or None}
        return Event.model_validate(
            {
                "event_id": f"{self._conversation.id}-{number}",
                "source": "replay",
                "session_id": self._conversation.id,
                **given,
            }
        )

    async def _clicked(self, turn: Turn, who: Principal) -> TurnResult:
        """Pick a chip, or answer a question; what is turned down changes nothing."""
        try:
            decided = await (self._picked(turn, who) if turn.pick else self._answered(turn, who))
        except AgentError as refusal:
            if not turn.is_refused:
                raise
            return TurnResult(outcome="refused", text=str(refusal))
        if turn.is_refused:
            raise _Impossible("it was to be refused, and was not")
        return await self._came(decided)

    async def _picked(self, turn: Turn, who: Principal) -> HarnessDecision:
        if self._offer_id is None:
            raise _Impossible("nothing is offered that could be picked")
        executive = self._playground.executive
        offer = await executive.offers.get(self._offer_id, who.tenant_id)
        chips = [chip for chip in offer.chips if chip.action == turn.pick]
        if not chips:
            named = ", ".join(chip.action for chip in offer.chips)
            raise _Impossible(f"no chip {turn.pick} among {named}")
        record = await executive.offers.choose(self._offer_id, chips[0].chip_id, who)
        return await self._playground.decided(record)

    async def _answered(self, turn: Turn, who: Principal) -> HarnessDecision:
        asked = self._asked
        if asked is None or asked.action_id is None:
            raise _Impossible("nothing waits for a yes")
        executive = self._playground.executive
        standing = await executive.approvals.get(asked.action_id, who.tenant_id)
        answer = ApprovalAnswer.model_validate(
            {"decision": turn.answer, "digest": standing.digest, "reason": turn.reason}
        )
        await executive.approvals.answer(asked.action_id, answer, who)
        trace = await executive.records.trace(asked.decision_id, who.tenant_id)
        return await self._playground.decided(trace.record)

    async def _came(self, decided: HarnessDecision) -> TurnResult:
        record = decided.record
        executive = self._playground.executive
        trace = await executive.records.trace(record.decision_id, record.tenant_id)
        policy: Mapping[str, Any] = trace.stages.get("policy") or {}
        if record.outcome == "awaiting_approval":
            self._asked = record
        chips: Sequence[str] = ()
        if record.offer_id is not None and not decided.duplicate:
            self._offer_id = record.offer_id
            offer = await executive.offers.get(record.offer_id, record.tenant_id)
            chips = [chip.action for chip in offer.chips]
        return TurnResult(
            outcome="duplicate" if decided.duplicate else record.outcome,
            intent=record.intent,
            action=record.action,
            execution_class=record.execution_class,
            arguments=dict(record.arguments or {}),
            search=policy.get("search"),
            force_tool=policy.get("force_tool"),
            transition=(policy.get("stage_transition") or {}).get("to_stage"),
            stage=record.stage,
            reasons=tuple(policy.get("reasons") or ()),
            blocked=tuple(policy.get("blocked") or ()),
            chips=tuple(chips),
            ran=decided.ran,
            spoke=record.spoke,
            text=record.text,
            quality=judge_turn(
                trace.event["kind"], trace.event["text"], record, trace.stages, executive.catalogue
            ),
        )


def _words(turn: Turn) -> str:
    if turn.pick or turn.answer:
        return f"picks {turn.pick}" if turn.pick else f"answers {turn.answer}"
    return turn.say or str((turn.event or {}).get("text", "something happens"))
