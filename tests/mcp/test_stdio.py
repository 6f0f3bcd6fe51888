"""`prefrontal mcp`: the same tools on stdio, of a running service or in this process."""

from pathlib import Path

import pytest

from graph.settings import Settings
from graph.wiring.composition import open_executive
from state.principal import Principal
from tests.graph.harbour import HARBOUR
from tests.mcp.doorway import view, words
from tests.mcp.gates import started
from tests.threaded import running

INGRID = Principal(user="ingrid", tenant_id="default", roles=("master",))


@pytest.mark.parametrize("is_served", [True, False])
async def test_an_agent_on_stdio_reads_asks_and_never_approves(
    tmp_path: Path, learnt_once: Path, is_served: bool
):
    data = tmp_path / "data"
    settings = Settings(data_dir=data, cache_dir=learnt_once, packs=(str(HARBOUR),))
    command = ("mcp", "--data-dir", str(data), "--as", "tug:keeper")
    if not is_served:
        async with started(tmp_path, learnt_once, *command, "--pack", str(HARBOUR)) as session:
            done = await session.call_tool("show_lock", {"lock": "LK-12"})
            assert words(done) == "Lock LK-12 is open."
        assert "nobody can approve while this runs" in (tmp_path / "stdio.log").read_text("utf-8")
        return
    with running(open_executive(settings), INGRID, is_announced=True) as service:
        async with started(tmp_path, learnt_once, *command) as session:
            names = {tool.name for tool in (await session.list_tools()).tools}
            assert {"show_lock", "close_lock", "check_proposal"} <= names
            done = await session.call_tool("show_lock", {"lock": "LK-12"})
            assert words(done) == "Lock LK-12 is open."
            told = await session.call_tool("what_is_waiting", {})
            assert words(told) == "Nothing waits for anybody."
            wrong = await session.call_tool("close_lock", {"lock": "LK-10", "speed": 1})
            assert wrong.isError
        log = (tmp_path / "stdio.log").read_text("utf-8")
        assert service.keys[0] not in log
        assert view(done)["proposed_by"] == "tug"
