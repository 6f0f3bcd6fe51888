"""A decision people took in conversation, as noted from one message."""

from prefrontal.types.note import *
from state import adopt

adopt(__name__)
