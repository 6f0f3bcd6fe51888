"""Every role and every tenant against every route and action."""

import re
import shutil
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import product
from pathlib import Path
from typing import Any, Literal

import httpx
import pytest

from api.app import create_app
from graph.settings import Settings
from graph.wiring.composition import open_executive
from packs.vessel.store import reading
from state.action import HandlerContext
from state.approval import ApprovalAnswer, LedgerAction
from state.errors import AgentError, Forbidden, NotFound
from state.principal import Principal
from state.proposal import Proposal
from tests.architecture.source import ROOT
from tests.packs.vessel.asking import ACTIONS, CALLS, CATALOGUE, Call, do
from tests.safety.benches import CAPTAIN, opened_ledger, sql, yes
from tests.safety.executives import Opened, opened_executive
from tests.safety.valves import effects
from tests.torture.counts import few_or_many
from tests.torture.routes import operations, with_ids
from tests.torture.serving import clients
from tests.torture.tally import Tally
from tools.gate.approvals.dialog import dialog_of
from tools.gate.ledger.ledger import Ledger
from tools.platform.clock import VirtualClock

# Every role against every action of the vessel, in two tenants: who may ask, who may say yes.

NOW = datetime(2026, 6, 14, 17, 30, tzinfo=UTC)
GATED = ("destructive", "compliance", "multi_user", "financial", "bulk")
ROLES = sorted(
    {
        role
        for entry in CATALOGUE.values()
        for role in (*entry.get("roles", ()), *entry.get("approvers", {}).get("roles", ()))
    }
    | {"admin", "nobody"}
)
BY_CLICK = "when its suggestion is chosen"
"""What a write is told that was asked for without one."""
OURS, THEIRS = "aurora", "borealis"


@dataclass(frozen=True)
class Cell:
    """Somebody who says yes to what somebody asked."""

    role: str
    tenant: str
    kind: Literal["person", "service"]
    is_asker: bool


CELLS = tuple(
    Cell(*each) for each in product(ROLES, (OURS, THEIRS), ("person", "service"), (False, True))
)


@pytest.fixture(scope="session")
def vessel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make the store of the vessel once."""
    folder: Path = tmp_path_factory.mktemp("made") / "vessel"
    with reading(folder):
        pass
    return folder


def test_the_tables_are_whole():
    assert {one.action for one in CALLS} == set(CATALOGUE)
    assert len(ROLES) >= 9
    assert len([each for each in CATALOGUE.values() if each["effect"] in GATED]) >= 15


@few_or_many(6, 1_000)
async def test_nobody_asks_for_what_his_role_may_not_ask_for(
    data_dir: Path, vessel: Path, tally: Tally, count: int
):
    async with _opened(data_dir, vessel, ()) as ledger:
        for one, role in product(_some(CALLS, count), ROLES):
            may = set(CATALOGUE[one.action].get("roles", ())) or {role}
            asked = _asked(one, f"{one.action}-{role}", Principal(user="ann", tenant_id=OURS))
            asker = asked.requester.model_copy(update={"roles": (role,)})
            tally.add("cells of who may ask")
            told = await _refusal(ledger, asked.model_copy(update={"requester": asker}))
            is_forbidden = isinstance(told, Forbidden) and BY_CLICK not in str(told)
            assert is_forbidden == (role not in may), (one.action, role, told)
    assert sql(data_dir, "select count(*) from ledger_action where state = 'pending'") > [(0,)]
    assert sql(data_dir, "select action from ledger_action where started_at > 0") == []


async def _refusal(ledger: Ledger, asked: Proposal) -> AgentError | None:
    try:
        await ledger.propose(asked)
    except AgentError as error:
        return error
    return None


@few_or_many(2, 1_000)
async def test_nobody_says_yes_whom_the_catalogue_does_not_name(
    data_dir: Path, vessel: Path, tally: Tally, tmp_path: Path, count: int
):
    gated = [one for one in CALLS if CATALOGUE[one.action]["effect"] in GATED]
    decided = 0
    for one in _some(gated, count):
        folder = tmp_path / one.action
        folder.mkdir()
        async with _opened(folder, vessel, one.after) as ledger:
            for number, cell in enumerate(CELLS):
                decided += await _try(ledger, one, cell, number)
                tally.add("cells of who may say yes")
    assert decided > 0, "nobody might at all"


async def _try(ledger: Ledger, one: Call, cell: Cell, number: int) -> bool:
    """Ask, and let the cell's person say yes; tell whether it counted."""
    entry = CATALOGUE[one.action]
    asker = Principal(
        user=f"amir-{number}", tenant_id=OURS, roles=tuple(entry.get("roles", ("engineer",)))
    )
    shown = await ledger.propose(_asked(one, f"{one.action}-{number}", asker))
    assert shown.state == "pending"
    approver = Principal(
        user=asker.user if cell.is_asker else f"ingrid-{number}",
        tenant_id=cell.tenant,
        roles=(cell.role,),
        kind=cell.kind,
    )
    answer = _yes(ledger, shown)
    if _may(entry, cell):
        settled = await ledger.decide(shown.action_id, answer, approver)
        quorum = entry.get("approvers", {}).get("quorum", 1)
        assert settled.state == ("approved" if quorum == 1 else "pending")
        return True
    with pytest.raises(NotFound if cell.tenant == THEIRS else Forbidden):
        await ledger.decide(shown.action_id, answer, approver)
    assert await ledger.action(shown.action_id) == shown
    return False


