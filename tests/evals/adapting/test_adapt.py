"""Learning what is added to the encoder, but for the learning itself."""

import sys

import pytest
from typer.testing import CliRunner

from evals.cli import app


def test_without_its_library_learning_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "jax", None)
    monkeypatch.delitem(sys.modules, "evals.adapting.manner", raising=False)
    monkeypatch.delitem(sys.modules, "evals.adapting.network", raising=False)
    ended = CliRunner().invoke(app, ["adapt", "manner"])

    assert "pip install jax optax" in str(ended.exception)
