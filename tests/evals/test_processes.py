import os

import pytest

from evals.runner.run import pool_of


def test_a_process_has_the_variables_of_now(monkeypatch: pytest.MonkeyPatch) -> None:
    found = []
    for value in ("first", "second"):
        monkeypatch.setenv("PREFRONTAL_SAID", value)
        with pool_of(1, "evals.runner.run") as pool:
            found.append(pool.submit(os.getenv, "PREFRONTAL_SAID").result())

    assert found == ["first", "second"]


def test_processes_come_from_one_that_imported_the_module() -> None:
    with pool_of(1, "evals.runner.run") as pool:
        parent = pool.submit(os.getppid).result()

    assert parent != os.getpid()
