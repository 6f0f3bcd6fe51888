"""What arrived: one event as an adapter, a person or the clock sends it."""

from prefrontal.types.event import *
from state import adopt

adopt(__name__)
