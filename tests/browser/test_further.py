"""What does not fit on a page is a page further, each once, the newest first."""

import re

import httpx
import pytest

from api.console import approvals as refusals
from api.console import decisions as rows
from api.console import journal
from tests.browser.service import Ship, decided

pytestmark = pytest.mark.xdist_group("console")

OLDER = re.compile(r'<a href="/console(/[^"]+)">Older</a>')
LISTED = re.compile(
    r'id="d-([^"]+)"'
    r'|id="j-\d+" href="/console/journal/([^"]+)"'
    r'|hx-post="/console/refusals/([^/"]+)/withdraw'
)


def test_of_long_lists_each_is_found(ship: Ship, monkeypatch: pytest.MonkeyPatch):
    for module, most in ((rows, "MOST_ROWS"), (journal, "MOST_FOUND"), (refusals, "MOST_LISTED")):
        monkeypatch.setattr(module, most, 1)
    key = ship.key("carla", "captain", "engineer")
    said = [ship.say(key, f"show me WO-{order}")["decision_id"] for order in (1042, 1035, 1040)]
    kept = decided(ship, key)
    made = [_refused(ship, key, order) for order in ("WO-1042", "WO-1035")]
    with ship.signed_in(key) as carla:

        def walked(way: str) -> list[str]:
            page = carla.get(way).text
            older = OLDER.search(page)
            here = ["".join(one) for one in LISTED.findall(page)]
            return here + (walked(older[1].replace("&amp;", "&")) if older else [])

        assert walked("/live?outcome=executed") == said[::-1]
        assert walked("/journal") == kept[::-1]
        assert sorted(walked("/refusals")) == sorted(made)
        older = OLDER.search(carla.get("/live").text)
        assert older is not None
        assert "Back to what happens now" in carla.get(older[1]).text


def _refused(ship: Ship, key: str, order: str) -> str:
    answer = httpx.post(
        f"{ship.service.address}/v1/refusals",
        headers={"Authorization": f"Bearer {key}"},
        json={"action": "close_work_order", "arguments": {"work_order": order}, "reason": "no"},
    )
    assert answer.status_code == 200, answer.text
    return str(answer.json()["refusal_id"])
