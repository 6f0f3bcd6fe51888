"""Packs are loaded with their servers' tools, wherever a start happens, and secrets stay secret."""

from pathlib import Path

import pytest
import yaml

from graph.settings import Settings
from graph.wiring.external_services import build_egress, load_packs, read_secrets
from tests.mcp.servers import honest


def _settings(folder: Path, **packs: dict[str, object]) -> Settings:
    for name, servers in packs.items():
        (folder / name).mkdir()
        text = yaml.safe_dump({"servers": servers})
        (folder / name / "mcp.yaml").write_text(text, encoding="utf-8")
    return Settings(
        _env_file=None,  # type: ignore[call-arg]  # of pydantic-settings, unknown to mypy
        packs=tuple(str(folder / name) for name in packs),
        data_dir=folder / "data",
    )


def _notebook(folder: Path) -> dict[str, object]:
    return honest(folder).model_dump(mode="json", exclude_defaults=True)


def test_tools_are_there_after_a_start_without_a_loop(tmp_path: Path) -> None:
    loaded = load_packs(_settings(tmp_path, desk={"notebook": _notebook(tmp_path)}))
    assert "notebook_add_entry" in loaded.packs[0].actions
    assert loaded.degraded == ()


async def test_tools_are_there_after_a_start_inside_a_loop(tmp_path: Path) -> None:
    loaded = load_packs(_settings(tmp_path, desk={"notebook": _notebook(tmp_path)}))
    assert "notebook_add_entry" in loaded.packs[0].actions


def test_two_packs_with_one_tool_keep_the_first_and_say_so(tmp_path: Path) -> None:
    server = _notebook(tmp_path)
    loaded = load_packs(_settings(tmp_path, one={"notebook": server}, two={"notebook": server}))
    first, second = loaded.packs
    assert "notebook_add_entry" in first.actions
    assert second.actions == {}
    assert any("another action's name" in line for line in loaded.degraded)


def test_a_pack_with_other_tools_is_another_pack(tmp_path: Path) -> None:
    settings = _settings(tmp_path, desk={"notebook": _notebook(tmp_path)})
    down = settings.model_copy(update={"packs": (str(tmp_path / "desk"),)})
    before = load_packs(settings).packs[0].digest
    assert load_packs(down).packs[0].digest == before
    file = tmp_path / "desk" / "mcp.yaml"
    file.write_text(file.read_text("utf-8") + "    tools: {erase_notebook: {leave_out: true}}\n")
    assert load_packs(settings).packs[0].digest != before


def test_secrets_come_from_the_environment_and_are_not_shown(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".env").write_text("EXECUTIVE_SECRET_A=from-file\nEXECUTIVE_SECRET_B=file-b\n")
    monkeypatch.setenv("EXECUTIVE_SECRET_A", "canary")
    monkeypatch.setenv("OPENAI_API_KEY", "canary")
    found = read_secrets()
    assert {name: secret.get_secret_value() for name, secret in found.items()} == {
        "A": "canary",
        "B": "file-b",
    }
    assert "canary" not in repr(build_egress(_settings(tmp_path))) + repr(found)


def test_hosts_are_read_in_one_form() -> None:
    settings = Settings(
        _env_file=None,  # type: ignore[call-arg]  # of pydantic-settings, unknown to mypy
        allowed_hosts="API.example, files.example:8443",  # type: ignore[arg-type]  # as the environment gives it
    )
    assert settings.allowed_hosts == ("api.example", "files.example:8443")
    with pytest.raises(ValueError, match="host"):
        settings.model_validate({"allowed_hosts": "http://a.example"})
