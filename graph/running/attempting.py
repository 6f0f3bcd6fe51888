"""Try a decision that nobody waits for: again when it breaks off, ever later, and not for ever."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

import structlog

from graph.running.giving_up import GivingUp
from graph.running.patience import Patience
from graph.running.turns import Turns
from state.errors import Busy
from state.event import Event

Run = Callable[[Event, str], Awaitable[object]]

log = structlog.get_logger()


@dataclass(frozen=True)
class Attempting:
    """Runs what was left over; one decision that breaks off keeps no other from being decided."""

    giving_up: GivingUp
    turns: Turns
    most: int
    """After so many failures a decision is ended."""
    patience: Patience = field(default_factory=Patience)

    async def attempt(self, run: Run, event: Event, thread_id: str) -> None:
        """Try it if it is due; what goes wrong is in the log, and counted."""
        named = event.decision_id
        if not self.patience.is_due(named):
            return
        try:
            await run(event, thread_id)
            self.patience.forget(named)
        except Busy as busy:
            log.info("decision_left", decision_id=named, reason=str(busy))
        except Exception as error:  # one poisoned event must not keep the others from being decided
            times = self.patience.note(named)
            log.exception("decision_failed", decision_id=named, times=times)
            if times >= self.most:
                await self._give_up(event, thread_id, error, times)

    async def _give_up(
        self, event: Event, thread_id: str, error: BaseException, times: int
    ) -> None:
        named = event.decision_id
        try:
            is_ended = await self.turns.instead(
                event, lambda: self.giving_up.end(event, thread_id, error, times)
            )
        except Exception:  # a store that takes no record either: it is tried again, as before
            log.exception("giving_up_failed", decision_id=named)
            return
        if is_ended:
            self.patience.forget(named)
            log.error("decision_given_up", decision_id=named, times=times)
