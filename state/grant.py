"""A yes in advance: calls that a person allows for a while, within a pattern and up to a limit."""

from prefrontal.types.grant import *
from state import adopt

adopt(__name__)
