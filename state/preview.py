"""What an action would do, told before anybody is asked."""

from prefrontal.types.preview import *
from state import adopt

adopt(__name__)
