"""The record of one decision: its outcome on one line, and every stage behind it."""

from prefrontal.types.record import *
from state import adopt

adopt(__name__)
