"""What a session may keep for a pack: every noun of it once."""

from state.memory import Learnt, Listed, PackMemory, Searched, StageChange
from state.policy import SearchPolicy, StageTransition
from state.preview import Change, Fact, Preview
from state.session import OpenOffer
from tools.catalogue.catalogue import Catalogue
from tools.memory.packs import PackMemories

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
PACKS = PackMemories(Catalogue.of(()))
"""The memories of no pack at all."""

OFFERED = {"amir": OpenOffer(offer_id="offer-1", decision_id="d-1", at=1.0, tainted=False)}
"""What somebody was shown last."""
PREVIEW = Preview(
    facts=(Fact(label="lock", value="LK-12"),),
    changes=(Change(target="LK-12", field="state", before="open", after="closed"),),
    versions={"LK-12": "1"},
)
"""What closing a lock would change."""
