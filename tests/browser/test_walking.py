"""Every page, by pointer and by keyboard."""

import json
import re
import shutil
from datetime import UTC, datetime, timedelta

import httpx
import pytest
from playwright.sync_api import Page, expect

from api.console import approvals as refusals
from api.console import decisions as rows
from api.console import journal
from api.console.plots import HEIGHT, MOST_SPANS, RATES, STARTED, TICKS, TIMES, WIDTH, plot_of
from state.quality import QualityBucket
from state.query import AnswerSpan, Rate
from tests.browser.conftest import Opens
from tests.browser.looking import faults_of
from tests.browser.service import TOKEN, Ship, decided
from tests.browser.test_sign_in import KEPT

pytestmark = pytest.mark.xdist_group("console")

# Every other thing that can be pressed, in one walk through the pages.


def test_what_is_left_to_press_does_what_it_says(opens: Opens, ship: Ship):
    key = ship.key("carla", "captain", "engineer")
    decided(ship, key, KEPT)
    ann = ship.key("ann", "engineer")
    ship.say(ann, "add a note to WO-1035: gasket ordered")
    asked = ship.say(ann, "close WO-1042, the filter is changed")
    page = opens(key)
    _wants_something_else(page, asked["action_id"])
    _filters_what_is_live(page)
    _settles_a_link_and_takes_the_journal_away(page)
    _asks_for_quiet_and_ends_it(page)


def _wants_something_else(page: Page, action_id: str) -> None:
    page.goto(f"/console/approvals/{action_id}")
    page.keyboard.press("w")
    page.fill("#panel-instead", "show me WO-1042")
    page.click("button:text-is('Request changes')")
    expect(page.locator(".ending")).to_contain_text("Rejected")


def _filters_what_is_live(page: Page) -> None:
    page.goto("/console/live")
    everything = page.locator(".decision").count()
    page.select_option("#outcome", "offered")
    page.click("text=Show")
    expect(page.locator(".decision")).to_have_count(1)
    assert everything > 1


def _settles_a_link_and_takes_the_journal_away(page: Page) -> None:
    page.goto("/console/journal")
    assert faults_of(page) == []
    page.click("text=Yes")
    expect(page.locator("#proposed li")).to_have_count(0)
    with page.expect_download() as taken:
        page.click("text=Export")
    assert taken.value.suggested_filename == "journal.ndjson"
    page.click("a.row:has-text('seven days')")
    expect(page.locator(".chain li")).to_have_count(2)
    assert faults_of(page) == []


def _asks_for_quiet_and_ends_it(page: Page) -> None:
    page.goto("/console/quiet")
    page.fill("#starts", "22:00")
    page.fill("#ends", "06:00")
    page.click("button:text-is('Set')")
    page.click("button:text-is('turn off')")
    page.fill("#topic", "bilge")
    page.click("button:has-text('Mute topic')")
    expect(page.locator("#standing")).to_contain_text("Muted: bilge")
    expect(page.locator("#standing")).not_to_contain_text("Quiet hours 22:00")
    page.click("button:text-is('remove')")
    expect(page.locator("#standing")).not_to_contain_text("Muted:")
    page.fill("#watched", "bilge")
    page.click("text=Watch topic")
    expect(page.locator("#standing")).to_contain_text("Watched: bilge")
    page.click("button:text-is('remove')")
    expect(page.locator("#standing")).not_to_contain_text("Watched:")


# Every page and what is done there by Tab, Enter, Space and arrows alone; the focus is seen.

MOST_STEPS = 60
WHERE = """([wanted, words]) => {
  const one = document.activeElement, box = one.getBoundingClientRect();
  const style = getComputedStyle(one), at = document.elementFromPoint(
    box.left + Math.min(box.width / 2, 12), box.top + Math.min(box.height / 2, 12));
  const is_covered = !at || !(one.contains(at) || at.contains(one));
  const faults = one === document.body ? [] : [
    style.outlineStyle === "none" && "without an outline",
    is_covered && "covered or out of view",
  ].filter(Boolean);
  return [one.matches(wanted) && one.textContent.includes(words),
    faults.map((fault) => `${one.outerHTML.slice(0, 90)} ${fault}`)];
}"""


def goes(page: Page, wanted: str, words: str = "", *, key: str = "Tab") -> None:
    """Press a key until what is wanted has the focus; on the way each can be seen to have it."""
    for _step in range(MOST_STEPS):
        page.keyboard.press(key)
        is_there, faults = page.evaluate(WHERE, [wanted, words])
        assert faults == []
        if is_there:
            return
    raise AssertionError(f"no way to {wanted} {words}")


def presses(page: Page, wanted: str, words: str = "", *, key: str = "Enter") -> None:
    goes(page, wanted, words)
    page.keyboard.press(key)


def keeps_its_place(page: Page) -> None:
    """Nothing that was drawn anew has left the focus nowhere."""
    expect(page.locator("form.htmx-request, .htmx-settling")).to_have_count(0)
    expect(page.locator("body:not(:focus-within)")).to_have_count(0)


