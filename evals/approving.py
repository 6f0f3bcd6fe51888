"""Gated requests and what people then do about them: what stands in the ledger, and what ran."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from itertools import count
from typing import Any

from evals.inputs import ApprovalInputs, Step
from evals.playground import Playground
from state.approval import ApprovalAnswer
from state.errors import AgentError
from state.event import Event
from state.principal import Principal

_NEVER_SHOWN = "0" * 64
_TENANT = "default"


class Approvals:
    """Asks for something, has people answer it, and looks into the ledger."""

    def __init__(self, playground: Playground) -> None:
        self._playground = playground
        self._numbers = count(1)
        self._stream: str | None = None

    async def answer(self, inputs: Mapping[str, Any]) -> dict[str, Any]:  # JSON of the case
        """Play a case; those of a stream share a folder, and nothing is left waiting after one."""
        case = ApprovalInputs.model_validate(inputs)
        if case.stream != self._stream:
            await self._playground.open()
            self._stream = case.stream
            await self._prepare(case.before)
        number = next(self._numbers)
        asked = await self._says(case.text, case.user, case.role, number)
        ran, refused = list(asked.ran), 0
        for step in case.steps:
            await self._wait(step)
            if step.does == "say":
                ran += (await self._says(step.text, step.user, step.role, number)).ran
            else:
                refused += not await self._answers(asked.record.action_id, step)
                ran += (await self._playground.decided(asked.record)).ran
        outputs = {
            "outcome": asked.record.outcome,
            "action": asked.record.action,
            "execution_class": asked.record.execution_class,
            "state": await self._state(asked.record.action_id),
            "refused": refused,
            "seconds": asked.seconds,
            "ran": [one.model_dump(mode="json", exclude={"action_id"}) for one in ran],
        }
        await self._clear(asked.record.action_id)
        return outputs

    async def _prepare(self, steps: Sequence[Step]) -> None:
        """Have what a folder needs said and approved; an answer is to what was asked last."""
        action_id = None
        for step in steps:
            await self._wait(step)
            if step.does == "say":
                asked = await self._says(step.text, step.user, step.role, 0)
                action_id = asked.record.action_id or action_id
            else:
                await self._answers(action_id, step)
        await self._playground.forget_what_ran()

    async def _wait(self, step: Step) -> None:
        clock = self._playground.clock
        await self._playground.move_to(clock.now() + timedelta(seconds=step.after_seconds))

    async def _says(self, text: str, user: str, role: str, number: int) -> Any:  # a Decided
        return await self._playground.decide(
            Event(
                kind="message",
                source="evals",
                session_id=f"session-{number}",
                text=text,
                user=user,
                role=role,
            )
        )

    async def _answers(self, action_id: str | None, step: Step) -> bool:
        """Tell whether an answer was taken."""
        if action_id is None or step.does == "say":
            return False
        executive = self._playground.executive
        who = Principal(user=step.user, tenant_id=step.tenant, roles=(step.role,))
        try:
            standing = await executive.approval(action_id, _TENANT)
            digest = _NEVER_SHOWN if step.is_blind else standing.digest
            answer = ApprovalAnswer(
                decision=step.does, digest=digest, typed=step.typed, arguments=step.arguments
            )
            await executive.answer(action_id, answer, who)
        except AgentError:
            return False
        return True

    async def _state(self, action_id: str | None) -> str | None:
        if action_id is None:
            return None
        return (await self._playground.executive.approval(action_id, _TENANT)).state

    async def _clear(self, action_id: str | None) -> None:
        """Refuse what still waits: the next case asks for the same thing."""
        if await self._state(action_id) == "pending":
            step = Step(does="reject", user="captain-of-the-evals", role="captain")
            await self._answers(action_id, step)
