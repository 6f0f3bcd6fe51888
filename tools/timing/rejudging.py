"""Judge what waited again, on the session as it is now."""

from dataclasses import dataclass
from datetime import datetime

from state.arrival import Arrival
from state.held import Beside, Held
from state.judgement import Relevance
from state.session import Session
from state.stages import Weighed
from state.tuning import TimingTuning
from tools.personality.conversational import is_small_talk, type_for
from tools.relevance.context import context_in
from tools.relevance.gates import Gates
from tools.relevance.weighing import Weighing
from tools.timing.worth import ASKED, EXPIRY, FLUSH, QUIET_ENDED, value_of

_WEAK = ("below_threshold", "habituated")
"""Why it would not be said unasked; who asks wants to hear it all the same."""


@dataclass(frozen=True)
class Rejudging:
    """The gates once more: superseded, over, muted, said already, or still worth telling."""

    weighing: Weighing
    gates: Gates
    tuning: TimingTuning

    def judge(self, held: Held, session: Session, now: datetime, by: str | None) -> Beside:
        """Say what becomes of a held decision when another one is told.

        Args:
            by: what released that other one; at the end of its life only what is urgent is told,
                and to somebody who asked (`ASKED`) all that is still true, quiet or not.
        """
        happened = held.event.occurred_at or held.held_at
        arrival = Arrival(
            decision_id=held.decision_id,
            standing="held",
            received_at=now,
            age_seconds=(now - happened).total_seconds(),
            released_by=by or (FLUSH if held.timing == "batched" else "beside"),
            held_since=held.held_at,
            initiative=held.initiative,
            started_ns=0,
        )
        salience = self.weighing.weigh(held.event, arrival, session)
        weighed = Weighed(event=held.event, arrival=arrival, session=session, salience=salience)
        relevance = self.gates.judge(weighed)
        was_kept = arrival.released_by in (
            FLUSH,
            QUIET_ENDED,
        )  # on purpose: it loses nothing by that
        ending, reason, changed = "told", "told_with", "another moment: it was told with another"
        if salience.dull:
            ending, reason, changed = "passed", "dull", "a stronger dimension, or a watch on it"
        elif by == ASKED and (relevance.verdict == "hold" or relevance.reason in _WEAK):
            ending, reason, changed = "told", "told_with", "not asking what was missed"
        elif relevance.verdict in ("pass", "drop"):
            ending, reason, changed = "passed", relevance.reason, relevance.counterfactual
        elif relevance.verdict == "hold":
            ending, reason, changed = "stays", relevance.reason, relevance.counterfactual
        elif by == EXPIRY and held.due_at <= now and held.urgency < self.tuning.told_late_urgency:
            late = self.tuning.told_late_urgency
            changed = f"a break before {held.due_at:%H:%M:%S} UTC, or urgency {late:g}"
            ending, reason = "passed", "hold_expired"
        elif by != ASKED and not was_kept and self._has_faded(weighed, relevance, held, now):
            ending, reason, changed = "passed", "faded", "an earlier opportunity"
        return Beside.model_validate(
            {
                "decision_id": held.decision_id,
                "text": held.event.text,
                "salience": salience,
                "relevance": relevance.score,
                "ending": ending,
                "reason": reason,
                "counterfactual": changed,
            }
        )

    def _has_faded(self, weighed: Weighed, relevance: Relevance, held: Held, now: datetime) -> bool:
        context = context_in(weighed.session, self.gates.context)
        if not is_small_talk(type_for(weighed, context, self.gates.tuning).type, weighed):
            return False
        life = self.tuning.hold_seconds[context] * (0.5 + relevance.score)
        age = (now - held.held_at).total_seconds()
        left = value_of(relevance.score, age, life)
        return left < self.tuning.faded_share * relevance.threshold
