"""The graph that `langgraph.json` names; built when the LangGraph server imports it."""

from graph.compose import build_toolbox
from graph.flow import build_flow
from graph.settings import Settings

toolbox = build_toolbox(Settings())
graph = build_flow(toolbox)
"""Without a checkpointer of its own: the server gives it one."""
