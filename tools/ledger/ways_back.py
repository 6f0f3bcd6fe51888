"""The way back from what was done, and whether what it would change stands as it was left."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection

from state.approval import LedgerAction
from state.errors import Conflict, InvalidArguments
from state.preview import Preview
from state.undo import Undo
from tools.catalogue.catalogue import Catalogue
from tools.storage.undos import left_behind

_MOST_NAMED = 3


def way_back(
    catalogue: Catalogue,
    standing: LedgerAction,
    told: Mapping[str, Any] | None,  # by slot type
) -> Undo:
    """Say what takes an action back: as its handler told, else by the slots both share.

    Raises:
        Conflict: its entry names no undo, or what the undo needs is not known.
    """
    action = catalogue.actions.get(standing.action)
    undo = catalogue.actions.get((action.undo if action else None) or "")
    if undo is None:
        raise Conflict(f"{standing.summary}: this cannot be undone", "not_undoable")
    if told is None and undo.name == standing.action:
        # The same with the same arguments does it again; only its handler knows what was.
        raise Conflict(f"{standing.summary}: what was before is not known", "not_undoable")
    given = standing.arguments if told is None else told
    shared = {name: value for name, value in given.items() if name in undo.slots}
    try:
        arguments = catalogue.arguments(undo.name, shared if told is None else told)
    except InvalidArguments as fault:
        raise Conflict(
            f"{standing.summary}: it cannot be undone from here ({fault})", "not_undoable"
        ) from fault
    summary = catalogue.summary(undo.name, arguments)
    return Undo(of=standing, action=undo.name, arguments=arguments, summary=summary)


def as_left(preview: Preview) -> dict[str, Any]:
    """Lay out what an undo would change, as it stands right after its action: JSON's own values.

    A target that the undo only looks at may change meanwhile; nothing of it is taken back.
    """
    concerned = {change.target for change in preview.changes}
    return {
        "versions": {
            target: version
            for target, version in preview.versions.items()
            if target in concerned or not concerned
        },
        "before": [[one.target, one.field, one.before] for one in preview.changes],
    }


def demand_as_left(connection: Connection, action_id: str, now: Preview | None) -> None:
    """Let an undo pass that changes what its action left, and nothing that came after it.

    Raises:
        Conflict: something of it was changed since; the sentence names it, without its values.
    """
    left = left_behind(connection, action_id)
    if left is None or now is None:
        return
    stands = as_left(now)
    stood = {tuple(one) for one in left["before"]}
    moved = {f"{target}: {field}" for target, field, _ in stood ^ set(map(tuple, stands["before"]))}
    told = {one.partition(": ")[0] for one in moved}
    versions = left["versions"].items() ^ stands["versions"].items()
    moved |= {target for target, _ in versions if target not in told}
    if moved:
        named = ", ".join(sorted(moved)[:_MOST_NAMED])
        raise Conflict(f"not undone: changed by something else since ({named})", "changed_since")
