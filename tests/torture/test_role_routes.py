"""Every role at every route that changes something, with the ids of what is really there."""

import re
from pathlib import Path
from typing import Any

import httpx
import pytest

from api.app import create_app
from graph.settings import Settings
from graph.wiring.composition import open_executive
from state.principal import Principal
from tests.torture.serving import clients
from tests.torture.tally import Tally

PEOPLE = {
    "guest": ("viewer",),
    "engineer": ("engineer",),
    "chief": ("chief_engineer",),
    "admin": ("admin",),
    "bot": ("chief_engineer",),
    "bridge": ("integrator",),
    "buoy": (),
}
"""By what they are called; those of a `b` are services, and the buoy is a sensor."""
CELLS = {
    #                                     guest engineer chief admin bot bridge buoy
    "POST /v1/events": "                    403 200 200 403 200 200 200",
    "POST /v1/messages": "                  200 200 200 200 200 200 200",
    "POST /v1/approvals/decide": "          200 200 200 200 403 403 403",  # told one by one
    "POST /v1/approvals/{action_id}": "     403 200 409 403 403 403 403",  # its asker takes it back
    "POST /v1/approvals/{action_id}/settle": "403 403 409 403 403 403 403",
    "POST /v1/refusals": "                  403 403 200 403 403 403 403",
    "DELETE /v1/refusals/{refusal_id}": "   404 404 200 404 403 403 403",
    "POST /v1/tools/accept": "              404 404 404 404 404 404 404",  # this pack has none
    "POST /v1/offers/{offer_id}": "         403 200 403 403 403 403 403",
    "POST /v1/actions/{action_id}/undo": "  409 409 409 409 403 403 403",
    "POST /v1/queries/{decision_id}/observed": "403 200 403 403 403 200 403",
    "POST /v1/journal/import": "            403 200 200 403 200 200 403",
    "POST /v1/journal/reindex": "           403 403 403 200 403 403 403",
    "POST /v1/journal/links": "             403 404 404 403 403 403 403",
    "POST /v1/journal/links/{link_id}": "   403 404 404 403 404 404 403",
    "POST /v1/quiet": "                     403 200 200 403 200 403 403",
    "DELETE /v1/quiet": "                   403 200 200 403 200 403 403",
    "POST /v1/reminders": "                 403 200 200 403 200 403 403",
    "DELETE /v1/reminders/{reminder_id}": " 403 200 404 404 404 404 404",
    "POST /v1/modulations": "               403 200 200 403 200 403 403",
    "DELETE /v1/modulations/{modulation_id}": "403 200 404 404 404 404 404",
    "POST /v1/output": "                    403 200 200 403 200 403 403",
    "POST /v1/output/interrupt": "          403 200 200 403 200 403 403",
    "PUT /v1/personality": "                404 404 404 404 404 404 404",  # no such template
    "PATCH /v1/personality": "              403 200 200 403 200 403 403",
    "DELETE /v1/personality": "             403 200 200 403 200 403 403",
    "PUT /v1/skills/{name}": "              404 404 404 404 404 404 404",  # this pack has none
    "DELETE /v1/skills/{name}": "           404 404 404 404 404 404 404",
    "POST /v1/goals": "                     403 200 200 403 200 403 403",
    "POST /v1/goals/{goal_id}": "           403 200 403 403 403 403 403",
    "DELETE /v1/memory": "                  200 200 200 200 200 200 200",  # one's own
    "POST /v1/feedback": "                  403 200 200 403 200 403 403",
    "PATCH /v1/heuristics/{heuristic_id}": "403 202 202 403 403 403 403",
    "POST /v1/metrics/{pack}/reset": "      403 403 403 200 403 200 403",
}
"""What each is answered, in turn: 409 and 404 where one before has had it, or it is not theirs."""


