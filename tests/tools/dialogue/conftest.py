"""What the recognisers of a dialogue are tried on: the actions of a harbour."""

from pathlib import Path

import pytest

from tools.catalog.action_catalog import Catalogue
from tools.catalog.pack import load_pack

HARBOUR = Path(__file__).parents[2] / "harbour"


@pytest.fixture(scope="session")
def catalogue() -> Catalogue:
    return Catalogue.of([load_pack(HARBOUR)])
