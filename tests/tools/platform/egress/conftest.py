"""The running service that the tests of handlers use too."""

from tests.tools.gate.handlers.conftest import service

__all__ = ["service"]
