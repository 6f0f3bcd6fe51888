"""A person who answers approvals from the command line, one after the other."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import typer

from graph.cli.people.long_parts import demand_seen
from graph.cli.people.said import Said
from graph.cli.terminal.console import OUT, complain, print_json, shown
from graph.settings import Settings
from state.approval import LedgerAction
from state.errors import AgentError
from state.principal import Principal
from state.record import DecisionRecord

if TYPE_CHECKING:
    from graph.runner import Executive


@dataclass(frozen=True)
class Person:
    """Who answers, on which folder, and how it is told."""

    settings: Settings
    principal: Principal
    as_json: bool

    def answer_all(self, pairs: Sequence[tuple[str, str]], said: Said) -> None:
        """Answer each approval with its digest; of several, one that fails stops no other.

        Raises:
            AgentError: the only one could not be answered.
            Exit: one of several could not, or did not succeed.
        """

        async def work() -> bool:
            from graph.cli.embedded import at_work
            from graph.cli.people.answering import answer

            went_well = True
            async with at_work(self.settings) as executive:
                for action_id, digest in pairs:
                    try:
                        if said.decision in ("approve", "edit"):
                            asked = await executive.approval(action_id, self.principal.tenant_id)
                            shown_now = executive.show(asked)
                            demand_seen(shown_now, seen=said.seen, as_json=self.as_json)
                        settled, record = await answer(
                            executive, action_id, digest, said, self.principal
                        )
                    except AgentError as error:
                        if len(pairs) == 1:
                            raise
                        complain(f"{action_id}: {error}")
                        went_well = False
                        continue
                    self._tell(executive, settled, record)
                    went_well &= settled.state not in ("failed", "unknown", "stale")
            return went_well

        if not asyncio.run(work()):
            raise typer.Exit(1)

    def _tell(self, executive: "Executive", action: LedgerAction, record: DecisionRecord) -> None:
        if self.as_json:
            print_json(executive.show(action).model_dump(mode="json"))
        elif action.state == "pending":
            OUT.print(
                f"{action.approvals} of {action.quorum} people said yes; it waits for the others"
            )
        else:
            OUT.print(f"{action.state}: {shown(record.text)}")
