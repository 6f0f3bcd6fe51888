"""A tool that an agent keeps and declares, and the permit to run it once."""

from prefrontal.types.declared_tool import *
from state import adopt

adopt(__name__)