def _may(entry: Mapping[str, Any], cell: Cell) -> bool:
    """Read the catalogue as a person would."""
    approvers = entry.get("approvers", {})
    named = approvers.get("roles", entry.get("roles", ()))
    return (
        cell.tenant == OURS
        and cell.kind == "person"
        and (not named or cell.role in named)
        and not (approvers.get("four_eyes", False) and cell.is_asker)
    )


def _yes(ledger: Ledger, shown: LedgerAction) -> ApprovalAnswer:
    action = ledger.executing.catalogue.action(shown.action)
    tuning = ledger.executing.policies.of(action)
    typed = dialog_of(shown, action, tuning).type_to_approve
    return ApprovalAnswer(decision="approve", digest=shown.digest, typed=typed)


def _asked(one: Call, decision_id: str, asker: Principal) -> Proposal:
    return Proposal(
        decision_id=decision_id,
        requester=asker,
        action=one.action,
        arguments=dict(one.arguments),
        at_least="A",
    )


@asynccontextmanager
async def _opened(data_dir: Path, vessel: Path, before: tuple[Call, ...]) -> AsyncIterator[Ledger]:
    """Open a ledger on a vessel where something was done before."""
    folder = data_dir / "packs" / OURS
    shutil.copytree(vessel, folder)
    for earlier in before:
        do(_context(folder), earlier)
    async with opened_ledger(data_dir, ACTIONS.parent, clock=VirtualClock(NOW)) as ledger:
        yield ledger


def _context(folder: Path) -> HandlerContext:
    return HandlerContext(
        action_id="before",
        idempotency_key="before",
        tenant_id=OURS,
        user="marta",
        roles=("chief_engineer",),
        now=NOW,
        data_dir=str(folder),
    )


