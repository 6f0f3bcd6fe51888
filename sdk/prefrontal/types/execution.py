"""How freely actions run: thresholds per pack and action, and the phase of a release."""

from collections.abc import Mapping
from typing import Literal

from pydantic import Field

from prefrontal.types.action import Action
from prefrontal.types.noun import Name, Noun, Score

ReleasePhase = Literal["shadow", "canary", "general"]
"""shadow: everything is computed and nothing runs; canary: Class A runs for a share of sessions.
Source: action execution contract §6."""

CAREFULNESS: Mapping[ReleasePhase, int] = {"shadow": 2, "canary": 1, "general": 0}

ChipOrdering = Literal["confidence", "chosen_before"]
"""Chips by the router's confidence, or by how often people chose them after the same reading."""


Budget = Literal["own", "untrusted", "agent"]
"""Whose questions are counted together: each kind has a limit an hour and a queue of its own."""

AgentWrites = Literal["choice", "run"]
"""What becomes of a Class B call that an agent proposes: a person chooses it, or it runs."""

ChosenBy = Literal["asker", "role"]
"""Who may choose a chip: the person it was shown to, or everybody whose roles may ask for it."""


class ExecutionOverrides(Noun):
    """What a pack or an action does differently; absent: as above it."""

    auto_confidence: Score | None = None
    competitor_margin: Score | None = None
    ask_confidence: Score | None = None
    offer_confidence: Score | None = None
    bulk_count: int | None = Field(default=None, ge=1)
    amount: float | None = Field(default=None, ge=0)
    typed_count: int | None = Field(default=None, ge=1)
    typed_amount: float | None = Field(default=None, ge=0)
    phase: ReleasePhase | None = None
    canary_share: Score | None = None
    chosen_by: ChosenBy | None = None
    agent_writes: AgentWrites | None = None
    expires_minutes: float | None = Field(default=None, gt=0, le=10_080)


class PackExecution(ExecutionOverrides):
    """What a pack does differently, and single actions of it."""

    actions: Mapping[Name, ExecutionOverrides] = Field(default_factory=dict)


class ExecutionTuning(Noun):
    """What runs by itself, what is offered, what is asked and how."""

    auto_confidence: Score
    competitor_margin: Score
    ask_confidence: Score
    offer_confidence: Score
    yes_confidence: Score
    yes_margin: Score
    chips: int = Field(ge=1, le=4)
    offer_minutes: float = Field(gt=0)
    chosen_by: ChosenBy = "asker"
    agent_writes: AgentWrites = "choice"
    handler_seconds: float = Field(gt=0)
    bulk_count: int = Field(ge=1)
    amount: float = Field(ge=0)
    typed_count: int = Field(ge=1)
    typed_amount: float = Field(ge=0)
    asks_per_hour: int = Field(ge=1)
    untrusted_asks_per_hour: int = Field(default=5, ge=1)
    agent_asks_per_hour: int = Field(default=600, ge=1)
    permit_seconds: float = Field(default=300.0, gt=0, le=86_400)
    duplicate_minutes: float = Field(default=60.0, ge=0)
    expires_minutes: float = Field(default=480.0, gt=0, le=10_080)
    warn_share: Score
    phase: ReleasePhase
    canary_share: Score
    chip_orderings: Mapping[ChipOrdering, float] = Field(min_length=1)
    packs: Mapping[Name, PackExecution] = Field(default_factory=dict)

    def asks_of(self, budget: Budget) -> int:
        """Return how many questions an hour one asker may cause from a budget."""
        match budget:
            case "own":
                return self.asks_per_hour
            case "untrusted":
                return self.untrusted_asks_per_hour
            case "agent":
                return self.agent_asks_per_hour

    def approval_minutes(self, action: Action) -> float:
        """Return how long an approval of an action stands open: as it says, else as we do.

        What it does not say keeps the default that its hash has always been made with.
        """
        own = action.approvers
        if "expires_minutes" in own.model_fields_set:
            return own.expires_minutes
        return self.of(action).expires_minutes

    def no_freer_than(self, phase: ReleasePhase | None) -> "ExecutionTuning":
        """Make the phase for everybody at least as careful as one."""
        if phase is None:
            return self
        return self.model_copy(
            update={"phase": max(self.phase, phase, key=CAREFULNESS.__getitem__)}
        )

    def of(self, action: Action) -> "ExecutionTuning":
        """Settle what holds for one action: its own, else its pack's, else everybody's.

        The phase only becomes more careful on the way down.
        """
        pack = self.packs.get(action.pack)
        if pack is None:
            return self
        layers = (pack, pack.actions.get(action.name) or ExecutionOverrides())
        changed: dict[str, object] = {}
        phase = self.phase
        for layer in layers:
            given = layer.model_dump(exclude_none=True, exclude={"actions", "phase"})
            changed.update(given)
            if layer.phase is not None:
                phase = max(phase, layer.phase, key=CAREFULNESS.__getitem__)
        return self.model_copy(update={**changed, "phase": phase, "packs": {}})
