"""A Class C action waiting for a person, and the person's answer."""

from prefrontal.types.approval import *
from state import adopt

adopt(__name__)
