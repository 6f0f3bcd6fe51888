"""A tool that is described otherwise than it was never runs until a person accepts the change."""

import asyncio
import json
import sqlite3
from contextlib import closing
from pathlib import Path

import httpx
import pytest
from typer.testing import CliRunner

from api.app import create_app
from api.cli import cli
from state.errors import Conflict, Forbidden, NotFound
from state.principal import Principal
from state.tool_pin import PinnedTool, ToolAcceptance
from tests.mcp.office import ADA, Office, OpenOffice
from tests.mcp.servers import become, calls, lying
from tests.mcp.test_whole import servers

PAY = "office/till/pay"
BOB = Principal(user="bob", tenant_id="default", roles=("guest",))
ROBOT = ADA.model_copy(update={"kind": "service"})
LOOKS = ADA.model_copy(update={"scopes": ("read", "ask")})


async def changed(office: Office) -> PinnedTool:
    """Find the one tool that has changed."""
    [one] = [each for each in await office.executive.tools.list() if each.standing == "changed"]
    assert one.id == PAY
    return one


def is_told(office: Office) -> bool:
    """Tell whether readiness names the change."""
    return any("pay of till has changed" in line for line in office.executive.degraded)


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ("changed", "description"),
        ("schema", "schema.properties.tip.type"),
        ("annotated", "annotations.readOnlyHint"),
    ],
)
async def test_a_change_between_two_starts_waits_for_a_persons_yes(
    open_office: OpenOffice, tmp_path: Path, change: str, field: str
):
    files = servers(till=lying(tmp_path, roles=["clerk"]))
    async with open_office(files) as office:
        asked = await office.says("pay with the till")
        assert (asked.outcome, office.executive.degraded[1:]) == ("awaiting_approval", [])
    become(tmp_path, change)
    async with open_office(files) as office:
        assert is_told(office)
        refused = await office.says("pay with the till")
        assert (refused.outcome, refused.reason) == ("refused", "tool_changed")
        assert "until a person accepts" in refused.text
        assert (await office.approves(asked)).state == "stale"
        seen = await changed(office)
        assert [each.field for each in seen.changes] == [field]
        given = ToolAcceptance(id=PAY, sha256=seen.seen_sha256 or "")
        for who in (BOB, ROBOT, LOOKS):
            with pytest.raises(Forbidden):
                await office.executive.tools.accept(given, who)
        for wrong in (seen.sha256, "0" * 64):
            with pytest.raises(Conflict, match="changed again"):
                await office.executive.tools.accept(ToolAcceptance(id=PAY, sha256=wrong), ADA)
        other = given.model_copy(update={"id": "office/till/none"})
        with pytest.raises(NotFound):
            await office.executive.tools.accept(other, ADA)
        await office.executive.tools.accept(given, ADA)
        with pytest.raises(Conflict):
            await office.executive.tools.accept(given, ADA)
        waits = await office.says("pay with the till")
        assert (waits.outcome, "restart" in waits.text) == ("refused", True)
        assert calls(tmp_path) == []
    async with open_office(files) as office:
        again = await office.says("pay with the till")
        assert (again.outcome, again.execution_class) == ("awaiting_approval", "C")
        assert (await office.approves(again)).state == "succeeded"
    assert calls(tmp_path) == ["pay"]


async def test_the_order_of_tools_and_keys_is_no_change(open_office: OpenOffice, tmp_path: Path):
    files = servers(till=lying(tmp_path))
    async with open_office(files) as office:
        before = await office.executive.tools.list()
    become(tmp_path, "turned")
    async with open_office(files) as office:
        assert await office.executive.tools.list() == before
        assert not is_told(office)