def _some(calls: Sequence[Call], count: int) -> Sequence[Call]:
    return calls[:: max(1, len(calls) // count)]


# Every role at every route that changes something, with the ids of what is really there.

PEOPLE = {
    "guest": ("viewer",),
    "engineer": ("engineer",),
    "chief": ("chief_engineer",),
    "admin": ("admin",),
    "bot": ("chief_engineer",),
    "bridge": ("integrator",),
    "buoy": (),
}
"""By what they are called; those of a `b` are services, and the buoy is a sensor."""
CELLS_ROLE_ROUTES = {
    #                                     guest engineer chief admin bot bridge buoy
    "POST /v1/events": "                    403 200 200 403 200 200 200",
    "POST /v1/messages": "                  200 200 200 200 200 200 200",
    "POST /v1/approvals/decide": "          200 200 200 200 403 403 403",  # told one by one
    "POST /v1/approvals/{action_id}": "     403 200 409 403 403 403 403",  # its asker takes it back
    "POST /v1/approvals/{action_id}/settle": "403 403 409 403 403 403 403",
    "POST /v1/refusals": "                  403 403 200 403 403 403 403",
    "DELETE /v1/refusals/{refusal_id}": "   404 404 200 404 403 403 403",
    "POST /v1/grants": "                    404 404 404 404 404 404 404",  # of no such approval
    "DELETE /v1/grants/{grant_id}": "       404 404 404 404 403 403 403",
    "POST /v1/tools/accept": "              404 404 404 404 404 404 404",  # this pack has none
    "POST /v1/offers/{offer_id}": "         403 200 403 403 403 403 403",
    "POST /v1/actions/{action_id}/undo": "  409 409 409 409 403 403 403",
    "POST /v1/queries/{decision_id}/observed": "403 200 403 403 403 200 403",
    "POST /v1/journal/import": "            403 200 200 403 200 200 403",
    "POST /v1/journal/reindex": "           403 403 403 200 403 403 403",
    "POST /v1/journal/links": "             403 404 404 403 403 403 403",
    "POST /v1/journal/links/{link_id}": "   403 404 404 403 404 404 403",
    "POST /v1/quiet": "                     403 200 200 403 200 403 403",
    "DELETE /v1/quiet": "                   403 200 200 403 200 403 403",
    "POST /v1/reminders": "                 403 200 200 403 200 403 403",
    "DELETE /v1/reminders/{reminder_id}": " 403 200 404 404 404 404 404",
    "POST /v1/modulations": "               403 200 200 403 200 403 403",
    "DELETE /v1/modulations/{modulation_id}": "403 200 404 404 404 404 404",
    "POST /v1/output": "                    403 200 200 403 200 403 403",
    "POST /v1/output/interrupt": "          403 200 200 403 200 403 403",
    "PUT /v1/personality": "                404 404 404 404 404 404 404",  # no such template
    "PATCH /v1/personality": "              403 200 200 403 200 403 403",
    "DELETE /v1/personality": "             403 200 200 403 200 403 403",
    "PUT /v1/skills/{name}": "              404 404 404 404 404 404 404",  # this pack has none
    "DELETE /v1/skills/{name}": "           404 404 404 404 404 404 404",
    "POST /v1/goals": "                     403 200 200 403 200 403 403",
    "POST /v1/goals/{goal_id}": "           403 200 403 403 403 403 403",
    "DELETE /v1/memory": "                  200 200 200 200 200 200 200",  # one's own
    "POST /v1/feedback": "                  403 200 200 403 200 403 403",
    "PATCH /v1/heuristics/{heuristic_id}": "403 202 202 403 403 403 403",
    "POST /v1/metrics/{pack}/reset": "      403 403 403 200 403 200 403",
}
"""What each is answered, in turn: 409 and 404 where one before has had it, or it is not theirs."""


@pytest.mark.torture
async def test_each_role_may_at_each_route_what_it_may_and_no_more(data_dir: Path, tally: Tally):
    kinds = {True: "service", False: "person"}
    people = [
        Principal.model_validate(
            {"user": name, "tenant_id": "aurora", "roles": roles, "kind": kinds[name[0] == "b"]}
        )
        for name, roles in PEOPLE.items()
    ]
    paths = create_app().openapi()["paths"]
    changes = {
        f"{method.upper()} {path}": asked
        for path, methods in paths.items()
        for method, asked in methods.items()
        if method != "get"
    }
    assert changes.keys() == CELLS_ROLE_ROUTES.keys()
    async with (
        open_executive(Settings(data_dir=data_dir, packs=("vessel",))) as executive,
        clients(executive, *people) as callers,
    ):
        live = await _live(callers[1], callers[2])
        for route, asked in changes.items():
            method, path = route.split(" ")
            body = live["bodies"].get(path) or _example(asked)
            way = re.sub(r"{(\w+)}", lambda found: live.get(found[1], "none"), path)
            told = [await caller.request(method, way, json=body) for caller in callers]
            assert (
                " ".join(str(one.status_code) for one in told) == CELLS_ROLE_ROUTES[route].strip()
            ), route
            tally.add("cells of roles and changing routes", len(told))
        for path in paths:
            if "get" in paths[path] and path != "/v1/stream":
                way = re.sub(r"{(\w+)}", lambda found: live.get(found[1], "none"), path)
                told = [await caller.get(way) for caller in callers]
                assert {one.status_code for one in told} <= {200, 404, 422}, path
                tally.add("cells of roles and reading routes", len(told))


def _example(asked: dict[str, Any]) -> Any:
    """Take the first example of a body out of the document; None: it takes none."""
    content = asked.get("requestBody", {}).get("content", {}).get("application/json", {})
    examples = list(content.get("examples", {}).values())
    return examples[0]["value"] if examples else content.get("example")


async def _live(engineer: httpx.AsyncClient, chief: httpx.AsyncClient) -> dict[str, Any]:
    """Have one of everything there, and name it; with bodies that are about it."""

    async def sent(caller: httpx.AsyncClient, path: str, **body: Any) -> dict[str, Any]:
        made: dict[str, Any] = (await caller.post(path, json=body)).json()
        return made

    asked = await sent(engineer, "/v1/messages", text="close WO-1042, it is done", session_id="a")
    note = "add a note to WO-1042: oil checked"
    offered = await sent(engineer, "/v1/messages", text=note, session_id="b")
    reminder = await sent(engineer, "/v1/reminders", text="look", in_seconds=500)
    goals = await sent(engineer, "/v1/goals", text="paint the deck")
    refusal = await sent(chief, "/v1/refusals", action="close_work_order", reason="no")
    moves = await sent(engineer, "/v1/modulations", kind="heighten", topic="pump")
    alarm = {"text": "fire in the galley", "salience": {"threat": 1.0}}
    told = await sent(engineer, "/v1/events", **alarm)
    shipped = (await engineer.get("/v1/heuristics")).json()["heuristics"]
    no = {"decision": "reject", "digest": asked["approval"]["digest"]}
    other = no | {"digest": "0" * 64}
    return {
        "action_id": asked["action_id"],
        "decision_id": asked["decision_id"],
        "offer_id": offered["offer_id"],
        "reminder_id": reminder["reminder_id"],
        "goal_id": goals["goals"][0]["goal_id"],
        "refusal_id": refusal["refusal_id"],
        "modulation_id": moves["modulations"][0]["modulation_id"],
        "heuristic_id": shipped[0]["heuristic"]["heuristic_id"],
        "pack": "vessel",
        "bodies": {
            "/v1/events": alarm,
            "/v1/approvals/decide": {"answers": [other | {"action_id": asked["action_id"]}]},
            "/v1/approvals/{action_id}": no,
            "/v1/offers/{offer_id}": {"chip_id": offered["offer"]["chips"][0]["chip_id"]},
            "/v1/feedback": {"response_id": told["response_id"], "rating": "good"},
        },
    }


# Every route, every id in the hands of another tenant, and of who may not read its session.

STRANGER = Principal(
    user="ingrid", tenant_id="borealis", roles=("captain", "engineer", "admin", "chief_engineer")
)
INSIDER = Principal(user="olav", tenant_id="aurora", roles=("cook", "admin"))
CLOSED = """
[[sessions]]
names = ["va?lt"]
users = ["ingrid", "amir"]
"""
IN = {"session_id": "vault"}
CANARY = "krakatoa-7741"
ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}")
BODIES: tuple[Mapping[str, Any], ...] = (
    {},
    {"decision": "approve"},
    {"decision": "reject", "reason": "no"},
    {"decision": "edit", "arguments": {"valve": "V-1"}},
    {"type": "accept", "args": None},
    {"chip_id": "chip-1"},
    {"happened": True, "evidence": "seen"},
    {"action": "open_valve"},
    {"answers": []},
    {"action": "open_valve", "reason": "never"},
)


@pytest.mark.parametrize("who", [STRANGER, INSIDER], ids=["another tenant's", "not a reader's"])
@few_or_many(120, 100_000)
async def test_no_id_of_what_is_closed_to_one_opens_anything_on_any_route(
    data_dir: Path,
    pack: Path,
    tally: Tally,
    count: int,
    who: Principal,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
):
    policy = tmp_path / "closing.toml"
    policy.write_text((ROOT / "policy.toml").read_text("utf-8") + CLOSED, "utf-8")
    monkeypatch.setenv("EXECUTIVE_POLICY_FILE", str(policy))
    async with opened_executive(data_dir, pack) as opened:
        ids = await _live_tenants(opened) | await _kept(opened)
        async with clients(opened.executive, who) as [stranger]:
            tables = _tables(data_dir)
            requests = list(_requests(opened, ids))
            for method, path, body in requests[:: max(1, len(requests) // count)]:
                answer = await stranger.request(method, path, json=body)
                tally.add("requests with ids of what is closed")
                _assert_nothing_told(f"{method} {path} {body}", answer, ids)
        assert _tables(data_dir) == tables
    assert len(effects(data_dir)) == 2


async def _live_tenants(opened: Opened) -> dict[str, str]:
    """Have one tenant do one of everything; give the ids of it."""
    pending = await opened.asked(f"open valve V-101 because of {CANARY}", "e-1", **IN)
    done = await opened.asked("open valve V-7", "e-2", **IN)
    await opened.executive.approvals.answer(done.action_id, yes(done), CAPTAIN)
    offered = await opened.ask(f"label valve V-9 {CANARY}", "e-3", **IN)
    read = await opened.ask("read gauge G-1", "e-4", **IN)
    assert offered.offer_id is not None
    return {
        "pending action": pending.action_id,
        "done action": done.action_id,
        "decision": pending.decision_id,
        "read": read.decision_id,
        "offer": offered.offer_id,
        "session": IN["session_id"],
        "digest": pending.digest,
    }


async def _kept(opened: Opened) -> dict[str, str]:
    """Have one tenant ask for one of everything else; give the ids of it."""
    asked = (
        ("refusal", "/v1/refusals", {"action": "open_valve", "reason": CANARY}),
        ("reminder", "/v1/reminders", {"text": f"look at {CANARY}", "in_seconds": 9_000} | IN),
        ("goal", "/v1/goals", {"text": f"paint {CANARY}"} | IN),
        ("modulation", "/v1/modulations", {"kind": "heighten", "topic": "creepers"} | IN),
        ("response", "/v1/output", {"text": f"hear {CANARY}"} | IN),
    )
    found = {}
    async with clients(opened.executive, CAPTAIN) as [captain]:
        for name, path, body in asked:
            answer = await captain.post(path, json=body)
            assert answer.status_code == 200, answer.text
            made = answer.json()
            made = made.get(f"{name}s", [made])[-1]
            found[name] = made[f"{name}_id"]
        said = {"message_id": "m-1", "content": f"We decided to use {CANARY}."} | IN
        read = (await captain.post("/v1/journal/import", json={"messages": [said]})).json()
        found["record"] = read["messages"][0]["decision_id"]
    return found


Request = tuple[str, str, dict[str, Any] | None]


def _requests(opened: Opened, ids: Mapping[str, str]) -> Iterator[Request]:
    for method, path in operations():
        for swapped in with_ids(method, path, ids):
            for body in BODIES if method in ("POST", "PUT", "PATCH") else (None,):
                yield method, swapped, None if body is None else _about(body, ids)


def _about(body: Mapping[str, Any], ids: Mapping[str, str]) -> dict[str, Any]:
    whole = dict(body)
    if "decision" in whole:
        whole["digest"] = ids["digest"]
    if "answers" in whole:
        shown = [ids["pending action"], ids["done action"]]
        whole["answers"] = [
            {"action_id": each, "digest": ids["digest"], "decision": "approve"} for each in shown
        ]
    return whole


def _assert_nothing_told(sent: str, answer: httpx.Response, ids: Mapping[str, str]) -> None:
    where = f"{sent}: {answer.status_code} {answer.text[:300]}"
    assert answer.status_code < 500, where
    if " /v1/memory/entities/" in sent:  # any name may be asked about, an id too
        assert not any(answer.json().get(part) for part in ("said", "happened", "facts")), where
    elif ID.search(sent.partition("?")[0].partition("{")[0]):
        assert answer.status_code >= 400, where
        assert "standing" not in answer.json(), where
    assert CANARY not in answer.text, where
    for name, value in ids.items():
        known = value in sent or name in ("digest", "session")
        assert known or value not in answer.text, f"{where} tells the {name}"


def _tables(data_dir: Path) -> dict[str, list[tuple[Any, ...]]]:
    """Read what the one tenant has, whole."""
    names = [str(name) for (name,) in sql(data_dir, "select name from sqlite_master")]
    tables = [
        name
        for name in names
        if any(row[1] == "tenant_id" for row in sql(data_dir, f"pragma table_info({name})"))
    ]
    assert {"ledger_action", "ledger_entry", "decision", "offer"} <= set(tables)
    where = dict.fromkeys(tables, "tenant_id = 'aurora'")
    for table in tables:
        if any(row[1] == "session_id" for row in sql(data_dir, f"pragma table_info({table})")):
            where[table] += " and session_id = 'vault'"
    where.pop("vector_outbox", None)  # it is emptied beside all else
    return {table: sql(data_dir, f"select * from {table} where {where[table]}") for table in where}
