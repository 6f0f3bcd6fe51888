"""An action as an agent sees it before it proposes one."""

from prefrontal.types.catalog_entry import *
from state import adopt

adopt(__name__)
