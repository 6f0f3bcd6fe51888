"""The graph that `langgraph.json` names; built when the LangGraph server imports it."""

from graph.flow import build_flow
from graph.settings import Settings
from graph.wiring.composition import build_toolbox

toolbox = build_toolbox(Settings())
graph = build_flow(toolbox)
"""Without a checkpointer of its own: the server gives it one."""
