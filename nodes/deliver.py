"""Say it, before any book-keeping."""

from dataclasses import dataclass

from state.channels import State
from state.response import Delivery
from state.stages import Composed
from tools.clock import Clock
from tools.ports import Telling


@dataclass(frozen=True)
class Deliver:
    """Tell whoever listens, as text; nothing to say is silence, with its reason."""

    telling: Telling
    clock: Clock

    async def __call__(self, state: Composed) -> State:
        now = self.clock.now()
        response = state.response
        if not response.text:
            return {"delivery": Delivery(output="silent", delivered_at=now, reason="no_words")}
        delivery = Delivery(
            output="action" if state.outcome is not None else "text",
            interrupt=response.type == "alert",
            delivered_at=now,
            reason="answered" if state.event.is_addressed else state.timing.reason,
        )
        self.telling.tell(
            "output",
            state.event.tenant_id,
            {
                "decision_id": state.arrival.decision_id,
                "session_id": state.event.session_id,
                "type": response.type,
                "text": response.text,
                "interrupt": delivery.interrupt,
            },
        )
        return {"delivery": delivery}
