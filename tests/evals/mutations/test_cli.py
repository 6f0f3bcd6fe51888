import json

import pytest
from typer.testing import CliRunner

from api.cli.commands import cli
from evals.robustness.mutations import Mutation, RoutingBench, Verdict
from tests.evals.mutations.conftest import BANK


def test_the_rates_of_a_pack_are_shown_by_kind() -> None:
    call = ["evals", "mutations", "--pack", str(BANK), "--held-out", "--json", "--words-only"]

    ended = CliRunner().invoke(cli, [*call, "--at-most", "200"])

    shown = json.loads(ended.stdout)
    assert shown["messages"] == 200
    assert {one["name"] for one in shown["measures"]} >= {"executable_or_ready", "named"}
    assert {one["name"] for one in shown["tallies"]} >= {"negated", "reported", "instead"}
    assert sum(one["messages"] for one in shown["tallies"]) == shown["messages"]


def test_a_rate_past_its_bound_ends_with_1(monkeypatch: pytest.MonkeyPatch) -> None:
    def harmful(self: RoutingBench, mutation: Mutation) -> Verdict:
        return Verdict(
            mutation=mutation,
            action="close_account",
            confidence=1.0,
            execution_class="C",
            mood="command",
            runs=False,
            asks=True,
            is_harmful=True,
            is_lost=False,
            is_named=True,
        )

    monkeypatch.setattr(RoutingBench, "judge", harmful)
    call = ["evals", "mutations", "--pack", str(BANK), "--words-only", "--at-most", "20"]

    ended = CliRunner().invoke(cli, [*call, "--misses"])

    assert ended.exit_code == 1
    assert "executable_or_ready is 1.000, must be ≤ 0.003" in ended.stderr
    assert "close_account 1.00 · class C · command" in ended.stdout


def test_a_pack_without_commands_is_one_sentence(tmp_path) -> None:
    (tmp_path / "handlers.py").write_text("def greet(context): ...\n")
    (tmp_path / "actions.yaml").write_text(
        'actions:\n  greet:\n    summary: "Greet"\n    verb: show\n    object: greeting\n'
        '    effect: read\n    handler: "handlers:greet"\n    examples: ["hello there"]\n'
    )

    ended = CliRunner().invoke(cli, ["evals", "mutations", "--pack", str(tmp_path)])

    assert ended.exit_code == 1
    assert "no example that begins with a verb" in ended.stderr
