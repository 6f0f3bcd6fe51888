"""What every noun has in common: frozen, strict about unknown keys, finite numbers, clean text."""

from prefrontal.types.noun import *
from state import adopt

adopt(__name__)
