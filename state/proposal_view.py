"""Where an agent's call stands, as its agent reads it."""

from prefrontal.types.proposal_view import *
from state import adopt

adopt(__name__)
