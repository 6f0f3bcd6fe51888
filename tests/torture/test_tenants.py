"""Every route, every id in the hands of another tenant, and of who may not read its session."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import httpx
import pytest

from state.principal import Principal
from tests.architecture.source import ROOT
from tests.safety.benches import CAPTAIN, sql, yes
from tests.safety.executives import Opened, opened_executive
from tests.safety.valves import effects
from tests.torture.counts import few_or_many
from tests.torture.routes import operations, with_ids
from tests.torture.serving import clients
from tests.torture.tally import Tally

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
) -> None:
    policy = tmp_path / "closing.toml"
    policy.write_text((ROOT / "policy.toml").read_text("utf-8") + CLOSED, "utf-8")
    monkeypatch.setenv("EXECUTIVE_POLICY_FILE", str(policy))
    async with opened_executive(data_dir, pack) as opened:
        ids = await _live(opened) | await _kept(opened)
        async with clients(opened.executive, who) as [stranger]:
            tables = _tables(data_dir)
            requests = list(_requests(opened, ids))
            for method, path, body in requests[:: max(1, len(requests) // count)]:
                answer = await stranger.request(method, path, json=body)
                tally.add("requests with ids of what is closed")
                _assert_nothing_told(f"{method} {path} {body}", answer, ids)
        assert _tables(data_dir) == tables
    assert len(effects(data_dir)) == 2


async def _live(opened: Opened) -> dict[str, str]:
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
    return {table: sql(data_dir, f"select * from {table} where {where[table]}") for table in tables}
