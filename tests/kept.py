"""What a session may keep for a pack: every noun of it once."""

from datetime import UTC, datetime
from typing import Any

from state.attention import Goal, OpenCause, QuietHours, ThresholdShift
from state.held import Beside
from state.initiative import Initiative, OpenProposal, Proactive, Tally
from state.memory import Learnt, Listed, PackMemory, Searched, StageChange
from state.model_use import ModelUse
from state.personality import Activation
from state.policy import SearchPolicy, StageTransition
from state.preview import Change, Fact, Preview
from state.salience import Salience, SalienceVector
from state.session import OpenOffer, Shown
from state.talk import TalkRequest
from tools.catalog.action_catalog import Catalogue
from tools.memory.session.working_memory import PackMemoryUpdate

_AT = 1_781_000_000.0

STEP = StageTransition(to_stage="closed", on_action="close_lock", reason="r")
KEPT = PackMemory(
    stage="open",
    history=(
        StageChange(
            from_stage=None,
            to_stage="open",
            at=_AT,
            on_action="open_lock",
            reason="r",
            decision_id="d",
        ),
    ),
    facts={"tide": Learnt(value="high", source="said", at=_AT, decision_id="d")},
    listed={"lock": Listed(values=("LK-12",), it="LK-12", at=_AT)},
    searched=Searched(action="search_notices", search=SearchPolicy(query_terms=("t",)), at=_AT),
)
USED = ModelUse(model="m", prompt_hash="0123456789abcdef", end="answered", seconds=0.5, cost=0.01)
PACKS = PackMemoryUpdate(Catalogue.of(()))
"""The memories of no pack at all."""

OFFERED = {"amir": OpenOffer(offer_id="offer-1", decision_id="d-1", at=1.0, tainted=False)}
"""What somebody was shown last."""
PREVIEW = Preview(
    facts=(Fact(label="lock", value="LK-12"),),
    changes=(Change(target="LK-12", field="state", before="open", after="closed"),),
    versions={"LK-12": "1"},
)
"""What closing a lock would change."""
MEANT = Initiative(kind="proposal", proposes=TalkRequest(kind="goal", topic="dredge"))
"""What our own clock may mean by a tick."""
ATTENTIVE: dict[str, Any] = {
    "memory": {"harbour": KEPT},
    "quiet_hours": QuietHours(starts="22:00", ends="07:00"),
    "circumstances": {"high_threat": Activation(level=0.6, at=_AT)},
    "proactive": Proactive(tallies={"quarry.dig": Tally(total=2, recent=(_AT,))}),
    "proposed": {"amir": OpenProposal(request=TalkRequest(kind="remind"), decision_id="d", at=_AT)},
    "threshold_shift": ThresholdShift(by=0.1),
    "shown": {"amir": Shown(at=_AT, thing="LK-12")},
    "goals": (Goal(text="dredge the channel", at=_AT),),
    "causes": {
        "harbour.dark": OpenCause(
            rule="harbour.dark", decision_id="d", text="Blackout", at=_AT, until=_AT + 60
        )
    },
}
"""What decides on attention in a session, and its memory of packs."""
WAITED: dict[str, Any] = {
    "due_at": datetime(2026, 6, 14, 16, tzinfo=UTC),
    "beside": (
        Beside(
            decision_id="d",
            text="The ferry is early",
            salience=Salience(
                vector=SalienceVector(),
                source="given",
                pattern="buoy|ambient|",
                habituation=0.0,
                boost=1.0,
                dull=False,
            ),
            relevance=0.6,
            ending="stays",
            reason="muted",
            counterfactual="another moment",
        ),
    ),
}
"""When a hold would end, and what is told with it."""
