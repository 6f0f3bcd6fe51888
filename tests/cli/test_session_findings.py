"""`prefrontal doctor` on closed sessions: a slip in a name is told, not taken for a wish."""

from collections.abc import Mapping
from pathlib import Path

from typer.testing import CliRunner

from api.cli import cli
from api.cli.doctor.service_checks import check_closed_sessions
from graph.settings import Settings
from tests.architecture.source import ROOT


def test_a_table_that_closes_for_nobody_or_to_everybody_is_told(
    here: Path, environment: Mapping[str, str]
) -> None:
    def found(*tables: str, oidc_file: Path | None = None) -> tuple[str, str]:
        policy = here / "policy.toml"
        closed = "".join(f"\n[[sessions]]\n{one}\n" for one in tables)
        policy.write_text((ROOT / "policy.toml").read_text("utf-8") + closed, "utf-8")
        settings = Settings(data_dir=here / "data", policy_file=policy, oidc_file=oidc_file)
        told = check_closed_sessions(settings)
        return told.state, told.says

    board = 'names = ["board"]\nroles = ["owner"]'
    state, says = found(board)  # no key at all
    assert (state, "board: nobody with a key reads it" in says) == ("degraded", True)
    run = CliRunner(env={**environment, "EXECUTIVE_POLICY_FILE": str(here / "policy.toml")})
    made = run.invoke(cli, ["keys", "create", "--user", "olga", "--role", "owner"])
    assert made.exit_code == 0, made.stderr
    assert "no loaded pack knows" not in made.stderr  # policy.toml knows it
    assert found() == ("ok", "no private sessions: each is open to its tenant")
    assert found(board)[0] == "ok"
    assert found(board, board.replace("owner", "ownr"))[0] == "degraded"
    slip = f'{board}\ntenant = "deflt"'
    state, says = found(board, slip)
    assert (state, "deflt" in says) == ("degraded", True)
    assert found(slip, oidc_file=here / "oidc.toml")[0] == "ok"  # tokens may be of that tenant
