"""Take the step of the pack's state machine that an action has earned, and no other."""

from dataclasses import dataclass

from state.channels import State
from state.policy import StageTransition
from state.stages import Settled
from tools.dialogue import transition_for
from tools.ports import Catalogue


@dataclass(frozen=True)
class AdvanceStage:
    """Take what policy decided when the action has succeeded; what failed moves nothing."""

    catalogue: Catalogue

    async def __call__(self, state: Settled) -> State:
        return {"advanced": self._step(state)}

    def _step(self, state: Settled) -> StageTransition | None:
        if state.outcome is None or state.outcome.state != "succeeded":
            return None
        done = state.result.action
        decided = state.policy.stage_transition
        if decided is not None and decided.on_action == done:
            return decided
        # A model named the action: policy knew of none, and its rules hold all the same.
        return transition_for(done or "", self.catalogue, state.session)
