"""Quiet and the journal on the pages, without a browser: what is asked, found and refused."""

import json
import re

import pytest

from api.console.journal import parts_of
from state.journal import Span
from tests.browser.service import Ship, Visitor, decided

KEPT = (
    ("k1", "2026-10-12T10:00:00Z", "We decided that the queue keeps messages for seven days."),
    (
        *("k2", "2026-11-12T10:00:00Z"),
        "We decided that the queue keeps messages for thirty days because audits need them.",
    ),
)
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
        assert "quiet hours begin" in told
        assert "&lt;b&gt;bilge&lt;/b&gt;" in told
        carla.post("/quiet", do="end", topic="<b>bilge</b>")
        carla.post("/quiet", do="end", hours="yes")
        assert "What was asked" not in standing(carla)
        assert "said in ten minutes" in told
        ship.say(ship.key("carla", "captain"), "remind me to check <b>the bilge</b> in 2 hours")
        assert "check &lt;b&gt;the bilge&lt;/b&gt;" in standing(carla)
        assert "reminds carla" in standing(carla)
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
        for fits in ("person=ingrid", "technology=postgres", "person=ingrid,+@Ingrid"):
            assert queue in carla.get(f"/journal?{fits}").text, fits
        for other in ("person=nobody", "technology=kafka", "person=ingrid,+nobody"):
            assert queue not in carla.get(f"/journal?{other}").text, other
        entry = carla.get(f"/journal/{queue}").text
        assert "it lasts" in entry
        assert '<a href="#said-1-rationale">the words</a>' in entry
        lines = carla.get("/journal/export")
        assert "attachment" in lines.headers["content-disposition"]
        assert {json.loads(line)["id"] for line in lines.text.splitlines()} == {queue, filters}
    elsewhere = Ship(ship.service, "elsewhere")
    with elsewhere.signed_in(elsewhere.key("olav", "captain")) as stranger:
        assert stranger.get(f"/journal/{queue}").status_code == 404
        assert queue not in stranger.get("/journal?q=postgres").text
        assert stranger.get("/journal/export").text == ""


def test_a_link_that_rules_propose_waits_for_who_may_write(ship: Ship):
    key = ship.key("carla", "captain")
    older, newer = decided(ship, key, KEPT)
    with ship.signed_in(key) as carla:
        page = carla.get("/journal").text
        (link,) = set(re.findall(r'hx-post="/console(/journal/links/\d+)"', page))
        assert "Waits for a person" in carla.get(f"/journal/{newer}").text
        with ship.signed_in(ship.key("ole", "viewer")) as ole:
            seen = ole.get("/journal").text
            assert "a person has to say so" in seen
            assert link not in seen
            assert ole.post(link, accept="yes").status_code == 403
        elsewhere = Ship(ship.service, "elsewhere")
        with elsewhere.signed_in(elsewhere.key("olav", "captain")) as stranger:
            assert stranger.post(link, accept="yes").status_code == 404
        assert carla.post(link, accept="perhaps").status_code == 422
        assert carla.post(link, accept="yes").headers["location"].endswith(newer)
        entry = carla.get(f"/journal/{older}").text
        assert "replaced the one above, as carla says" in entry
        assert "Waits for a person" not in entry
        assert "a person has to say so" not in carla.get("/journal").text


def test_a_citation_opens_the_message_it_is_from(ship: Ship):
    key = ship.key("carla", "captain")
    ship.say(key, "We decided to keep <b>two</b> pumps on board because one failed in May")
    with ship.signed_in(key) as carla:
        (entry,) = re.findall(r'href="/console(/journal/[^"?]+)" ?>?', _found(carla))
        page = carla.get(entry).text
    assert 'href="#said-1-rationale"' in page
    assert re.search(
        r'id="said-1-rationale"></span><mark title="rationale">one failed in May</mark>', page
    )
    assert "keep &lt;b&gt;two&lt;/b&gt; pumps" in page


def test_a_citation_opens_the_imported_messages_it_is_from(ship: Ship):
    key = ship.key("carla", "captain")
    talk = (
        (
            "p1",
            "2026-03-03T09:00:00Z",
            "Shall we use <i>Valkey</i> for the cache, because it is free?",
        ),
        ("p2", "2026-03-03T09:01:00Z", "Nothing <b>else</b> is said here."),
        ("p3", "2026-03-03T09:02:00Z", "Agreed.", "tom"),
    )
    entry = decided(ship, key, talk)[2]
    with ship.signed_in(key) as carla:
        page = carla.get(f"/journal/{entry}").text
    assert "it is free</mark>" in page.replace("?", "")
    assert "&lt;i&gt;Valkey" in page
    for way in re.findall(r'href="#([^"]+)"', page)[1:]:
        assert f'id="{way}"' in page
    assert "Nothing" not in page  # what is cited is kept, and no more
    assert "<strong>ingrid</strong>" in page


def test_citations_may_lie_in_each_other():
    inner, outer = Span(message_id="m", start=3, end=9), Span(message_id="m", start=1, end=4)
    other = Span(message_id="x", start=0, end=1)
    text, spans = "abcdef", {"a": (outer,), "b": (inner, other)}
    assert [(one.text, one.fields) for one in parts_of(text, spans, "m")] == [
        ("a", ()),
        ("bc", ("a",)),
        ("d", ("a", "b")),
        ("ef", ("b",)),
    ]


def _found(visitor: Visitor) -> str:
    headers = {"HX-Target": "found", "HX-Request": "true"}
    return visitor.get("/journal?q=pumps+on+board", **headers).text
