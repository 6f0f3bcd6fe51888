"""What is said, how, and whether it went out."""

from prefrontal.types.response import *
from state import adopt

adopt(__name__)
