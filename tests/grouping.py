"""Keep tests of one `xdist_group` in one worker, which sets up once what they share."""

import re
from functools import cache
from pathlib import Path

import pytest
from xdist.scheduler import LoadScopeScheduling  # type: ignore[import-untyped]  # ships none

_GROUP = re.compile(r"^pytestmark = pytest\.mark\.xdist_group\(\"([^\"]+)\"\)", re.MULTILINE)


class ByGroup(LoadScopeScheduling):  # type: ignore[misc]  # untyped, as above
    """Reads the groups from the files: only whole files are grouped.

    xdist 3.8 hands groups on in `Item._nodeid`, which pytest 9.2 reads no more; this can go with
    an xdist that sets the id as pytest has it.
    """

    def _split_scope(self, nodeid: str) -> str:
        return _group_of(self.config.rootpath / nodeid.partition("::")[0]) or nodeid


def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> ByGroup | None:
    """Schedule where groups were asked for."""
    return ByGroup(config, log) if config.getvalue("dist") == "loadgroup" else None


@cache
def _group_of(file: Path) -> str | None:
    found = _GROUP.search(file.read_text(encoding="utf-8"))
    return found[1] if found else None
