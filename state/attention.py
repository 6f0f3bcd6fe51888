"""What decides on attention for a while: quiet hours, causes that hide what follows from them."""

from prefrontal.types.attention import *
from state import adopt

adopt(__name__)
