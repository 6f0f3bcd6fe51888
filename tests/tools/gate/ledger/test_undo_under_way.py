"""What can be taken back is said the same everywhere: to who lists it and to who clicks."""

from pathlib import Path

import pytest

from state.errors import Conflict
from tests.safety.benches import CAPTAIN, ENGINEER, opened_ledger, proposal, sql, yes
from tests.safety.valves import write_valves
from tools.gate.ledger.undo import UndoService, list_changes

UNDONE_BY_CLOSING = (
    'handler: "handlers:open_valve"\n',
    'handler: "handlers:open_valve"\n    undo: close_valve\n',
)
CLOSE = """\
  close_valve:
    summary: "Close valve {valve}"
    verb: close
    object: valve
    slots:
      valve: {type: valve, required: true}
      turns: {type: integer}
      note: {type: text}
    effect: destructive
    roles: [engineer, captain]
    handler: "handlers:close_valve"
    examples: ["close valve V-101"]
"""


@pytest.mark.parametrize(
    ("standing", "is_free"),
    [("accepted", False), ("waiting", False), ("recorded", True)],
)
async def test_from_the_click_on_nobody_is_offered_it_again(
    data_dir: Path, tmp_path: Path, standing: str, is_free: bool
) -> None:
    pack = write_valves(tmp_path, UNDONE_BY_CLOSING, ("  flood_hold:\n", CLOSE + "  flood_hold:\n"))
    async with opened_ledger(data_dir, pack) as ledger:
        shown = await ledger.propose(proposal(valve="V-101"))
        await ledger.decide(shown.action_id, yes(shown), CAPTAIN)
        await ledger.execute(shown.action_id)
        undoing = UndoService(ledger.database, ledger.proposing.catalogue)
        event = await undoing.ask(shown.action_id, ENGINEER)
        sql(
            data_dir,
            "update decision set standing = ? where decision_id = ?",
            (standing, event.decision_id),
        )
        listed = await list_changes(ledger.database, "aurora", undoable_only=True)
        assert [one.action_id for one in listed] == [shown.action_id] * is_free
        if is_free:
            await undoing.ask(shown.action_id, ENGINEER)
            return
        with pytest.raises(Conflict) as conflict:
            await undoing.ask(shown.action_id, ENGINEER)
        assert conflict.value.standing == "undo_asked"
