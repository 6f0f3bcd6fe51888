"""Roles by the console's routes, each cell; and of another tenant's ids none is found."""

import re
from collections.abc import Mapping

import pytest
from sqlalchemy import update

from api.console.route import ConsoleRoute
from api.console.routes import ROUTERS
from tests.browser.service import Ship, Visitor, decided
from tests.browser.test_quieting import KEPT
from tools.storage.tables.ledger import ledger_action

pytestmark = pytest.mark.xdist_group("console")

ROLES = ("viewer", "engineer", "captain")
"""In the order in which they try: whoever may is last, so that all meet the same things."""
LOOKED_AT = frozenset(
    [
        "/console",
        "/approvals",
        "/approvals/{action_id}",
        "/approvals/{action_id}/standing",
        "/approvals/count",
        "/approvals/queue",
        "/approvals/together",
        "/decisions/{decision_id}",
        "/journal",
        "/journal/export",
        "/journal/{decision_id}",
        "/live",
        "/measures",
        "/offers",
        "/personality",
        "/quiet",
        "/quiet/standing",
        "/refusals",
        "/session",
        "/talk",
        "/talk/turns/{decision_id}",
    ]
)
CHANGED: Mapping[str, tuple[str, str]] = {
    "/approvals/together": ("captain", "decision=reject"),
    "/approvals/{action_id}": ("captain", "decision=reject"),
    "/approvals/{action_id}/take-back": ("", ""),  # its asker alone: test_taking_back.py
    "/approvals/{unclear}/settle": ("captain", "happened=yes&evidence=seen"),
    "/refusals/{refusal_id}/withdraw": ("captain", ""),
    "/journal/links/{link_id}": ("engineer captain", "accept=yes"),
    "/talk/offers/{offer_id}": ("", "chip=chip-1"),  # it was offered to ann
    "/talk/undo/{done}": ("engineer captain", ""),
    "/quiet": ("engineer captain", "minutes=5"),
    "/personality": ("engineer captain", "do=reset"),
    "/talk": ("viewer engineer captain", "text=show me WO-1042"),
    "/session": ("viewer engineer captain", ""),
    "/sign-out": ("viewer engineer captain", ""),
}
"""What a form changes: who may, in these words; the rest may not."""


def ids_of(ship: Ship) -> dict[str, str]:
    """Make one of everything that has an id in the tenant."""
    ann, carla = ship.key("ann", "engineer"), ship.key("carla", "captain")
    asked, unclear, done = (
        ship.say(ann, f"close {order}") for order in ("WO-1042", "WO-1035", "WO-1040")
    )
    offered = ship.say(ann, "add a note to WO-1042: gasket ordered")
    entry = decided(ship, carla, KEPT)[1]
    left = update(ledger_action).where(ledger_action.c.action_id == unclear["action_id"])
    database = ship.service.executive.keys.database
    ship.service.run(
        database.write(lambda connection: connection.execute(left.values(state="unknown")))
    )
    with ship.signed_in(carla) as captain:
        yes = {"decision": "approve", "digest": done["approval"]["digest"]}
        captain.post(f"/approvals/{done['action_id']}", **yes)
        again = ship.say(ann, "order 40 impellers")
        no = {"decision": "reject", "digest": again["approval"]["digest"], "same": "action"}
        captain.post(f"/approvals/{again['action_id']}", **no)
        (refusal,) = re.findall(
            r"action=\"/console/refusals/([^/]+)/", captain.get("/refusals").text
        )
        links = set(re.findall(r"/journal/links/(\d+)", captain.get("/journal").text))
    return {
        "action_id": asked["action_id"],
        "digest": asked["approval"]["digest"],
        "unclear": unclear["action_id"],
        "done": done["action_id"],
        "decision_id": asked["decision_id"],
        "offer_id": offered["offer_id"],
        "entry": entry,
        "refusal_id": refusal,
        "link_id": links.pop(),
    }


def looked_at(visitor: Visitor, way: str, ids: Mapping[str, str]) -> int:
    own = dict(ids) | ({"decision_id": ids["entry"]} if way.startswith("/journal") else {})
    query = "?action=close_work_order&seen=expired.0" if "approvals/" in way else ""
    return visitor.get(way.removeprefix("/console").format(**own) + query).status_code


def changed(visitor: Visitor, way: str, ids: Mapping[str, str]) -> int:
    """Send the form; what was told to be refused counts as forbidden."""
    fields = dict(pair.split("=") for pair in CHANGED[way][1].split("&") if pair)
    if "approvals" in way:
        fields["digest"] = ids["digest"]
        fields[f"on.{ids['action_id']}"] = ids["digest"]
    answer = visitor.post(way.format(**ids), **fields)
    return 403 if ">not taken<" in answer.text else answer.status_code


def test_every_role_may_do_on_every_route_what_is_written_here_and_no_more(ship: Ship):
    ids = ids_of(ship)
    elsewhere = Ship(ship.service, "elsewhere")
    with elsewhere.signed_in(elsewhere.key("olav", "captain", "engineer")) as stranger:
        for way in LOOKED_AT | CHANGED.keys():
            if way in CHANGED and ("{" in way or way == "/approvals/together"):
                assert changed(stranger, way, ids) == 404, way
            if way in LOOKED_AT and "{" in way:
                assert looked_at(stranger, way, ids) == 404, way
    for role in ROLES:
        with ship.signed_in(ship.key(f"some {role}", role)) as visitor:
            for way in LOOKED_AT:
                assert looked_at(visitor, way, ids) in (200, 204, 303), (role, way)
            for way, (who, _fields) in CHANGED.items():
                refused = changed(visitor, way, ids) in (403, 404)
                assert refused is (role not in who.split()), (role, way)


@pytest.mark.parametrize("access", ["viewer", "approver"])
def test_whoever_came_in_can_stay_and_go_out(ship: Ship, access: str):
    with ship.signed_in(ship.key("carla", "captain", access=access)) as visitor:
        assert visitor.post("/talk", text="show me WO-1042").status_code == 403
        assert visitor.post("/session").status_code == 303
        assert visitor.post("/sign-out").status_code == 303
        assert visitor.get("/live").status_code == 303


def test_no_route_is_left_out():
    known = {("GET", way) for way in LOOKED_AT} | {
        ("POST", way.replace("{unclear}", "{action_id}").replace("{done}", "{action_id}"))
        for way in CHANGED
    }
    served = {
        (method, route.path.removeprefix("/console") or "/console")
        for router in ROUTERS
        for route in router.routes
        if isinstance(route, ConsoleRoute) and "{rest" not in route.path
        for method in route.methods or ()
    }
    assert served - {("GET", "/stream")} == known
