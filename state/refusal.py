"""A no that stands: what comes like it is refused without asking anybody."""

from prefrontal.types.refusal import *
from state import adopt

adopt(__name__)
