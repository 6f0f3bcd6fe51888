"""Measures and personality on the pages: first that no harm was done, then what can be moved."""

import re
from datetime import UTC, datetime, timedelta

import pytest

from api.console.plots import HEIGHT, MOST_SPANS, WIDTH, plot_of
from state.quality import QualityBucket, QualityHistory
from state.query import Rate
from tests.browser.service import Ship

pytestmark = pytest.mark.xdist_group("console")

NOW = datetime(2026, 7, 1, 12, 30, tzinfo=UTC)


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
    plot = plot_of(QualityHistory(pack="p", aggregate_minutes=60, buckets=tuple(spans)), NOW)
    assert plot is not None
    assert len(plot.bars) == 3  # the first is before all that is drawn
    assert plot.ends - plot.starts < timedelta(hours=MOST_SPANS)
    assert plot.most == 8
    assert [line.name for line in plot.lines] == ["searches called", "dates kept", "stages made"]
    assert [y for _x, y in plot.lines[0].dots] == [HEIGHT / 2, 0.0]
    for bar in plot.bars:
        assert 0 <= bar.x < bar.x + bar.width <= WIDTH
        assert bar.y + bar.height == pytest.approx(HEIGHT)
    assert plot.bars[-1].x > 0.95 * WIDTH
    lonely = plot_of(QualityHistory(pack="p", aggregate_minutes=60, buckets=(spans[3],)), NOW)
    assert lonely is not None
    assert lonely.bars[0].x > 0.9 * WIDTH  # now is at the right, however little there was
    assert plot_of(QualityHistory(pack="p", aggregate_minutes=60, buckets=()), NOW) is None


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
