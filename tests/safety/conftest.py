"""What the safety tests share."""

from tests.safety.shared import _quiet, data_dir, fresh, nursery, pack  # noqa: F401 - fixtures
