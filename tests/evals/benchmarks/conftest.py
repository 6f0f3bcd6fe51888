"""A service of the API's tests, for a crowd to speak to."""

from tests.api.conftest import address, app, executive  # noqa: F401 - fixtures