@pytest.mark.torture
async def test_each_role_may_at_each_route_what_it_may_and_no_more(
    data_dir: Path, tally: Tally
) -> None:
    kinds = {True: "service", False: "person"}
    people = [
        Principal.model_validate(
            {"user": name, "tenant_id": "aurora", "roles": roles, "kind": kinds[name[0] == "b"]}
        )
        for name, roles in PEOPLE.items()
    ]
    paths = create_app().openapi()["paths"]
    changes = {
        f"{method.upper()} {path}": asked
        for path, methods in paths.items()
        for method, asked in methods.items()
        if method != "get"
    }
    assert changes.keys() == CELLS.keys()
    async with (
        open_executive(Settings(data_dir=data_dir, packs=("vessel",))) as executive,
        clients(executive, *people) as callers,
    ):
        live = await _live(callers[1], callers[2])
        for route, asked in changes.items():
            method, path = route.split(" ")
            body = live["bodies"].get(path) or _example(asked)
            way = re.sub(r"{(\w+)}", lambda found: live.get(found[1], "none"), path)
            told = [await caller.request(method, way, json=body) for caller in callers]
            assert " ".join(str(one.status_code) for one in told) == CELLS[route].strip(), route
            tally.add("cells of roles and changing routes", len(told))
        for path in paths:
            if "get" in paths[path] and path != "/v1/stream":
                way = re.sub(r"{(\w+)}", lambda found: live.get(found[1], "none"), path)
                told = [await caller.get(way) for caller in callers]
                assert {one.status_code for one in told} <= {200, 404, 422}, path
                tally.add("cells of roles and reading routes", len(told))


def _example(asked: dict[str, Any]) -> Any:
    """Take the first example of a body out of the document; None: it takes none."""
    content = asked.get("requestBody", {}).get("content", {}).get("application/json", {})
    examples = list(content.get("examples", {}).values())
    return examples[0]["value"] if examples else content.get("example")


async def _live(engineer: httpx.AsyncClient, chief: httpx.AsyncClient) -> dict[str, Any]:
    """Have one of everything there, and name it; with bodies that are about it."""

    async def sent(caller: httpx.AsyncClient, path: str, **body: Any) -> dict[str, Any]:
        made: dict[str, Any] = (await caller.post(path, json=body)).json()
        return made

    asked = await sent(engineer, "/v1/messages", text="close WO-1042, it is done", session_id="a")
    note = "add a note to WO-1042: oil checked"
    offered = await sent(engineer, "/v1/messages", text=note, session_id="b")
    reminder = await sent(engineer, "/v1/reminders", text="look", in_seconds=500)
    goals = await sent(engineer, "/v1/goals", text="paint the deck")
    refusal = await sent(chief, "/v1/refusals", action="close_work_order", reason="no")
    moves = await sent(engineer, "/v1/modulations", kind="heighten", topic="pump")
    alarm = {"text": "fire in the galley", "salience": {"threat": 1.0}}
    told = await sent(engineer, "/v1/events", **alarm)
    shipped = (await engineer.get("/v1/heuristics")).json()["heuristics"]
    no = {"decision": "reject", "digest": asked["approval"]["digest"]}
    other = no | {"digest": "0" * 64}
    return {
        "action_id": asked["action_id"],
        "decision_id": asked["decision_id"],
        "offer_id": offered["offer_id"],
        "reminder_id": reminder["reminder_id"],
        "goal_id": goals["goals"][0]["goal_id"],
        "refusal_id": refusal["refusal_id"],
        "modulation_id": moves["modulations"][0]["modulation_id"],
        "heuristic_id": shipped[0]["heuristic"]["heuristic_id"],
        "pack": "vessel",
        "bodies": {
            "/v1/events": alarm,
            "/v1/approvals/decide": {"answers": [other | {"action_id": asked["action_id"]}]},
            "/v1/approvals/{action_id}": no,
            "/v1/offers/{offer_id}": {"chip_id": offered["offer"]["chips"][0]["chip_id"]},
            "/v1/feedback": {"response_id": told["response_id"], "rating": "good"},
        },
    }
