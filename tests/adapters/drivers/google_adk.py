"""Google's ADK with a scripted model."""

from collections.abc import AsyncGenerator
from typing import Any

from google.adk.agents import LlmAgent
from google.adk.agents.run_config import RunConfig, StreamingMode
from google.adk.apps import App
from google.adk.models.base_llm import BaseLlm
from google.adk.models.llm_response import LlmResponse
from google.adk.runners import InMemoryRunner
from google.adk.tools.agent_tool import AgentTool
from google.genai.types import Content, FunctionCall, Part
from pydantic import PrivateAttr

from prefrontal import AsyncGate
from prefrontal.adapters.google_adk import GatePlugin
from tests.adapters.drivers.harbour import Call, Script, Tools


class ScriptedModel(BaseLlm):
    """Calls what the script says; its requests hold what it was told."""

    _batches: Any = PrivateAttr()
    _told: dict[str, str] = PrivateAttr(default_factory=dict)

    def __init__(self, script: Script) -> None:
        super().__init__(model="scripted")
        self._batches = iter(script)

    @property
    def told(self) -> dict[str, str]:
        """Return what it was told of each call."""
        return self._told

    async def generate_content_async(
        self, llm_request: Any, stream: bool = False
    ) -> AsyncGenerator[LlmResponse, None]:
        for content in llm_request.contents:
            for part in content.parts or []:
                if (answer := part.function_response) is not None:
                    self._told[answer.id] = "\n".join(map(str, answer.response.values()))
        batch = next(self._batches, None)
        parts = [Part(text="done")] if batch is None else [_part(one) for one in batch]
        yield LlmResponse(content=Content(role="model", parts=parts))


def _part(one: Call) -> Part:
    return Part(function_call=FunctionCall(id=one.id, name=one.name, args=one.arguments))


async def run(
    script: Script, gate: AsyncGate, tools: Tools, *, stream: bool = False, nested: bool = False
) -> dict[str, str]:
    """See Driver. Nested: an outer agent has the inner one as a tool."""
    model = ScriptedModel(script)
    # check_proposal asks the service again, and so needs no gate before it
    agent = LlmAgent(name="inner", model=model, tools=[*tools.all(), gate.check_proposal])
    if nested:
        delegate = Call("inner", {"request": "go on"})
        agent = LlmAgent(name="outer", model=ScriptedModel([[delegate]]), tools=[AgentTool(agent)])
    runner = InMemoryRunner(app=App(name="quay", root_agent=agent, plugins=[GatePlugin(gate)]))
    session = await runner.session_service.create_session(app_name="quay", user_id="amir")
    how = RunConfig(streaming_mode=StreamingMode.SSE if stream else StreamingMode.NONE)
    sent = Content(role="user", parts=[Part(text="go on")])
    async for _ in runner.run_async(
        user_id="amir", session_id=session.id, new_message=sent, run_config=how
    ):
        pass
    await runner.close()
    return model.told
