"""What a person asks about the talking itself."""

from prefrontal.types.talk import *
from state import adopt

adopt(__name__)
