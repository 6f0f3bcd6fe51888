"""What one call of a model took."""

from prefrontal.types.model_use import *
from state import adopt

adopt(__name__)
