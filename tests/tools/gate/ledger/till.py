"""A small pack whose previews read its store: a till that pays invoices."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from state.approval import LedgerAction
from state.principal import Principal
from tests.safety.benches import opened_ledger, proposal, sql
from tools.gate.ledger.ledger import Ledger

OWED = {"state": "open", "owed": 40.0}
THREE = {"I_1": OWED, "I_2": OWED, "I_3": {"state": "paid", "owed": 40.0}}
MANY = {f"I_{number}": OWED for number in range(1, 200)}

ACTIONS = """\
actions:
  pay:
    summary: "Pay {invoice}: {amount} to {payee}"
    verb: update
    words: [pay]
    object: invoice
    slots:
      invoice: {type: invoice, required: true}
      amount: {type: number, risk: amount}
      payee: {type: text, risk: recipients}
    effect: financial
    roles: [clerk, boss]
    approvers: {roles: [boss], expires_minutes: 10}
    preview: "handlers:preview_pay"
    handler: "handlers:pay"
    examples: ["pay I-1"]
  pay_twice_seen:
    summary: "Pay {invoice}, seen by two"
    verb: update
    words: [pay]
    object: invoice
    slots:
      invoice: {type: invoice, required: true}
      amount: {type: number, risk: amount}
      payee: {type: text, risk: recipients}
    effect: financial
    approvers: {roles: [boss], four_eyes: true}
    preview: "handlers:preview_pay"
    handler: "handlers:pay"
    examples: ["pay I-1 twice seen"]
  remind:
    summary: "Remind {payee} of {invoice}"
    verb: update
    words: [remind]
    object: reminder
    slots:
      invoice: {type: invoice, required: true}
      amount: {type: number, risk: amount}
      payee: {type: text, risk: recipients}
    effect: write
    approvers: {roles: [boss]}
    preview: "handlers:preview_pay"
    handler: "handlers:remind"
    examples: ["remind them of I-1"]
  break_preview:
    summary: "Break {invoice}"
    verb: update
    words: [break]
    object: invoice
    slots:
      invoice: {type: invoice, required: true}
    effect: destructive
    preview: "handlers:preview_broken"
    handler: "handlers:void"
    examples: ["break I-1"]
  read_till:
    summary: "Read the till"
    verb: show
    words: [read]
    object: till
    effect: read
    handler: "handlers:read_till"
    examples: ["read the till"]
"""

HANDLERS = '''\
"""Invoices in one JSON file; a preview says no to what is paid."""

import json
import time
from pathlib import Path

from state.action import ActionResult
from state.errors import Conflict, NotFound
from state.preview import Change, Fact, Preview


def _store(context):
    return Path(context.data_dir) / "invoices.json"


def _invoices(context):
    file = _store(context)
    return json.loads(file.read_text()) if file.exists() else {}


def preview_pay(context, *, invoice, amount=None, payee=None):
    known = _invoices(context)
    if invoice not in known:
        raise NotFound("invoice", invoice)
    state = known[invoice]["state"]
    if state == "paid":
        raise Conflict(f"{invoice} is paid already", "paid")
    return Preview(
        facts=(Fact(label="owed", value=str(known[invoice]["owed"])),),
        changes=(Change(target=invoice, field="state", before=state, after="paid"),),
        amount=amount if amount is not None else known[invoice]["owed"],
        currency="EUR",
        versions={invoice: json.dumps(known[invoice], sort_keys=True)},
    )


def preview_broken(context, *, invoice):
    if invoice == "I-2":
        time.sleep(0.5)
        return Preview()
    if invoice == "I-3":
        return {"facts": []}
    raise ZeroDivisionError("secret inner words")


def pay(context, *, invoice, amount=None, payee=None):
    known = _invoices(context)
    known[invoice]["state"] = "paid"
    _store(context).write_text(json.dumps(known))
    return ActionResult(text=f"{invoice} is paid.")


def void(context, *, invoice):
    return ActionResult(text=f"{invoice} is void.")


def remind(context, *, invoice, amount=None, payee=None):
    return ActionResult(text="Reminded.")


def read_till(context):
    return ActionResult(text="Empty.")
'''

CLERK = Principal(user="cleo", tenant_id="aurora", roles=("clerk",))
BOSS = Principal(user="bo", tenant_id="aurora", roles=("boss",))
PARTNER = Principal(user="pia", tenant_id="aurora", roles=("boss",))
THIRD = Principal(user="tor", tenant_id="aurora", roles=("boss",))
ELSEWHERE = Principal(user="bo", tenant_id="borealis", roles=("boss", "clerk"))
ROBOT = Principal(user="r2", tenant_id="aurora", roles=("boss", "clerk"), kind="service")


def write_till(folder: Path) -> Path:
    """Write the pack as `folder`/till."""
    pack = folder / "till"
    pack.mkdir(parents=True)
    (pack / "actions.yaml").write_text(ACTIONS, encoding="utf-8")
    (pack / "entities.yaml").write_text(
        'entities:\n  invoice: {patterns: ["I-\\\\d{1,4}"]}\n', encoding="utf-8"
    )
    (pack / "policy.yaml").write_text("internal_domains: [till.example]\n", encoding="utf-8")
    (pack / "handlers.py").write_text(HANDLERS, encoding="utf-8")
    return pack


def invoices(ledger: Ledger, **changed: dict[str, Any]) -> None:
    """Write invoices into the pack's store, as somebody at work beside us."""
    folder = ledger.executing.data_dir / "aurora"
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "invoices.json"
    known = json.loads(file.read_text()) if file.exists() else {}
    known |= {name.replace("_", "-"): invoice for name, invoice in changed.items()}
    file.write_text(json.dumps(known))


@asynccontextmanager
async def opened_till(
    data_dir: Path, folder: Path, of: dict[str, dict[str, Any]], **given: Any
) -> AsyncIterator[Ledger]:
    """Open a ledger on the pack and some invoices; `given` is for the ledger."""
    async with opened_ledger(data_dir, write_till(folder), **given) as opened:
        invoices(opened, **of)
        yield opened


async def asked(
    till: Ledger, action: str = "pay", who: Principal = CLERK, number: int = 1, **arguments: Any
) -> LedgerAction:
    """Ask for something about one invoice, in a decision of its own."""
    given = {"invoice": f"I-{number}", **arguments}
    wanted = proposal(action, decision_id=f"decision-{number}", requester=who, **given)
    return await till.propose(wanted)


async def rows(data_dir: Path) -> int:
    """Count what the ledger holds."""
    return int(sql(data_dir, "select count(*) from ledger_action")[0][0])
