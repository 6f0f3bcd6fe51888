"""Learning what is added to the encoder, but for the learning itself."""

import sys

import pytest
from typer.testing import CliRunner

from evals.cli import app
from evals.training.actionability_data import LEFT_OUT, MANNER_UNSEEN, TalkText, all_said
from evals.training.commands import training_digest
from tools.adapters.embedding.minilm_weights import MANNER


def test_without_its_library_learning_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "jax", None)
    monkeypatch.delitem(sys.modules, "evals.training.encoder_adapter", raising=False)
    monkeypatch.delitem(sys.modules, "evals.training.encoder_adapter", raising=False)
    assert "pip install jax optax" in str(CliRunner().invoke(app, ["adapt", "manner"]).exception)


def test_the_adapter_that_judges_learns_nothing_of_the_domains_it_judges() -> None:
    domains = {one.pack for one in all_said()}

    learnt = training_digest(map(_said, sorted(domains)))

    assert set(LEFT_OUT) < domains  # a name that no talk has would leave nothing out
    assert {one.domain for one in learnt[MANNER_UNSEEN]} == domains - set(LEFT_OUT)
    assert {one.domain for one in learnt[MANNER]} == domains


def test_no_adapter_learns_what_is_kept_out_to_measure_with() -> None:
    learnt = training_digest([_said("hotel"), _said("hotel", is_kept_out=True)])

    assert list(learnt) == [MANNER_UNSEEN, MANNER]
    assert [[one.is_kept_out for one in own] for own in learnt.values()] == [[False], [False]]


def _said(domain: str, *, is_kept_out: bool = False) -> TalkText:
    return TalkText(
        text="the lift is stuck again",
        signs={},
        is_wanted=False,
        domain=domain,
        kind="report",
        is_kept_out=is_kept_out,
        is_talk=True,
    )
