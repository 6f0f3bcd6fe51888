"""Which worker runs which tests: those that share something stay together, the longest begin."""

import os
import re
from functools import cache
from pathlib import Path

import pytest
from xdist.scheduler import LoadScopeScheduling  # type: ignore[import-untyped]  # ships none

_GROUP = re.compile(r"^pytestmark = pytest\.mark\.xdist_group\(\"([^\"]+)\"\)", re.MULTILINE)
_ALONE = "tests/torture/"
"""Each of these takes seconds and shares nothing with its file."""
_FIRST = (
    "tests/server/",
    "tests/packs/research/test_beside_others.py",
    "tests/evals/mutations/",
    _ALONE,
    "tests/browser/",
    "tests/safety/",
    "tests/cli/",
    "tests/evals/",
)
"""What takes longest begins, so that no worker is left with it: at first what learns packs."""


class ByGroup(LoadScopeScheduling):  # type: ignore[misc]  # untyped, as above
    """Keeps a file in one worker, which sets up once what its tests share; so with each group.

    Reads the groups from the files, only whole files are grouped: xdist 3.8 hands groups on in
    `Item._nodeid`, which pytest 9.2 reads no more.
    """

    def _split_scope(self, nodeid: str) -> str:
        file = nodeid.partition("::")[0]
        return _group_of(self.config.rootpath / file) or (
            nodeid if file.startswith(_ALONE) else file
        )


def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> ByGroup | None:
    """Schedule where groups were asked for, in the order that is collected."""
    if config.getvalue("dist") != "loadgroup":
        return None
    config.option.loadscopereorder = False
    return ByGroup(config, log)


def pytest_xdist_auto_num_workers() -> int | None:
    """Start one more than there are processors: tests also wait, for processes and browsers."""
    if "PYTEST_XDIST_AUTO_NUM_WORKERS" in os.environ:
        return None
    return 1 + len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put first what takes long."""
    items.sort(key=lambda item: _place(item.nodeid))


def _place(nodeid: str) -> int:
    return next((n for n, begin in enumerate(_FIRST) if nodeid.startswith(begin)), len(_FIRST))


@cache
def _group_of(file: Path) -> str | None:
    found = _GROUP.search(file.read_text(encoding="utf-8"))
    return found[1] if found else None
