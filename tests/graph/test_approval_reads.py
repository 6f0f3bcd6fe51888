"""How often a yes reads its ledger row, from the body of the request to the handler."""

from typing import Any

import pytest

from api.resources.approvals import answer_from_body
from tests.graph.harbour import MASTER, Harbour
from tools.gate.ledger import rows
from tools.gate.ledger.handler_runner import HandlerRunner


async def test_a_yes_reads_its_row_three_times_at_most(
    harbour: Harbour, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = await harbour.says("close lock LK-12")
    standing = await harbour.executive.approvals.get(asked.action_id or "", "default")
    reads: list[str] = []
    until_handler: list[int] = []
    to_action, run = rows.to_action, HandlerRunner.run

    def counted(row: Any, said_yes: tuple[str, ...]) -> Any:
        reads.append(row["state"])
        return to_action(row, said_yes)

    async def noted(self: HandlerRunner, *given: Any) -> Any:
        until_handler.append(len(reads))
        return await run(self, *given)

    monkeypatch.setattr(rows, "to_action", counted)
    monkeypatch.setattr(HandlerRunner, "run", noted)
    sent = {"decision": "approve", "digest": standing.digest}
    done = await answer_from_body(standing.action_id, sent, MASTER, harbour.executive)
    assert (done.state, until_handler) == ("succeeded", [3])
    assert reads[:3] == ["pending", "approved", "approved"]
