"""A running service for each test."""

from collections.abc import AsyncIterator

import pytest

from tests.tools.gate.handlers.service import Service, running


@pytest.fixture
async def service() -> AsyncIterator[Service]:
    """Return a listener on loopback that is ours alone."""
    async with running() as opened:
        yield opened
