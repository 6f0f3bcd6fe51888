"""Suggestion chips: what a person may pick instead of us deciding."""

from prefrontal.types.offer import *
from state import adopt

adopt(__name__)
