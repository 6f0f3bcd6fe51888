"""What a person chose: read from our own tables, because an event can say anything of itself."""

from sqlalchemy import Connection, bindparam, select

from state.offer import ExplicitRequest, Offer
from tools.storage.tables.decisions import offer
from tools.storage.tables.ledger import ledger_action

_CHIP = select(offer).where(offer.c.chosen_decision_id == bindparam("wanted"))
_UNDO = select(ledger_action.c.action_id, ledger_action.c.undo_by, ledger_action.c.undo_arguments)
_UNDO = _UNDO.where(ledger_action.c.undo_decision_id == bindparam("wanted"))


def find_request(connection: Connection, decision_id: str) -> ExplicitRequest | None:
    """Read the click that a decision stands for; None: nobody chose anything."""
    row = connection.execute(_CHIP, {"wanted": decision_id}).first()
    if row is not None:
        chips = Offer.model_validate(row.body).chips
        chip = next(chip for chip in chips if chip.chip_id == row.chosen)
        return ExplicitRequest(
            action=chip.action,
            arguments=row.chosen_arguments,
            chosen_by=row.chosen_by,
            offer_id=row.offer_id,
            chip_id=chip.chip_id,
            undo_of=chip.undo_of,
        )
    taken_back = connection.execute(_UNDO, {"wanted": decision_id}).first()
    if taken_back is None:
        return None
    return ExplicitRequest(
        action=taken_back.undo_arguments["action"],
        arguments=taken_back.undo_arguments["arguments"],
        chosen_by=taken_back.undo_by,
        undo_of=taken_back.action_id,
    )
