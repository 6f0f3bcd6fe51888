"""No heuristic is sure and a model is there: let it phrase, inside what policy allows."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, tzinfo
from typing import Any

from state.channels import State
from state.errors import BadInput
from state.result import DecisionPath, DecisionResult
from state.stages import Decided
from tools.adapters import ChatModel, ChatModels, meter_model_use
from tools.adapters.chat_model import OnText
from tools.catalog import parse_slot_values
from tools.catalog.arguments import describe_slots
from tools.dialogue import MessageInterpreter, fallback_reply
from tools.ports import Catalogue, NoticeStream
from tools.response import StrategyAssignment, context_of
from tools.response.llm_answer import background_of
from tools.response.template_replies import template_reply


@dataclass(frozen=True)
class DecideByModel:
    """Let the strategy ask a model. Path: llm, or fallback when no answer came in time and form."""

    strategies: StrategyAssignment
    models: ChatModels
    catalogue: Catalogue
    messages: MessageInterpreter
    telling: NoticeStream | None = None
    """Hears the words of an answer while they come; the record says which of them stand."""
    zone: tzinfo = UTC
    """Of the local time that a model is told."""

    async def __call__(self, state: Decided) -> State:
        assigned = self.strategies.assigned(state.event)
        named = {"strategy": assigned.strategy, "strategy_by": assigned.by}
        model = self.models.deciding(context_of(state, self._allowed(state)))
        if model is None:  # the route does not lead here without one
            declined = self._without_words(state, "llm_unavailable")
            return {"result": declined.model_copy(update=named)}
        result = await self._asked(state, model)
        return {"result": result.model_copy(update=named)}

    async def _asked(self, state: Decided, model: ChatModel) -> DecisionResult:
        strategy = self.strategies.for_event(state.event)
        context = context_of(state, self._allowed(state)).model_copy(
            update={"background": background_of(state, self.zone)}
        )
        with meter_model_use() as uses:
            found = await strategy.by_llm(context, model, told=self._told(state))
        told = {**found.metadata, "intent": state.policy.intent}
        update: dict[str, object] = {"models": tuple(uses), "metadata": told}
        if found.path is DecisionPath.FALLBACK:
            plain = self._without_words(state, found.reason or "")
            update |= {"response_text": plain.response_text, "confidence": plain.confidence}
            update["metadata"] = {**plain.metadata, **told}
            return found.model_copy(update=update)
        arguments = self._typed(found.action, found.arguments, state) if found.action else {}
        left_out = self.messages.left_out(found.action, state.event, state.session)
        return found.model_copy(update={**update, "arguments": arguments, "left_out": left_out})

    def _without_words(self, state: Decided, reason: str) -> DecisionResult:
        words = fallback_reply(state.event, state.policy, self.catalogue)
        return template_reply(state.event, state.policy, reason, self.catalogue, last_word=words)

    def _typed(
        self, action: str, given: Mapping[str, Any], state: Decided
    ) -> Mapping[str, Any]:  # by slot type
        read = dict(given)
        for name, value in given.items():
            # What does not fit is asked for, like anybody else's words.
            with suppress(BadInput):
                read |= parse_slot_values(self.catalogue.actions[action], {name: value})
        return self.messages.arguments(action, read, state.event, state.session)

    def _allowed(self, state: Decided) -> Mapping[str, str]:
        """List what a model may propose: what the speaker may ask for, and no event may start."""
        if state.event.kind != "message":
            return {}
        return {
            name: f"- {name}({describe_slots(action)}): {action.summary}"
            for name, action in self.catalogue.actions.items()
            if self.catalogue.may_ask(name, state.event.roles)
        }

    def _told(self, state: Decided) -> OnText | None:
        """Pass the words of an answer on while they come; what is volunteered is checked first."""
        telling, event = self.telling, state.event
        if telling is None or not event.is_addressed or self._has_secrets:
            return None
        about = {"decision_id": state.arrival.decision_id, "session_id": event.session_id}
        where = (event.session_id,)
        return lambda said: telling.tell("words", event.tenant_id, {**about, "text": said}, where)

    @property
    def _has_secrets(self) -> bool:
        """Tell whether some slot is secret: then nothing is told before the record covers it."""
        actions = self.catalogue.actions.values()
        return any(slot.secret for action in actions for slot in action.slots.values())
