"""Decide by code what a message, a chip, a call or a notice asks for, before any model is asked."""

from dataclasses import dataclass

from state.channels import State
from state.policy import PolicyDecision
from state.stages import Timed
from tools.dialogue import Conversation, decide_message


@dataclass(frozen=True)
class DecidePolicy:
    """Messages go through the table of recognisers, notices through heuristics.

    An agent's call is taken as it is: nothing of it has to be understood.
    """

    conversation: Conversation

    async def __call__(self, state: Timed) -> State:
        conversation = self.conversation
        match state.event.kind:
            case "choice":
                return {"policy": await conversation.choice(conversation.message(state))}
            case "message":
                return {"policy": await decide_message(conversation, conversation.message(state))}
            case "proposal":
                return {"policy": conversation.call(conversation.message(state))}
            case "ambient" | "signal" | "tick":
                return {"policy": await self._notice(state)}

    async def _notice(self, state: Timed) -> PolicyDecision:
        if (own := state.arrival.initiative) is not None:
            about = (f"initiative:{own.kind}", own.about)
            return PolicyDecision(intent="initiative", says=state.event.text, reasons=about)
        return await self.conversation.suggested(state.event, PolicyDecision(intent="notice"))
