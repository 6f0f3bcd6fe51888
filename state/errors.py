"""Everything that can go wrong by name."""

from prefrontal.types.errors import *
from state import adopt

adopt(__name__)
