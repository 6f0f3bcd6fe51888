"""Decisions people took: what, why, instead of what, by whom, and where each of it was said."""

from prefrontal.types.journal import *
from state import adopt

adopt(__name__)
