"""What a person is shown before they say yes; drawn by code from typed values."""

from prefrontal.types.dialog import *
from state import adopt

adopt(__name__)