def follows(page: Page, wanted: str, words: str = "", *, key: str = "Tab") -> None:
    """Go to a link or a button that leads to another page."""
    goes(page, wanted, words, key=key)
    with page.expect_navigation():
        page.keyboard.press("Enter")


def visits(page: Page, name: str) -> None:
    """Go to another page by the navigation."""
    follows(page, "nav a", name, key="Shift+Tab")
    expect(page.locator("nav a[aria-current]").first).to_contain_text(name)


def test_nobody_needs_a_mouse(opens: Opens, ship: Ship):
    key, ann = ship.key("carla", "captain", "engineer"), ship.key("ann", "engineer")
    decided(ship, key, KEPT)
    ship.say(ann, "close WO-1042, the filter is changed")
    ship.say(ann, "close WO-1035")
    ship.say(key, "add a note to WO-1063: gasket ordered")
    page = opens(key)
    page.wait_for_load_state()  # before it a row is a plain link
    _answers(page)
    _talks(page)
    _looks_at_what_happens(page)
    _asks_the_journal(page)
    _asks_for_quiet(page)
    _turns_a_trait(page)
    visits(page, "Metrics")
    follows(page, ".tabs a", "24 hours")
    expect(page.locator(".tabs a[aria-current]")).to_have_text("24 hours")
    follows(page, "button", "Sign out", key="Shift+Tab")
    expect(page.locator("#key")).to_be_focused()


def _answers(page: Page) -> None:
    expect(page.locator("#queue a.row").first).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#panel-title")).to_be_focused()
    presses(page, "button", "Approve", key="Space")
    expect(page.locator(".ending")).to_contain_text("Done")
    keeps_its_place(page)
    expect(page.locator("#queue a.row")).to_have_count(1)  # the answered one is gone
    page.keyboard.press("Escape")
    expect(page.locator("#queue a.row")).to_be_focused()
    # For 20 ms a row that was just drawn anew is a plain link; no person is as quick.
    expect(page.locator(".htmx-request, .htmx-added, .htmx-settling")).to_have_count(0)
    page.keyboard.press("Enter")
    expect(page.locator("#panel-title")).to_be_focused()
    presses(page, "summary", "Reject")
    goes(page, "textarea")
    page.keyboard.type("not today")
    goes(page, "select")
    page.keyboard.press("ArrowDown")
    presses(page, "button", "Reject")
    expect(page.locator(".ending")).to_contain_text("not today")
    keeps_its_place(page)
    page.reload()
    follows(page, ".tabs a", "Suggestions")
    presses(page, "button.chip", "gasket")
    expect(page.locator(".turn")).to_contain_text("Executed")
    keeps_its_place(page)
    follows(page, ".tabs a", "Auto-reject rules", key="Shift+Tab")
    presses(page, "button", "Delete")
    expect(page.locator("#refusals")).to_contain_text("No auto-reject rules")
    keeps_its_place(page)


def _talks(page: Page) -> None:
    visits(page, "Talk")
    expect(page.locator("#say")).to_be_focused()
    page.keyboard.type("add a note to WO-1040: gasket ordered")
    page.keyboard.press("Enter")
    expect(page.locator(".turn")).to_have_count(1)
    goes(page, "#turns button.chip", "gasket", key="Shift+Tab")
    page.keyboard.press("Space")
    expect(page.locator(".turn")).to_have_count(2)
    keeps_its_place(page)
    goes(page, "button", "undo", key="Shift+Tab")
    page.keyboard.press("Enter")
    expect(page.locator(".turn")).to_have_count(3)
    keeps_its_place(page)


def _looks_at_what_happens(page: Page) -> None:
    visits(page, "Live")
    presses(page, "[data-pause]", key="Space")
    expect(page.locator("[data-pause]")).to_have_attribute("aria-pressed", "true")
    follows(page, ".decision a")
    expect(page.locator(".stages li").first).to_be_visible()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")  # what leads past the navigation stands first
    page.keyboard.press("Tab")
    expect(page.locator("main a").first).to_be_focused()


def _asks_the_journal(page: Page) -> None:
    visits(page, "Journal")
    goes(page, "#q")
    page.keyboard.type("how long are messages kept")
    presses(page, "button", "Yes")
    expect(page.locator("#proposed li")).to_have_count(0)
    keeps_its_place(page)
    follows(page, "#found a.row")
    expect(page.locator(".chain li")).to_have_count(2)


def _asks_for_quiet(page: Page) -> None:
    visits(page, "Quiet")
    presses(page, "button", "15 min", key="Space")
    expect(page.locator(".is-quiet")).to_contain_text("left")
    keeps_its_place(page)
    goes(page, "button", "End it now", key="Shift+Tab")
    page.keyboard.press("Enter")
    expect(page.locator(".is-quiet")).to_have_count(0)
    keeps_its_place(page)
    goes(page, "#topic")
    page.keyboard.type("bilge")
    page.keyboard.press("Enter")
    expect(page.locator("#standing")).to_contain_text("Muted: bilge")
    keeps_its_place(page)


