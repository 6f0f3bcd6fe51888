"""What a session may keep for a pack: every noun of it once."""

from state.memory import Learnt, Listed, PackMemory, Searched, StageChange
from state.policy import SearchPolicy, StageTransition
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
