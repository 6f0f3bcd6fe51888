"""Which step of a pack's state machine an action takes when it succeeds."""

from collections.abc import Sequence

from state.action import Action
from state.memory import PackMemory
from state.policy import StageTransition
from state.session import Session
from tools.catalogue.models import PolicyFile
from tools.ports import Catalogue


def stage_in(policy: PolicyFile, memory: PackMemory) -> str | None:
    """Tell where a session stands in a pack; before its first step, where the pack begins."""
    return memory.stage or policy.first_stage


def transition_of(action: Action, policy: PolicyFile, memory: PackMemory) -> StageTransition | None:
    """Find the first step that fits; one that leads to where the session stands is none."""
    standing = stage_in(policy, memory)
    for rule in policy.stage_transitions:
        if rule.on_action != action.name or rule.to_stage == standing:
            continue
        if rule.from_stages and standing not in rule.from_stages:
            continue
        return StageTransition(
            from_stage=standing,
            to_stage=rule.to_stage,
            on_action=action.name,
            reason=rule.reason or f"{action.name} succeeded",
        )
    return None


def step_of(name: str, catalogue: Catalogue, session: Session) -> StageTransition | None:
    """Find the step that an action of the catalogue takes in a session; None: it takes none."""
    action = catalogue.actions.get(name)
    if action is None:
        return None
    memory = session.memory.get(action.pack, PackMemory())
    return transition_of(action, catalogue.pack(action.pack).policy, memory)


def transitions_told(transition: StageTransition | None) -> Sequence[str]:
    """Say a decided step as a reason."""
    if transition is None:
        return ()
    return (f"stage:{transition.from_stage or 'none'}->{transition.to_stage}",)
