"""The catalog as an agent's tools in each framework: the service runs them, the agent asks."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from prefrontal import AsyncClient, AsyncGate, Client, Gate
from tests.adapters.conftest import People, Service
from tests.adapters.drivers.harbour import Call, Script

Told = dict[str, str]


async def langchain(script: Script, service: Service, key: str) -> Told:
    from langchain.agents import create_agent

    from prefrontal.adapters.langchain import catalog_tools
    from tests.adapters.drivers.langchain import scripted, told

    def run() -> Told:
        with Client(service.url, key) as client:
            agent = create_agent(scripted(script), catalog_tools(Gate(client)))
            sent: Any = {"messages": [("user", "go on")]}
            return told(agent.invoke(sent)["messages"])

    return await asyncio.to_thread(run)


async def openai_agents(script: Script, service: Service, key: str) -> Told:
    from agents import Agent, Runner

    from prefrontal.adapters.openai_agents import catalog_tools
    from tests.adapters.drivers.openai_agents import RUN, ScriptedModel, _told

    async with AsyncClient(service.url, key) as client:
        tools: Any = await catalog_tools(AsyncGate(client))
        agent = Agent(name="mate", model=ScriptedModel(script), tools=tools)
        return _told((await Runner.run(agent, "go on", run_config=RUN)).new_items)


async def pydantic_ai(script: Script, service: Service, key: str) -> Told:
    from pydantic_ai import Agent

    from prefrontal.adapters.pydantic_ai import catalog_tools
    from tests.adapters.drivers.pydantic_ai import scripted, told

    async with AsyncClient(service.url, key) as client:
        tools = await catalog_tools(AsyncGate(client))
        return told((await Agent(scripted(script), toolsets=[tools]).run("go on")).all_messages())


async def google_adk(script: Script, service: Service, key: str) -> Told:
    from google.adk.agents import LlmAgent
    from google.adk.runners import InMemoryRunner
    from google.genai.types import Content, Part

    from prefrontal.adapters.google_adk import catalog_tools
    from tests.adapters.drivers.google_adk import ScriptedModel

    model = ScriptedModel(script)
    async with AsyncClient(service.url, key) as client:
        gate = AsyncGate(client)
        tools: Any = await catalog_tools(gate)
        agent = LlmAgent(name="mate", model=model, tools=[*tools, gate.check_proposal])
        runner = InMemoryRunner(agent=agent, app_name="quay")
        session = await runner.session_service.create_session(app_name="quay", user_id="amir")
        sent = Content(role="user", parts=[Part(text="go on")])
        async for _ in runner.run_async(user_id="amir", session_id=session.id, new_message=sent):
            pass
        await runner.close()
    return model.told


FRAMEWORKS: dict[str, tuple[str, Callable[..., Coroutine[Any, Any, Told]]]] = {
    "langchain": ("langchain", langchain),
    "openai_agents": ("agents", openai_agents),
    "pydantic_ai": ("pydantic_ai", pydantic_ai),
    "google_adk": ("google.adk", google_adk),
}


@pytest.mark.parametrize("framework", FRAMEWORKS)
async def test_a_read_runs_and_a_change_waits_for_a_person(
    framework: str, service: Service, people: People, lock
):
    module, run = FRAMEWORKS[framework]
    pytest.importorskip(module, reason="run `make test-adapters`")
    read, close = Call("show_lock", {"lock": lock}), Call("close_lock", {"lock": lock})
    running = asyncio.create_task(run([[read], [close]], service, service.keys["agent"]))
    await people.approve("close_lock", lock=lock)
    told = await running
    assert told[read.id] == f"Lock {lock} is open."
    assert f"Lock {lock} is closed" in told[close.id]
    assert await people.count("close_lock", lock=lock) == 1
