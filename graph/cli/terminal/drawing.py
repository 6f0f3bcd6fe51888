"""Draw approvals beside a running service: with the packs of this command, without an Executive."""

from collections.abc import Sequence

from graph.assembly.elsewhere import load_packs
from graph.assembly.thresholds import read_tuning
from graph.cli.terminal.console import note
from graph.settings import Settings
from state.approval import LedgerAction
from state.dialog import ShownApproval
from state.errors import AgentError
from tools.approvals.dialog import shown, without_dialog
from tools.catalogue.catalogue import Catalogue
from tools.catalogue.pack import Pack, packs_named
from tools.heuristics.changing import own_actions
from tools.visible import visible


def drawn(settings: Settings, actions: Sequence[LedgerAction]) -> list[ShownApproval]:
    """Draw actions of the ledger as people are shown them, and say which ones cannot be."""
    try:
        tuning = read_tuning(settings.policy_file)
        catalogue = Catalogue.of(_packs(settings, actions)).with_own(own_actions(tuning.changes))
    except AgentError:  # told by whatever needs the packs; here they only make it clearer
        return [without_dialog(action) for action in actions]
    for name in sorted({each.action for each in actions} - set(catalogue.actions)):
        note(f"{visible(name)} is not loaded; its arguments cannot be shown")
    return [shown(action, catalogue, tuning.execution) for action in actions]


def _packs(settings: Settings, actions: Sequence[LedgerAction]) -> Sequence[Pack]:
    """Load the packs; their MCP servers are asked only when an action may be a tool of one."""
    packs = packs_named(settings.packs)
    written = {name for pack in packs for name in pack.actions}
    tools_of = {pack.name for pack in packs if pack.mcp}
    if not any(each.pack in tools_of and each.action not in written for each in actions):
        return packs
    loaded = load_packs(settings)
    for line in loaded.degraded:
        note(line)
    return loaded.packs
