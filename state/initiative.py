"""Speaking without being spoken to: what our own clock meant by a tick, and what it goes by."""

from prefrontal.types.initiative import *
from state import adopt

adopt(__name__)
