"""A write runs when its chip was clicked, and only as that chip showed it."""

from pathlib import Path
from typing import Any

import pytest

from state.action import ExecutionClass
from state.errors import Forbidden, InvalidArguments
from tests.safety.benches import (
    PERMISSIVE,
    proposal,
    sql,
)
from tests.safety.valves import effects
from tests.tools.gate.ledger.clicking import click
from tools.gate.ledger.ledger import Ledger

GATED = tuple(PERMISSIVE)


@pytest.mark.parametrize("at_least", ["A", "B"])
async def test_a_write_nobody_clicked_is_refused(
    ledger: Ledger, data_dir: Path, at_least: ExecutionClass
) -> None:
    with pytest.raises(Forbidden, match="chip"):
        await ledger.propose(proposal("label_valve", valve="V-1", at_least=at_least))
    assert sql(data_dir, "select count(*) from ledger_action") == [(0,)]


async def test_a_read_raised_to_a_suggestion_needs_its_click(ledger: Ledger) -> None:
    with pytest.raises(Forbidden, match="chip"):
        await ledger.propose(proposal("read_gauge", gauge="G-1", at_least="B"))


async def test_a_clicked_write_runs_once(ledger: Ledger, data_dir: Path) -> None:
    decision_id = (await click(ledger, valve="V-7", label="sea")).decision_id
    asked = proposal("label_valve", decision_id=decision_id, valve="V-7", label="sea")
    frozen = await ledger.propose(asked)
    await ledger.execute(frozen.action_id)
    await ledger.execute((await ledger.propose(asked)).action_id)
    assert (frozen.execution_class, frozen.approvals) == ("B", 1)
    assert len(effects(data_dir)) == 1


@pytest.mark.parametrize(
    ("action", "arguments"),
    [
        ("label_valve", {"valve": "V-8", "label": "sea"}),
        ("label_valve", {"valve": "V-7"}),
        ("label_valve", {"valve": "V-7", "label": "sea "}),
        ("read_gauge", {"gauge": "G-1"}),
    ],
)
async def test_a_click_is_for_exactly_its_chip(
    ledger: Ledger, action: str, arguments: dict[str, Any]
) -> None:
    decision_id = (await click(ledger, valve="V-7", label="sea")).decision_id
    with pytest.raises(Forbidden):
        await ledger.propose(
            proposal(action, decision_id=decision_id, at_least="B", **arguments),
        )


async def test_a_click_of_another_decision_is_no_click(ledger: Ledger) -> None:
    await click(ledger, valve="V-7")
    with pytest.raises(Forbidden):
        await ledger.propose(proposal("label_valve", decision_id="another", valve="V-7"))


async def test_arguments_sent_with_a_click_never_replace_what_the_chip_shows(
    ledger: Ledger,
) -> None:
    with pytest.raises(InvalidArguments):
        await click(ledger, valve="V-7", sent={"valve": "V-8", "label": "sea"})
    clicked = await click(ledger, valve="V-7", sent={"label": "sea"})
    with pytest.raises(Forbidden):
        await ledger.propose(
            proposal("label_valve", decision_id=clicked.decision_id, valve="V-8", label="sea")
        )
    frozen = await ledger.propose(
        proposal("label_valve", decision_id=clicked.decision_id, valve="V-7", label="sea")
    )
    assert frozen.arguments == {"valve": "V-7", "label": "sea"}
