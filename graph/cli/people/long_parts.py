"""Long parts of a question: printed whole before a yes, and the yes says that they were read."""

from typing import Annotated

import typer

from graph.cli.terminal.console import OUT
from graph.cli.terminal.showing import approval_of
from state.dialog import ShownApproval
from state.errors import BadInput

Seen = Annotated[
    bool, typer.Option("--seen", help="You have read the long parts, which show prints whole.")
]


def demand_seen(asked: ShownApproval, *, seen: bool, as_json: bool) -> None:
    """Print a question that has long parts, unless its reader says that they have read them.

    Raises:
        BadInput: it has some, and they do not say so.
    """
    if seen or asked.dialog is None or not asked.dialog.long:
        return
    if not as_json:
        OUT.print(approval_of(asked))
    raise BadInput(
        f"it has long parts ({', '.join(asked.dialog.long)}): read them, and say it with --seen"
    )
