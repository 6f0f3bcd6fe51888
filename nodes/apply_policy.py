"""Policy has decided by itself: an action, a click, an answer of its own, a wish about talking."""

from dataclasses import dataclass

from state.channels import State
from state.policy import PolicyDecision
from state.stages import Decided
from state.tuning import RelevanceTuning
from tools.platform.texts import t
from tools.response import StrategyAssignment
from tools.response.template_replies import acknowledgement, policy_result


@dataclass(frozen=True)
class ApplyPolicy:
    """Turn what policy decided into the content of the decision. Path: policy."""

    strategies: StrategyAssignment
    tuning: RelevanceTuning

    async def __call__(self, state: Decided) -> State:
        text, matched = self._words(state)
        assigned = self.strategies.assigned(state.event)
        return {"result": policy_result(state, assigned, text, matched, self.tuning)}

    def _words(self, state: Decided) -> tuple[str, str | None]:
        policy = state.policy
        if policy.says:
            return policy.says, None
        if policy.talk:
            said = acknowledgement(
                policy.talk, self.tuning, state.timing.beside, state.session.missed
            )
            left_out = f" {policy.left_out}" if policy.left_out else ""
            return f"{said}{left_out}", "talk_request"
        if policy.detected:
            return t("answer.noted", decision=policy.detected.decision), "decision_noted"
        return "", _matched(policy)


def _matched(policy: PolicyDecision) -> str | None:
    if policy.explicit:
        return "chosen_chip"
    return "catalogue" if policy.action or policy.alternatives else None
