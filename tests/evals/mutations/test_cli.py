import json

from typer.testing import CliRunner

from graph.cli.commands import cli
from tests.evals.mutations.conftest import BANK


def test_the_rates_of_a_pack_are_shown_by_kind() -> None:
    ended = CliRunner().invoke(
        cli, ["evals", "mutations", "--pack", str(BANK), "--held-out", "--json"]
    )

    shown = json.loads(ended.stdout)
    assert shown["messages"] > 1_000
    assert {one["name"] for one in shown["measures"]} >= {"executable_or_ready", "named"}
    assert {one["name"] for one in shown["tallies"]} >= {"negated", "reported", "instead"}
    assert sum(one["messages"] for one in shown["tallies"]) == shown["messages"]


def test_a_pack_without_commands_is_one_sentence(tmp_path) -> None:
    (tmp_path / "handlers.py").write_text("def greet(context): ...\n")
    (tmp_path / "actions.yaml").write_text(
        'actions:\n  greet:\n    summary: "Greet"\n    verb: show\n    object: greeting\n'
        '    effect: read\n    handler: "handlers:greet"\n    examples: ["hello there"]\n'
    )

    ended = CliRunner().invoke(cli, ["evals", "mutations", "--pack", str(tmp_path)])

    assert ended.exit_code == 1
    assert "no example that begins with a verb" in ended.stderr
