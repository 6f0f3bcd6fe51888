"""Forty requests in words that the bank's author did not write down, read by the bank alone."""

from pathlib import Path
from typing import Any

import pytest

from tests.foreign.conftest import BANK
from tools.catalog.action_catalog import Catalogue
from tools.catalog.pack import load_pack
from tools.nlu.intents.router import Router

REQUESTS: tuple[tuple[str, str | None, dict[str, Any]], ...] = (
    ("show me account AC-2003", "show_account", {"account": "AC-2003"}),
    ("display the bakery business", "show_account", {"account": "AC-2003"}),
    ("please show the account AC-2004", "show_account", {"account": "AC-2004"}),
    ("list the transactions of AC-2002", "list_transactions", {"account": "AC-2002"}),
    (
        "list transactions on AC-2005 since 2026-03-01",
        "list_transactions",
        {"account": "AC-2005", "since": "2026-03-01"},
    ),
    ("look up customers called mendes", "search_customers", {}),
    ("show customer C-1004", "show_customer", {"customer": "C-1004"}),
    ("show the customer Dao Pham", "show_customer", {"customer": "C-1005"}),
    ("view card CARD-3005", "show_card", {"card": "CARD-3005"}),
    ("show me loan LN-401 please", "show_loan", {"loan": "LN-401"}),
    ("show the boat loan", "show_loan", {"loan": "LN-401"}),
    ("list all disputes", "list_disputes", {}),
    ("check the rates", "check_rates", {}),
    (
        "add a note to C-1003: called about fees",
        "add_customer_note",
        {"customer": "C-1003", "note": "called about fees"},
    ),
    (
        "could you add a note to Carla Mendes: wants a loan",
        "add_customer_note",
        {"customer": "C-1003", "note": "wants a loan"},
    ),
    ("remove note 4", "remove_customer_note", {"number": 4}),
    ("tag C-1003 as fragile", "tag_customers", {"customers": ["C-1003"], "tag": "fragile"}),
    (
        "mark Bo Lind and Carla Mendes as vip",
        "tag_customers",
        {"customers": ["C-1002", "C-1003"], "tag": "vip"},
    ),
    (
        "untag C-1001 and C-1002 as vip",
        "untag_customers",
        {"customers": ["C-1001", "C-1002"], "tag": "vip"},
    ),
    (
        "open a dispute over CARD-3004: never bought that",
        "open_dispute",
        {"card": "CARD-3004", "reason": "never bought that"},
    ),
    ("withdraw DP-503", "withdraw_dispute", {"dispute": "DP-503"}),
    ("set the limit of CARD-3005 to 300", "set_card_limit", {"card": "CARD-3005", "limit": 300}),
    ("lower the limit of CARD-3001 to 50", "set_card_limit", {"card": "CARD-3001", "limit": 50}),
    ("freeze card CARD-3003", "lock_card", {"card": "CARD-3003"}),
    ("unlock CARD-3003", "unlock_card", {"card": "CARD-3003"}),
    (
        "email the statement of AC-2002 to lea@fjordbank.example",
        "send_statement",
        {"account": "AC-2002", "recipient": "lea@fjordbank.example"},
    ),
    (
        "book an appointment for C-1006 on 2026-09-01",
        "book_appointment",
        {"customer": "C-1006", "day": "2026-09-01"},
    ),
    (
        "cancel the appointment of C-1006 on 2026-09-01",
        "cancel_appointment",
        {"customer": "C-1006", "day": "2026-09-01"},
    ),
    (
        "transfer 75 from AC-2003 to Green Grocer",
        "transfer",
        {"account": "AC-2003", "payee": "Green Grocer", "amount": 75},
    ),
    (
        "pay City Power 60.5 from AC-2001",
        "transfer",
        {"account": "AC-2001", "payee": "City Power", "amount": 60.5},
    ),
    ("reverse TR-703", "reverse_transfer", {"transfer": "TR-703"}),
    ("close account AC-2001", "close_account", {"account": "AC-2001"}),
    ("please close the student purse", "close_account", {"account": "AC-2005"}),
    ("reopen AC-2004", "reopen_account", {"account": "AC-2004"}),
    (
        "block AC-2001, AC-2002 and AC-2003",
        "block_accounts",
        {"accounts": ["AC-2001", "AC-2002", "AC-2003"]},
    ),
    ("assign C-1002 to Lea Roth", "assign_customer", {"customer": "C-1002", "advisor": "Lea Roth"}),
    (
        "report C-1006: pays in cash only",
        "report_suspicion",
        {"customer": "C-1006", "reason": "pays in cash only"},
    ),
    ("approve the kitchen loan", "approve_loan", {"loan": "LN-402"}),
    ("export the customer list for marketing", "export_customers", {"purpose": "marketing"}),
    ("what a lovely morning", None, {}),
)


@pytest.fixture(scope="module")
def router(elsewhere: Path) -> Router:
    return Router(Catalogue.of([load_pack(elsewhere)]))


def test_forty_requests_find_their_actions_and_their_slots(router: Router, data_dir: Path):
    assert len(REQUESTS) == 40
    wrong = []
    for text, action, slots in REQUESTS:
        routing = router.route(text, data_dir=data_dir)
        named = routing.action if routing.confidence >= 0.25 else None
        if named != action or any(routing.slots.get(slot) != slots[slot] for slot in slots):
            wrong.append((text, named, dict(routing.slots)))
    assert wrong == []


@pytest.mark.parametrize(
    "text",
    [
        "do not close account AC-2001",
        "she said close account AC-2001",
        "what would happen if I close account AC-2001",
    ],
)
def test_what_asks_for_nothing_is_no_request(router: Router, data_dir: Path, text: str):
    routing = router.route(text, data_dir=data_dir)
    assert routing.action is None or routing.mood in ("negated", "reported", "hypothetical")


def test_the_pack_needs_nothing_of_ours_but_nouns(elsewhere: Path):
    imports = {
        line.split()[1].split(".")[0]
        for file in elsewhere.glob("*.py")
        for line in file.read_text("utf-8").splitlines()
        if line.startswith(("import ", "from ")) and not line.startswith("from . ")
    }
    assert imports <= {"state", "sqlite3", "collections", "contextlib", "pathlib"}
    assert sorted(path.name for path in BANK.glob("*.py")) == sorted(
        path.name for path in elsewhere.glob("*.py")
    )
