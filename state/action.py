"""What can be done: a catalogue entry, its slots, its class, and what its handler is given."""

from prefrontal.types.action import *
from state import adopt

adopt(__name__)
