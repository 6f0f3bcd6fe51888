"""How the assistant is: traits, what moves them, its mood, how it stands with somebody."""

from prefrontal.types.personality import *
from state import adopt

adopt(__name__)
