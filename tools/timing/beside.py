"""What waits beside the one that is told: each judged again, of the same thing only the newest."""

from collections.abc import Sequence

from state.held import Beside, Held
from state.stages import Assessed
from tools.salience.threats import threat_key
from tools.timing.rejudging import Rejudging
from tools.timing.worth import ASKED


def judged_again(
    waiting: Sequence[Held], state: Assessed, rejudging: Rejudging
) -> tuple[Beside, ...]:
    """Say what becomes of each that waited, oldest first."""
    now, asked = state.arrival.received_at, state.event.is_addressed
    by = ASKED if asked else state.arrival.released_by
    newest_first = sorted(waiting, key=lambda held: (held.held_at, held.decision_id), reverse=True)
    said = set() if asked else {threat_key(state.salience.pattern, state.event.text)}
    judged: list[Beside] = []
    for held in newest_first:
        one = rejudging.judge(held, state.session, now, by)
        thing = threat_key(one.salience.pattern, one.text)
        if one.ending == "told" and thing in said:
            one = one.model_copy(
                update={
                    "ending": "passed",
                    "reason": "superseded",
                    "counterfactual": "nothing newer of the same at that moment",
                }
            )
        said.add(thing)
        judged.append(one)
    return tuple(reversed(judged))
