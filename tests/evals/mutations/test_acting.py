"""Messages through a whole Executive: what they change is told, and fails the command."""

import json

from typer.testing import CliRunner

from api.cli.commands import cli
from evals.robustness.mutations import Mutation, Shape
from evals.robustness.side_effects import act_on_messages
from tests.evals.mutations.conftest import BANK


def told(text: str) -> Mutation:
    return Mutation(shape=Shape(kind="k", leaves="nothing", template=text), text=text, action="a")


async def test_what_runs_only_after_a_yes_changes_nothing_by_itself() -> None:
    found = await act_on_messages(str(BANK), [told("don't block card 12"), told("block card 12")])

    assert found.messages == 2
    assert sum(found.outcomes.values()) == 2
    assert found.changes == found.unasked == ()
    assert found.stores_kept


def test_a_shard_that_is_none_is_refused() -> None:
    ended = CliRunner().invoke(cli, ["evals", "acted", "--pack", str(BANK), "--shard", "3/2"])

    assert ended.exit_code == 2
    assert "shard" in ended.output


def test_a_few_messages_are_decided_and_counted() -> None:
    call = ["evals", "acted", "--pack", str(BANK), "--at-most", "4", "--shard", "1/2", "--json"]

    ended = CliRunner().invoke(cli, call)

    assert ended.exit_code == 0, ended.output
    assert json.loads(ended.stdout)["messages"] == 2
