"""`prefrontal evals frames` on a real pack, with a few frames."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from api.cli.commands import cli
from evals.robustness.frames import FRAME_MEASURES, Outcome, bounds_of, outcome_of
from evals.robustness.mutations import Mutation, RoutingBench, Shape, Verdict
from graph.settings import ROOT

pytestmark = pytest.mark.xdist_group("mutated")  # one worker learns the packs, once

BANK = ROOT / "tests" / "bank"
FEW = (
    'polite: {of: both, frames: ["please {do}", "would you mind {doing}?"]}\n'
    'done: {of: changes, frames: ["{thing} has to be {participle}"]}\n'
    'left: {of: both, frames: ["we never {do}"]}\n'
)


def verdict(action: str | None, *, is_lost: bool = False) -> Verdict:
    return Verdict(
        mutation=Mutation(
            shape=Shape(kind="k", leaves="keeps", template="{do}"), text="t", action="close"
        ),
        action=action,
        confidence=0.9,
        execution_class="A",
        mood="command",
        runs=False,
        asks=False,
        is_harmful=False,
        is_lost=is_lost,
        is_named=action == "close",
    )


@pytest.mark.parametrize(
    ("of", "outcome"),
    [
        (verdict("close"), Outcome.NAMED),
        (verdict(None), Outcome.OFFERED),
        (verdict(None, is_lost=True), Outcome.NOTHING),
        (verdict("reopen"), Outcome.ANOTHER),
        (verdict("show"), Outcome.MIXED),
    ],
)
def test_what_was_made_of_a_request_is_told_by_what_was_named(of, outcome) -> None:
    assert outcome_of(of, {"show"}) is outcome


@pytest.fixture
def call(tmp_path: Path) -> list[str]:
    frames = tmp_path / "few.yaml"
    frames.write_text(FEW, "utf-8")
    return ["evals", "frames", "--pack", str(BANK), "--words-only", "--frames", str(frames)]


def test_requests_are_counted_by_frame_and_those_not_named_are_listed(call: list[str]) -> None:
    ended = CliRunner().invoke(cli, [*call, "--list", "nothing", "--json"])

    assert ended.exit_code == 0, ended.output
    shown = json.loads(ended.stdout)
    by_frame = {(one["name"], one["of"]): one for one in shown["frames"]}
    assert sum(one["messages"] for one in shown["frames"]) == shown["messages"]
    assert by_frame["please {do}", "changes"]["right"] >= 15
    assert by_frame["please {do}", "reads"]["right"] >= 8
    assert ("{thing} has to be {participle}", "reads") not in by_frame
    left = by_frame["we never {do}", "changes"]
    assert left["named"] * 5 < left["messages"]
    assert {one["frame"] for one in shown["listed"]} >= {"we never {do}"}
    assert {one["name"] for one in shown["measures"]} == set(FRAME_MEASURES)
    assert not [text for text in shown["commands"] if {"me", "again"} & set(text.split())]
    assert shown["left_out"]["unfilled"] > 0
    assert "report_suspicion" in shown["left_out"]["without_command"]


def test_the_worst_frames_stand_under_the_table(call: list[str]) -> None:
    ended = CliRunner().invoke(cli, [*call, "--list", "offered", "--list", "nothing"])

    assert ended.exit_code == 0, ended.output
    assert "changes: we never {do}  (" in ended.stdout
    assert "left out: 3 actions no example of which is a command" in ended.stdout
    assert "nothing: 'we never " in ended.stdout


def test_our_packs_have_bounds_and_others_have_none() -> None:
    for words_only in (False, True):
        for pack in ("vessel", "packs/research"):
            assert set(bounds_of(pack, words_only=words_only)) == set(FRAME_MEASURES)
    assert bounds_of("tests/bank", words_only=True) == {}


def pack_of(examples: str, folder: Path) -> str:
    folder.mkdir()
    (folder / "handlers.py").write_text("def show(context): ...\n")
    (folder / "actions.yaml").write_text(
        'actions:\n  show_list:\n    summary: "Show the list"\n    verb: show\n    object: list\n'
        f'    effect: read\n    handler: "handlers:show"\n    examples: {examples}\n'
    )
    return str(folder)


def test_a_figure_past_its_bound_ends_with_1(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def mixing(self: RoutingBench, mutation: Mutation) -> Verdict:
        return verdict(None, is_lost=True).model_copy(update={"mutation": mutation})

    monkeypatch.setattr(RoutingBench, "judge", mixing)
    pack = pack_of('["show the list", "list the entries"]', tmp_path / "research")

    ended = CliRunner().invoke(cli, ["evals", "frames", "--pack", pack, "--words-only"])

    assert ended.exit_code == 1
    assert "reads_right is 0.000, must be ≥" in ended.stderr
    passed = CliRunner().invoke(
        cli, ["evals", "frames", "--pack", pack, "--words-only", "--no-gates"]
    )
    assert passed.exit_code == 0, passed.output


def test_a_pack_without_commands_is_one_sentence(tmp_path: Path) -> None:
    pack = pack_of('["hello there"]', tmp_path / "greeting")

    ended = CliRunner().invoke(cli, ["evals", "frames", "--pack", pack, "--words-only"])

    assert ended.exit_code == 1
    assert "no example that begins with a verb" in ended.stderr


def test_a_kind_of_answer_that_there_is_not_is_refused(call: list[str]) -> None:
    ended = CliRunner().invoke(cli, [*call, "--list", "funny"])

    assert ended.exit_code == 2
    assert "mixed" in ended.output
