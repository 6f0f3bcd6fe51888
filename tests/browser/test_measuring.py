"""Measures and personality on the pages: first that no harm was done, then what can be moved."""

import json
import re
import shutil
from datetime import UTC, datetime, timedelta

import pytest

from api.console.plots import (
    HEIGHT,
    MOST_SPANS,
    RATES,
    STARTED,
    TICKS,
    TIMES,
    WIDTH,
    plot_of,
)
from state.quality import QualityBucket
from state.query import AnswerSpan, Rate
from tests.browser.service import Ship

pytestmark = pytest.mark.xdist_group("console")

NOW = datetime(2026, 7, 1, 12, 30, tzinfo=UTC)
NO_RATE = Rate(value=None, n=0, low=0.0, high=1.0)


def bucket(hours: int, turns: int, value: float | None) -> QualityBucket:
    rate = Rate(value=value, n=turns, low=0.0, high=1.0)
    return QualityBucket(
        start=NOW.replace(minute=0) - timedelta(hours=hours),
        turns=turns,
        direct_search_tool_call_rate=rate,
        clarification_first_rate=Rate(value=None, n=0, low=0.0, high=1.0),
        recency_filter_compliance_rate=rate,
        stage_transition_success_rate=rate,
    )


def test_a_plot_stays_in_its_frame_and_ends_now():
    spans = [bucket(500, 9, 1.0), bucket(30, 4, 0.5), bucket(3, 2, None), bucket(0, 8, 1.0)]
    plot = plot_of(spans, RATES, NOW, minutes=60)
    assert plot is not None
    assert len(plot.bars) == 3  # the first is before all that is drawn
    assert plot.ends - plot.starts < timedelta(hours=MOST_SPANS)
    assert plot.most == 8
    assert [line.name for line in plot.lines] == ["searches called", "dates kept", "stages made"]
    assert [(dot.y, dot.said) for dot in plot.lines[0].dots] == [
        (HEIGHT / 2, "searches called 50 %"),
        (0.0, "searches called 100 %"),
    ]
    for bar in plot.bars:
        assert 0 <= bar.x < bar.x + bar.width <= WIDTH
        assert bar.y + bar.height == pytest.approx(HEIGHT)
    assert plot.bars[-1].x > 0.95 * WIDTH
    lonely = plot_of(spans[3:], RATES, NOW, minutes=60)
    assert lonely is not None
    assert lonely.bars[0].x > 0.9 * WIDTH  # now is at the right, however little there was
    assert plot_of((), RATES, NOW, minutes=60) is None


@pytest.mark.parametrize(
    ("took", "ticks", "heights"),
    [
        ((40.0, 900.0), ["100 ms", "1 s"], [HEIGHT, 5]),
        ((2_000.0, 7_200_000.0), ["1 s", "10 s", "1 min", "10 min", "1 h", "10 h"], None),
        ((9e9, 9e9), ["24 h", "10 days"], [0, 0]),
        ((None, None), ["100 ms", "1 s"], []),
    ],
)
def test_times_are_drawn_by_their_magnitude(took, ticks, heights):
    span = AnswerSpan(
        start=NOW,
        turns=0,
        started=3,
        median_ms=took[0],
        p95_ms=took[1],
        **dict.fromkeys(("chosen", "primary_chosen", "accepted", "undone", "harmful"), NO_RATE),
    )
    plot = plot_of([span], TIMES, NOW, minutes=60, columns=STARTED, magnitudes=TICKS)
    assert plot is not None
    assert [one.said for one in plot.grid] == ticks
    found = [round(dot.y) for line in plot.lines for dot in line.dots]
    assert all(0 <= y <= HEIGHT for y in found)
    assert heights in (None, found)
    assert plot.bars[0].said.endswith("3 actions started")


def test_the_first_number_is_that_no_harm_was_done(ship: Ship):
    key = ship.key("carla", "captain")
    ship.say(key, "how many oil filters do we have?")
    with ship.signed_in(key) as carla:
        page = carla.get("/measures?span=day").text
        assert re.findall(r"<b>(.+?)</b><span>(.+?)</span>", page)[:2] == [
            ("0", "hard false positives"),
            ("1", "queries"),
        ]
        assert "1 turn in all" in page
        assert carla.get("/measures?span=ever").status_code == 422
    elsewhere = Ship(ship.service, "elsewhere")
    with elsewhere.signed_in(elsewhere.key("olav", "captain")) as stranger:
        assert "<b>0</b><span>queries" in stranger.get("/measures?span=all").text


