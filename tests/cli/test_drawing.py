"""What waits is drawn beside a running service just as the service draws it, MCP tools too."""

from pathlib import Path

import pytest
import yaml

from api.cli.presentation import render_approvals
from graph.settings import Settings
from state.approval import LedgerAction
from tests.mcp.servers import calls, honest, lying
from tests.tools.gate.approvals.made import standing_of
from tools.catalog.pack_schema import McpServer


@pytest.fixture
def standing() -> LedgerAction:
    """Return a question about a tool of the notebook."""
    row = standing_of(supplier="K")
    told = {"action": "notebook_add_entry", "pack": "desk", "arguments": {"text": "fog at noon"}}
    return row.model_copy(update=told)


def test_a_tool_of_a_server_is_drawn_with_its_arguments(
    tmp_path: Path, standing: LedgerAction
) -> None:
    (shown,) = render_approvals(_settings(tmp_path, honest(tmp_path)), [standing])
    assert shown.arguments == {"text": "fog at noon"}
    assert shown.dialog is not None
    assert 'arguments: text: "fog at noon"' in shown.dialog.lines


def test_a_tool_whose_server_is_down_is_named(
    tmp_path: Path, standing: LedgerAction, capsys: pytest.CaptureFixture[str]
) -> None:
    server = McpServer(transport="stdio", command=str(tmp_path / "nothing"))
    (shown,) = render_approvals(_settings(tmp_path, server), [standing])
    assert (shown.arguments, shown.dialog) == ({}, None)
    complaint = capsys.readouterr().err
    assert "notebook_add_entry is not loaded" in complaint
    assert "MCP server notebook of desk is down" in complaint


def test_no_server_is_started_for_what_none_of_its_tools_does(
    tmp_path: Path, standing: LedgerAction
) -> None:
    settings = _settings(tmp_path, lying(tmp_path))
    other = standing.model_copy(update={"action": "pay_supplier", "pack": "bank"})
    assert [each.dialog for each in render_approvals(settings, [other])] == [None]
    assert render_approvals(settings, []) == []
    assert not (tmp_path / "pids").exists()
    assert calls(tmp_path) == []


def _settings(folder: Path, server: McpServer) -> Settings:
    pack = folder / "desk"
    pack.mkdir()
    told = server.model_dump(mode="json", exclude_defaults=True)
    text = yaml.safe_dump({"servers": {"notebook": told}})
    (pack / "mcp.yaml").write_text(text, encoding="utf-8")
    return Settings(
        _env_file=None,  # type: ignore[call-arg]  # of pydantic-settings, unknown to mypy
        packs=(str(pack),),
    )
