"""A hand-made LangGraph graph: a scripted model, and a gated tool node."""

from typing import Any

from langchain_core.messages import AIMessage
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.prebuilt import tools_condition

from prefrontal import AsyncGate
from prefrontal.adapters.langgraph import gated_node
from tests.adapters.drivers.harbour import Script, Tools
from tests.adapters.drivers.langchain import scripted, structured, told


def build(script: Script, gate: AsyncGate, tools: Tools, *, pause: bool = False) -> Any:
    """Return the graph, not compiled."""
    model = scripted(script)

    async def think(state: MessagesState) -> dict[str, list[AIMessage]]:
        answer = await model.ainvoke(state["messages"])
        assert isinstance(answer, AIMessage)
        return {"messages": [answer]}

    graph = StateGraph(MessagesState)
    graph.add_node("think", think)
    graph.add_node("tools", gated_node(structured(tools.all()), gate, pause=pause))
    graph.add_edge(START, "think")
    graph.add_conditional_edges("think", tools_condition)
    graph.add_edge("tools", "think")
    return graph


async def run(
    script: Script, gate: AsyncGate, tools: Tools, *, stream: bool = False, nested: bool = False
) -> dict[str, str]:
    """See Driver. Nested: the graph is a node of another graph."""
    graph = build(script, gate, tools).compile()
    if nested:
        outer = StateGraph(MessagesState)
        outer.add_node("inner", graph)
        outer.add_edge(START, "inner")
        outer.add_edge("inner", END)
        graph = outer.compile()
    sent: Any = {"messages": [("user", "go on")]}
    if not stream:
        return told((await graph.ainvoke(sent))["messages"])
    found: dict[str, str] = {}
    async for update in graph.astream(sent, stream_mode="updates"):
        for part in update.values():
            found |= told(part["messages"])
    return found
