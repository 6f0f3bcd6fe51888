"""A call that an agent proposes: the action, its arguments, and what the agent says about it."""

from prefrontal.types.agent_call import *
from state import adopt

adopt(__name__)
