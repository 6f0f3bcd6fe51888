"""Draw approvals beside a running service: with the packs of this command, without an Executive."""

from collections.abc import Sequence

from graph.settings import Settings
from graph.thresholds import read_tuning
from state.approval import LedgerAction
from state.dialog import ShownApproval
from state.errors import AgentError
from tools.approvals.dialog import dialog_of
from tools.approvals.secrets import shown_arguments
from tools.catalogue.catalogue import Catalogue
from tools.catalogue.pack import find_pack, load_pack


def drawn(settings: Settings, actions: Sequence[LedgerAction]) -> list[ShownApproval]:
    """Draw actions of the ledger as people are shown them; see Gate.show."""
    try:
        catalogue = Catalogue.of([load_pack(find_pack(name)) for name in settings.packs])
        tuning = read_tuning(settings.policy_file).execution
    except AgentError:  # told by whatever needs the packs; here they only make it clearer
        return [_bare(action) for action in actions]
    made = []
    for standing in actions:
        action = catalogue.actions.get(standing.action)
        if action is None:
            made.append(_bare(standing))
            continue
        dialog = dialog_of(standing, action, tuning.of(action))
        covered = {"arguments": shown_arguments(action, standing.arguments), "dialog": dialog}
        made.append(ShownApproval(**dict(standing) | covered))
    return made


def _bare(standing: LedgerAction) -> ShownApproval:
    return ShownApproval(**dict(standing) | {"arguments": {}, "dialog": None})
