"""Scholarly papers, the service that searches for them, and what it found and left out."""

from prefrontal.types.paper import *
from state import adopt

adopt(__name__)