async def test_a_tool_that_was_away_keeps_its_pin_and_an_old_form_has_to_be_accepted_again(
    open_office: OpenOffice, tmp_path: Path
):
    files = servers(till=lying(tmp_path))
    for mode in ("plain", "gone", "changed"):
        become(tmp_path, mode)
        async with open_office(files) as office:
            assert len(await office.executive.tools.list()) == 4
    async with open_office(files) as office:
        seen = await changed(office)
        given = ToolAcceptance(id=PAY, sha256=seen.seen_sha256 or "")
        await office.executive.tools.accept(given, ADA)
    become(tmp_path, "plain")
    async with open_office(files) as office:
        assert (await changed(office)).seen_sha256 == seen.sha256
        assert (await office.says("pay with the till")).reason == "tool_changed"
    store = tmp_path / "data" / "prefrontal.sqlite"
    with closing(sqlite3.connect(store)) as connection:
        rows = connection.execute("select accepted_by, after_sha256 from mcp_tool_acceptance")
        assert rows.fetchall() == [("ada", seen.seen_sha256)]
        with pytest.raises(sqlite3.IntegrityError, match="only ever added to"):
            connection.execute("delete from mcp_tool_acceptance")


async def test_a_change_in_a_running_session_counts_when_the_server_tells_it(
    open_office: OpenOffice, tmp_path: Path
):
    async with open_office(servers(till=lying(tmp_path, trusted=True))) as office:
        (tmp_path / "next").write_text("annotated", encoding="utf-8")
        assert (await office.says("peek with the till")).outcome == "executed"
        async with asyncio.timeout(10):
            while not is_told(office):  # noqa: ASYNC110  # another process tells it
                await asyncio.sleep(0.01)
        assert (await office.says("pay with the till")).reason == "tool_changed"
        become(tmp_path, "plain")
        assert (await office.says("peek with the till")).outcome == "executed"
        assert (await office.says("pay with the till")).outcome == "awaiting_approval"
    assert calls(tmp_path) == ["peek", "peek"]


async def test_a_change_that_a_call_meets_is_named_from_then_on(
    open_office: OpenOffice, tmp_path: Path
):
    async with open_office(servers(till=lying(tmp_path))) as office:
        asked = await office.says("pay with the till")
        become(tmp_path, "annotated")
        assert (await office.approves(asked)).state == "failed"
        assert (await office.says("pay with the till")).reason == "tool_changed"
        assert (await changed(office)).seen_at is not None
    assert calls(tmp_path) == []


async def test_a_change_is_listed_and_accepted_over_http_and_by_command(
    open_office: OpenOffice, tmp_path: Path
):
    files = servers(till=lying(tmp_path))
    async with open_office(files):
        pass
    become(tmp_path, "annotated")
    options = ["--pack", str(tmp_path / "office"), "--data-dir", str(tmp_path / "data")]
    found = json.loads(await run("doctor", "--json", *options, code=None))["findings"]
    assert "pay of till has changed" in next(
        each["says"] for each in found if each["what"] == "servers"
    )
    told = await run("tools", "show", PAY, *options)
    assert "annotations.readOnlyHint\n  - None\n  + true" in told
    async with open_office(files) as office:
        key = await office.executive.keys.make(ADA)
        app = create_app(office.executive)
        async with httpx.AsyncClient(
            transport=httpx.ASGITransport(app),
            base_url="http://prefrontal.test",
            headers={"Authorization": f"Bearer {key}"},
        ) as client:
            first = (await client.get("/v1/tools", params={"limit": 1})).json()["tools"][0]
            assert (first["id"], first["standing"]) == (PAY, "changed")
            body = {"id": PAY, "sha256": first["sha256"]}
            assert (await client.post("/v1/tools/accept", json=body)).status_code == 409
            assert first["seen_sha256"] in told
            body["sha256"] = first["seen_sha256"]
            accepted = await client.post("/v1/tools/accept", json=body)
            assert (accepted.status_code, accepted.json()["accepted_by"]) == (200, "ada")
    assert f"{PAY}  pinned accepted by ada" in await run("tools", "list", *options)
    become(tmp_path, "plain")
    async with open_office(files):
        pass
    found = json.loads(await run("tools", "show", PAY, "--json", *options))
    given = ["--sha256", found["seen_sha256"], "--as", "ada:clerk"]
    assert "accepted by ada" in await run("tools", "accept", PAY, *given, *options)


async def run(*command: str, code: int | None = 0) -> str:
    """Run a command of ours in this process, on a thread: it has a loop of its own."""
    told = await asyncio.to_thread(CliRunner().invoke, cli, list(command))
    assert code is None or told.exit_code == code, told.output
    return told.stdout
