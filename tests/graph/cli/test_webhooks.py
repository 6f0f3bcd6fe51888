"""The look at the set-up says which endpoints cannot be told, and what waits for nobody."""

from pathlib import Path

import pytest
from pydantic import SecretStr

from graph.cli.outside_findings import webhooks_found
from graph.data_folder import open_database
from graph.settings import Settings
from state.webhook import Endpoint
from tools.webhooks.outbox import Outbox

ENDPOINT = '[[webhook]]\nname = "wiki"\nurl = "http://127.0.0.1:9/hook"\nsecret = "${WIKI}"\n'


async def test_what_cannot_be_told_is_no_ok(
    data_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "hooks.toml"
    file.write_text(ENDPOINT, "utf-8")
    monkeypatch.setenv("EXECUTIVE_SECRET_WIKI", "a-secret-of-twenty-four-and-more")
    settings = Settings(webhooks_file=file, data_dir=data_dir)
    [found] = await webhooks_found(settings)
    assert found.state == "degraded"
    assert "wiki" in found.says
    assert "EXECUTIVE_ALLOWED" in found.says

    monkeypatch.setenv("EXECUTIVE_ALLOWED_PRIVATE_HOSTS", "127.0.0.1:9")
    allowing = Settings(webhooks_file=file, data_dir=data_dir)
    [found] = await webhooks_found(allowing)
    assert (found.state, found.says) == ("ok", "events are told to wiki")

    database = open_database(settings)
    gone = Endpoint(name="gone", url="http://127.0.0.1:9/", secret=SecretStr("x"))
    await Outbox(database, (gone,)).keep("context:decision:indexed", "default", {})
    await database.close()
    [found] = await webhooks_found(allowing)
    assert "1 events wait for endpoints that are named no more" in found.says
