"""How often: a short sample with every run of the tests, the issue's number under torture."""

import pytest


def few_or_many(few: int, many: int) -> pytest.MarkDecorator:
    """Parametrise `count`: few each time, many under `-m torture`."""
    return pytest.mark.parametrize(
        "count",
        [
            pytest.param(few, id=str(few)),
            pytest.param(many, id=str(many), marks=pytest.mark.torture),
        ],
    )