def _turns_a_trait(page: Page) -> None:
    visits(page, "Personality")
    goes(page, "#trait-humor")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#does-humor")).to_contain_text("your setting")
    expect(page.locator("#trait-humor")).to_be_focused()
    presses(page, "button", "Reset")
    expect(page.locator("#does-humor")).not_to_contain_text("your setting")
    keeps_its_place(page)


# What does not fit on a page is a page further, each once, the newest first.

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
        assert "Back to live" in carla.get(older[1]).text


def _refused(ship: Ship, key: str, order: str) -> str:
    answer = httpx.post(
        f"{ship.service.address}/v1/refusals",
        headers={"Authorization": f"Bearer {key}"},
        json={"action": "close_work_order", "arguments": {"work_order": order}, "reason": "no"},
    )
    assert answer.status_code == 200, answer.text
    return str(answer.json()["refusal_id"])


# Pages are sent packed, and nothing secret can be read off their lengths.


def test_a_page_is_packed_and_its_token_is_another_each_time(ship: Ship):
    with ship.signed_in(ship.key("carla", "captain")) as carla:
        page = carla.get("/quiet")
        assert page.headers["content-encoding"] == "gzip"
        assert int(page.headers["content-length"]) < len(page.content) / 2
        (own,) = set(TOKEN.findall(page.text))
        for accepted in ("", "identity", "br, gzip;q=0"):
            plain = carla.get("/quiet", **{"Accept-Encoding": accepted})
            assert "content-encoding" not in plain.headers
            assert own not in plain.text
            assert TOKEN.sub("", plain.text).count("<form") == page.text.count("<form")
        assert carla.client.get("/console/static/console.css").headers["vary"] == "Accept-Encoding"


# Measures and personality on the pages: first that no harm was done, then what can be moved.

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
    assert [line.name for line in plot.lines] == [
        "Searches run directly",
        "Dates respected",
        "Stages reached",
    ]
    assert [(dot.y, dot.said) for dot in plot.lines[0].dots] == [
        (HEIGHT / 2, "Searches run directly 50 %"),
        (0.0, "Searches run directly 100 %"),
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
    assert plot.bars[0].said.endswith("3 Executions")


def test_the_first_number_is_that_no_harm_was_done(ship: Ship):
    key = ship.key("carla", "captain")
    ship.say(key, "how many oil filters do we have?")
    with ship.signed_in(key) as carla:
        page = carla.get("/measures?span=day").text
        assert re.findall(r"<b>(.+?)</b><span>(.+?)</span>", page)[:2] == [
            ("0", "Unauthorized executions"),
            ("1", "Requests"),
        ]
        assert ">1 turns</span>" in page
        assert carla.get("/measures?span=ever").status_code == 422
    elsewhere = Ship(ship.service, "elsewhere")
    with elsewhere.signed_in(elsewhere.key("olav", "captain")) as stranger:
        assert "<b>0</b><span>Requests" in stranger.get("/measures?span=all").text


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
        assert 'aria-label="Requests and responses' in visitor.get("/measures").text
    queries = ship.service.executive.queries
    (span,) = ship.service.run(queries.over_time(ship.tenant, aggregate_minutes=525_600))
    assert (span.chosen.value, span.chosen.n) == (0.5, 2)
    assert (span.primary_chosen.value, span.accepted.value) == (1.0, 0.0)
    assert (span.undone.value, span.undone.n) == (0.5, 2)  # the taking back is a change too
    assert (span.started, span.harmful.value) == (2, 0.0)  # a note and its undo
    assert span.median_ms is not None
    assert 0 < span.median_ms <= (span.p95_ms or 0)
    assert ship.service.run(queries.over_time("elsewhere", aggregate_minutes=60)) == ()
    assert ship.service.run(queries.over_time(ship.tenant, aggregate_minutes=60, since=4e9)) == ()
    with ship.signed_in(carla) as visitor:
        page = visitor.get("/measures").text
    assert "Unauthorized executions (must be 0) 0 %" in page
    assert "p95" in page


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
        assert "No report yet" in ole.get("/measures").text
        folder.mkdir()
        try:
            (folder / "a.json").write_text(json.dumps(report | {"held": held}))
            (folder / "b.json").write_text("[1]")  # some other file
            page = ole.get("/measures").text
        finally:
            shutil.rmtree(folder)
    assert "1 of 2 met" in page
    assert "1 cases without an answer" in page
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
        assert "your setting +0.55" in carla.get("/personality").text
        carla.post("/personality", do="reset")
        assert "your setting" not in carla.get("/personality").text
    with ship.signed_in(ship.key("ole", "viewer")) as ole:
        assert ole.get("/personality").text.count(" disabled>") == 7
        assert ole.post("/personality", do="reset").status_code == 403
