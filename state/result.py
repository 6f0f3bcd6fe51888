"""The content of a decision and the path that found it."""

from prefrontal.types.result import *
from state import adopt

adopt(__name__)
