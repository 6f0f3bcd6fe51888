"""How much an event stands out, and why."""

from prefrontal.types.salience import *
from state import adopt

adopt(__name__)
