"""The contract of search is told to LangSmith by its pytest plugin: a process of its own, 8 s."""

import os
import subprocess
import sys

import pytest

from tests.architecture.source import ROOT
from tests.evals.langsmith_stub import LangSmithStub

pytestmark = pytest.mark.torture
CALL = ("-m", "pytest", "-q", "-n", "0", "-p", "langsmith.pytest_plugin", "-k", "viewer or direct")


def test_each_contract_that_holds_is_told_as_passed():
    with LangSmithStub() as stub:
        ran = subprocess.run(
            [sys.executable, *CALL, "tests/packs/research/test_contract.py"],
            cwd=ROOT,
            env={
                **os.environ,
                "PREFRONTAL_TRACKED": "true",
                "LANGSMITH_API_KEY": "a key",
                "LANGSMITH_ENDPOINT": stub.url,
            },
            capture_output=True,
            text=True,
            check=False,
        )

    assert "2 passed" in ran.stdout, ran.stdout + ran.stderr
    assert [one["name"] for one in stub.datasets] == ["prefrontal contract of search"]
    assert [(one["key"], one["score"]) for one in stub.feedback] == [("pass", 1)] * 2
