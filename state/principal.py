"""Who is asking."""

from prefrontal.types.principal import *
from state import adopt

adopt(__name__)
