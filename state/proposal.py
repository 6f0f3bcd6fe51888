"""What somebody wants done, as it comes to the ledger."""

from prefrontal.types.proposal import *
from state import adopt

adopt(__name__)
