"""The shipyard: what it is told of our work, and what it may no longer read."""

from state.action import ActionResult
from state.errors import BadInput, NotFound

from .document_changes import open_share
from .effects import changes
from .names import SHIPYARD
from .unit_of_work import UnitOfWork
from .work_orders import unfinished


@changes
def share_with_shipyard(
    unit: UnitOfWork, *, work_orders: list[str], shipyard: str | None = None
) -> ActionResult:
    """Send some unfinished work orders to a yard; without a name, to the one we use.

    Raises:
        NotFound: no such work order or yard.
        BadInput: no work order is named.
        Conflict: one of them has ended, or the yard has it already.
    """
    if not work_orders:
        raise BadInput("name the work orders that the shipyard is to see")
    yard = unit.find(SHIPYARD, shipyard or _ours(unit))
    name, email = str(yard["name"]), str(yard["email"])
    orders = [unfinished(unit, order) for order in work_orders]
    keys = [str(order["id"]) for order in orders]
    if len(set(keys)) < len(keys):
        raise BadInput("one work order is named twice; name each once")
    unit.recipients.append(email)
    unit.count = len(keys)
    for key in keys:
        open_share(unit, "work_order", key, name, email)
    return ActionResult(
        text=f"{', '.join(keys)} sent to {name} ({email}).",
        data={"work_orders": [*keys], "shipyard": name, "email": email},
        undo={"work_orders": [*keys], "shipyard": name},
    )


@changes
def unshare_with_shipyard(
    unit: UnitOfWork, *, work_orders: list[str], shipyard: str | None = None
) -> ActionResult:
    """Close work orders to a yard that has them; what it read, it has read.

    Raises:
        NotFound: no such yard, or it has no such work order.
        BadInput: no work order is named.
    """
    if not work_orders:
        raise BadInput("name the work orders that the shipyard is no longer to see")
    yard = unit.find(SHIPYARD, shipyard or _ours(unit))
    unit.recipients.append(str(yard["email"]))
    unit.count = len(work_orders)
    for order in work_orders:
        shared = unit.row(
            "SELECT * FROM share WHERE what = 'work_order' AND target = ? AND recipient = ?"
            " AND state = 'shared'",
            order,
            yard["name"],
        )
        if shared is None:
            raise NotFound("shared work order", order)
        unit.update("share", shared["id"], state="withdrawn")
    return ActionResult(
        text=f"{', '.join(work_orders)} closed to {yard['name']}.",
        data={"work_orders": list(work_orders), "shipyard": yard["name"]},
    )


def _ours(unit: UnitOfWork) -> str:
    row = unit.row("SELECT name FROM shipyard ORDER BY rowid LIMIT 1")
    if row is None:
        raise NotFound("shipyard", "ours")
    return str(row["name"])