def test_how_people_answer_is_counted_span_by_span(ship: Ship):
    ann, carla = ship.key("ann", "engineer"), ship.key("carla", "captain")
    offered = [ship.say(ann, f"add a note to WO-1042: gasket {n}") for n in range(2)]
    asked = ship.say(ann, "close WO-1042, the filter is changed")
    with ship.signed_in(ann) as visitor:
        visitor.post(f"/talk/offers/{offered[0]['offer_id']}", chip="chip-1")
        visitor.post(f"/talk/undo/{_done(ship)}")
    with ship.signed_in(carla) as visitor:
        no = {"decision": "reject", "digest": asked["approval"]["digest"]}
        visitor.post(f"/approvals/{asked['action_id']}", **no)
        assert 'aria-label="queries and how people answer' in visitor.get("/measures").text
    queries = ship.service.executive.queries
    (span,) = ship.service.run(queries.over_time(ship.tenant, aggregate_minutes=525_600))
    assert (span.chosen.value, span.chosen.n) == (0.5, 2)
    assert (span.primary_chosen.value, span.accepted.value) == (1.0, 0.0)
    assert (span.undone.value, span.undone.n) == (0.5, 2)  # the taking back is a change too
    assert (span.started, span.harmful.value) == (4, 0.0)
    assert span.median_ms is not None
    assert 0 < span.median_ms <= (span.p95_ms or 0)
    ours = queries.over_time("elsewhere", aggregate_minutes=60)
    assert ship.service.run(ours) == ()
    later = queries.over_time(ship.tenant, aggregate_minutes=60, since=4e9)
    assert ship.service.run(later) == ()
    with ship.signed_in(carla) as visitor:
        page = visitor.get("/measures").text
    assert "without intent (must be 0) 0 %" in page
    assert "19 of 20 within" in page


def _done(ship: Ship) -> str:
    """Name the newest change that can be taken back."""
    newest = ship.service.executive.actions.list(ship.tenant, undoable_only=True)
    return ship.service.run(newest)[0].action_id


def test_the_gates_of_the_last_run_are_shown_those_that_fail_first(ship: Ship):
    folder = ship.service.executive.settings.reports_dir
    measures = [
        {"name": "right_action", "value": 0.91, "low": 0.89, "high": 0.93, "n": 400},
        {"name": "routing_bugs", "value": 2.0, "n": 400},
        {"name": "not_gated", "value": 0.5},
    ]
    experiment = {"dataset": "vessel_<b>", "pack": "vessel", "n": 400, "measures": measures}
    gates = {"right_action": {"at_least": 0.9}, "routing_bugs": {"at_most": 0}}
    report = {"made_at": "2026-11-20T10:00:00Z", "revision": "abc123", "format": 1}
    held = [{"experiment": experiment | {"errors": ["x"], "misses": []}, "gates": gates}]
    with ship.signed_in(ship.key("ole", "viewer")) as ole:
        assert "No report is here" in ole.get("/measures").text
        folder.mkdir()
        try:
            (folder / "a.json").write_text(json.dumps(report | {"held": held}))
            (folder / "b.json").write_text("[1]")  # some other file
            page = ole.get("/measures").text
        finally:
            shutil.rmtree(folder)
    assert "1 of 2 hold" in page
    assert "1 cases not answered" in page
    assert "2026-11-20 10:00:00 UTC" in page
    assert "vessel &lt;b&gt;" in page
    assert page.index("routing bugs") < page.index("right action")
    assert "not gated" not in page


def test_a_trait_is_moved_by_who_may_and_by_nobody_else(ship: Ship):
    with ship.signed_in(ship.key("carla", "captain")) as carla:
        for value in ("2", "much", "nan", ""):
            wrong = carla.post("/personality", do="trait", trait="humor", value=value)
            assert wrong.status_code == 422, value
        assert carla.post("/personality", do="trait", trait="wit", value=".5").status_code == 422
        assert carla.post("/personality", do="else").status_code == 422
        assert carla.post("/personality", do="load", skill="none").status_code == 404
        assert carla.post("/personality", do="template", template="none").status_code == 404
        assert carla.post("/personality", do="trait", trait="humor", value="0.6").is_redirect
        assert "your wish +0.55" in carla.get("/personality").text
        carla.post("/personality", do="reset")
        assert "your wish" not in carla.get("/personality").text
    with ship.signed_in(ship.key("ole", "viewer")) as ole:
        page = ole.get("/personality").text
        assert page.count(" disabled>") == 7
        assert ole.post("/personality", do="reset").status_code == 403
