"""What a session keeps for one pack: its stage, what was said and listed, the last search."""

from prefrontal.types.memory import *
from state import adopt

adopt(__name__)
