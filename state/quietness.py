"""Quiet mode: its reasons, its end, and what still gets through."""

from prefrontal.types.quietness import *
from state import adopt

adopt(__name__)
