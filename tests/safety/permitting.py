"""An agent that keeps its own tool: it declares it, takes a permit, runs it once and reports."""

from collections.abc import Callable
from pathlib import Path

from state.agent_call import AgentCall
from state.declared_tool import DeclaredTool, PermitOutcome
from state.principal import Principal
from state.proposal_view import ProposalView
from tests.safety.benches import CAPTAIN, yes
from tests.safety.executives import Opened, message

AGENT = Principal(user="valve-agent", tenant_id="aurora", roles=("engineer",), kind="service")
RAN = "own_tool"
"""File in the data folder: a line for each time that the agent's own tool has run."""
VENT = DeclaredTool.model_validate(
    {
        "name": "vent_tank",
        "arguments": {"type": "object", "properties": {"tank": {"type": "string"}}},
        "effect": "destructive",
    }
)


async def permitted(opened: Opened, name: str = "p-1") -> ProposalView:
    """Propose a call of one's own tool, and have the captain approve it."""
    service = opened.executive
    await service.declared.declare([VENT], AGENT)
    call = AgentCall(action=VENT.name, arguments={"tank": "T-1"})
    said = {"user": AGENT.user, "sender": AGENT.user}
    event = message("vent_tank", name, kind="proposal", call=call, **said)
    record = await service.submit(event)
    shown = await service.approvals.get(record.action_id or "", AGENT.tenant_id)
    await service.approvals.answer(shown.action_id, yes(shown), CAPTAIN)
    return await service.proposals.view(record.decision_id, AGENT)


async def run_own_tool(
    opened: Opened, place: Callable[[str], None], arm: Callable[[], None]
) -> None:
    """Take the permit, run the tool and report; `place` is told the steps in between."""
    view = await permitted(opened)
    assert view.permit is not None
    permits = opened.executive.permits
    arm()
    taken = await permits.take(view.proposal_id, view.permit.digest, AGENT)
    place("taken")
    with (Path(opened.box.settings.data_dir) / RAN).open("a", encoding="utf-8") as file:
        file.write("vented T-1\n")
    place("ran")
    outcome = PermitOutcome(permit=taken.permit, outcome="succeeded", text="vented")
    await permits.report(view.proposal_id, outcome, AGENT)
    place("reported")


def times_run(data_dir: Path) -> int:
    """Count how often the agent's own tool has run."""
    file = data_dir / RAN
    return len(file.read_text("utf-8").splitlines()) if file.exists() else 0
