"""Quiet and the journal on the pages, without a browser: what is asked, found and refused."""

import json
import re

import pytest

from tests.browser.service import Ship, Visitor, decided

pytestmark = pytest.mark.xdist_group("console")


def standing(visitor: Visitor) -> str:
    return visitor.get("/quiet/standing").text


def test_quiet_is_asked_for_and_ended_on_the_page(ship: Ship):
    with ship.signed_in(ship.key("carla", "captain")) as carla:
        assert carla.post("/quiet", minutes="15").headers["location"].startswith("/console/quiet?")
        assert "Quiet was asked for" in standing(carla)
        carla.post("/quiet", do="end")
        assert "is-quiet" not in standing(carla)
        carla.post("/quiet", starts="22:00", ends="06:30")
        carla.post("/quiet", topic="<b>bilge</b>", threats="yes")
        told = standing(carla)
        assert "quiet hours 22:00 to 06:30" in told
        assert "&lt;b&gt;bilge&lt;/b&gt;" in told
        carla.post("/quiet", do="end", topic="<b>bilge</b>")
        carla.post("/quiet", do="end", hours="yes")
        assert "What was asked" not in standing(carla)
        for wrong in ({"minutes": "soon"}, {"minutes": "-1"}, {"starts": "22:00"}, {}):
            assert carla.post("/quiet", **wrong).status_code == 422, wrong


def test_who_may_change_nothing_hushes_nobody(ship: Ship):
    with ship.signed_in(ship.key("ole", "viewer")) as ole:
        assert "That I change only for somebody" in ole.get("/quiet").text
        assert ole.post("/quiet", minutes="15").status_code == 403
        assert "is-quiet" not in standing(ole)


def test_the_journal_is_asked_narrowed_read_and_taken_away(ship: Ship):
    key = ship.key("carla", "captain")
    queue, filters = decided(ship, key)
    with ship.signed_in(key) as carla:
        newest = carla.get("/journal").text
        assert newest.index(filters) < newest.index(queue)
        assert not re.search(r"<script>", newest)
        found = carla.get("/journal?q=why+postgres", **{"HX-Target": "found", "HX-Request": "true"})
        assert queue in found.text
        assert "<form" not in found.text
        assert queue not in carla.get("/journal?q=postgres&since=2026-06-01").text
        assert carla.get("/journal?q=x&status=nonsense").status_code == 422
        entry = carla.get(f"/journal/{queue}").text
        assert "it lasts" in entry
        assert "<code>m1</code>" in entry
        lines = carla.get("/journal/export")
        assert "attachment" in lines.headers["content-disposition"]
        assert {json.loads(line)["id"] for line in lines.text.splitlines()} == {queue, filters}
    elsewhere = Ship(ship.service, "elsewhere")
    with elsewhere.signed_in(elsewhere.key("olav", "captain")) as stranger:
        assert stranger.get(f"/journal/{queue}").status_code == 404
        assert queue not in stranger.get("/journal?q=postgres").text
        assert stranger.get("/journal/export").text == ""
