"""How freely actions run: thresholds per pack and action, and the phase of a release."""

from prefrontal.types.execution import *
from state import adopt

adopt(__name__)
