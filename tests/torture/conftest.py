"""What the torture tests share: the fixtures of the safety tests, and counts that are told."""

from collections.abc import Iterator

import pytest

from tests.safety.shared import _quiet, data_dir, fresh, nursery, pack  # noqa: F401 - fixtures
from tests.torture.tally import Tally


@pytest.fixture
def tally(request: pytest.FixtureRequest) -> Iterator[Tally]:
    counting = Tally(request)
    yield counting
    counting.close()
