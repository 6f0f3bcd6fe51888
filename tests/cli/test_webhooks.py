"""The look at the set-up says which endpoints cannot be told, and what waits for nobody."""

import asyncio
from pathlib import Path

import pytest
from pydantic import SecretStr
from typer.testing import CliRunner

from api.cli import cli
from api.cli.doctor.service_checks import check_webhooks
from graph.settings import Settings
from graph.wiring.data_folder import open_database
from state.webhook import Endpoint
from tools.notifications.webhooks import Outbox

ENDPOINT = '[[webhook]]\nname = "wiki"\nurl = "http://127.0.0.1:9/hook"\nsecret = "${WIKI}"\n'


async def test_what_cannot_be_told_is_no_ok(
    data_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "hooks.toml"
    file.write_text(ENDPOINT, "utf-8")
    monkeypatch.setenv("EXECUTIVE_SECRET_WIKI", "a-secret-of-twenty-four-and-more")
    settings = Settings(webhooks_file=file, data_dir=data_dir)
    [found] = await check_webhooks(settings)
    assert found.state == "degraded"
    assert "wiki" in found.says
    assert "EXECUTIVE_ALLOWED" in found.says

    monkeypatch.setenv("EXECUTIVE_ALLOWED_PRIVATE_HOSTS", "127.0.0.1:9")
    allowing = Settings(webhooks_file=file, data_dir=data_dir)
    [found] = await check_webhooks(allowing)
    assert (found.state, found.says) == ("ok", "events are told to wiki")

    database = open_database(settings)
    gone = Endpoint(name="gone", url="http://127.0.0.1:9/", secret=SecretStr("x"))
    await Outbox(database, (gone,)).keep("context:decision:indexed", "default", {}, ())
    await database.close()
    monkeypatch.setenv("EXECUTIVE_WEBHOOKS_FILE", str(file))
    told = {flags: await _told(*flags, data_dir=data_dir) for flags in ((), ("--waiting",))}
    assert told[()] == "wiki no event yet gone (the file names it no more) 1 waiting"
    assert told["--waiting",].endswith("gone context:decision:indexed not tried yet")
    assert await _told("--dead", data_dir=data_dir) == "no event was given up"
    [found] = await check_webhooks(allowing)
    assert "1 waiting, of endpoints that the file names no more" in found.says


async def _told(*flags: str, data_dir: Path) -> str:
    """Run the command in a thread: it has a loop of its own."""
    asked = ["webhooks", "list", *flags, "--data-dir", str(data_dir)]
    result = await asyncio.to_thread(CliRunner().invoke, cli, asked)
    assert result.exit_code == 0, result.output
    return " ".join(result.output.split())
