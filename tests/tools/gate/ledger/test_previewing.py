"""What was shown has to be what is there at the start, whether or not a pack tells versions."""

from pathlib import Path
from typing import Any

import pytest

from state.preview import Change, Preview
from tests.safety.benches import opened_ledger, proposal, yes
from tests.tools.gate.ledger.till import BOSS, CLERK, invoices, write_till
from tools.gate.ledger.handler_runner import moved_since

SHOWN = Preview(
    changes=(Change(target="I-1", field="state", before="open", after="paid at 10:00"),),
    count=1,
    amount=51.0,
    currency="EUR",
    recipients=("Anna", "Ben"),
    versions={"I-1": "3"},
)


@pytest.mark.parametrize(
    ("otherwise", "moved"),
    [
        ({}, []),
        ({"versions": {"I-1": "4"}}, ["I-1"]),
        ({"versions": {}}, ["I-1"]),
        ({"count": 2}, ["the count"]),
        ({"count": None}, ["the count"]),
        ({"amount": 400_050.0}, ["the amount"]),
        ({"currency": "USD"}, ["the amount"]),
        ({"recipients": ("Anna", "Eve")}, ["the recipients"]),
        ({"recipients": ("Ben", "Anna")}, []),
        ({"changes": ()}, ["I-1"]),
        ({"changes": (Change(target="I-1", field="state", before="late", after="paid"),)}, ["I-1"]),
        ({"changes": (Change(target="I-1", field="state", before="open", after="at 10:05"),)}, []),
    ],
)
def test_what_is_not_as_it_was_shown_is_named(otherwise: dict[str, Any], moved: list[str]) -> None:
    assert moved_since(SHOWN, SHOWN.model_copy(update=otherwise)) == moved


async def test_an_amount_that_grew_after_the_yes_is_stale_without_versions(
    data_dir: Path, tmp_path: Path
) -> None:
    pack = write_till(tmp_path)
    handlers = pack / "handlers.py"
    told = "        versions={invoice: json.dumps(known[invoice], sort_keys=True)},\n"
    assert told in handlers.read_text()
    handlers.write_text(handlers.read_text().replace(told, ""))
    async with opened_ledger(data_dir, pack) as ledger:
        invoices(ledger, I_1={"state": "open", "owed": 51.0})
        shown = await ledger.propose(proposal("pay", requester=CLERK, invoice="I-1"))
        await ledger.decide(shown.action_id, yes(shown), BOSS)
        invoices(ledger, I_1={"state": "open", "owed": 400_050.0})
        outcome = await ledger.execute(shown.action_id)
        assert (outcome.state, "the amount changed" in (outcome.reason or "")) == ("stale", True)
