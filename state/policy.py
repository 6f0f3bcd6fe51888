"""What policy makes of a text: the action meant, the alternatives, the intent, the permissions."""

from prefrontal.types.policy import *
from state import adopt

adopt(__name__)
