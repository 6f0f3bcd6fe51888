"""What an event accepts, and that whatever it accepted can be read back."""

import json
import math
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from state.event import MAX_TEXT_BYTES, Event, parse_instant
from state.noun import MAX_INTEGER

NUL = "bilge\x00pump"
HALF = "bilge \ud83d"
NOT_TEXT = [NUL, HALF]
NOT_NUMBERS = [math.nan, math.inf, -math.inf]


def reread(event: Event) -> Event:
    """Write an event as the store does and read it as the store does."""
    return Event.model_validate(json.loads(json.dumps(event.model_dump(mode="json"))))


@pytest.mark.parametrize("odd", NOT_TEXT)
@pytest.mark.parametrize(
    "field", ["event_id", "source", "text", "session_id", "tenant_id", "user", "role"]
)
def test_nul_and_half_a_surrogate_pair_are_refused_in_every_text(field: str, odd: str) -> None:
    with pytest.raises(ValidationError, match=field):
        Event.model_validate({"text": "fine", field: odd})


@pytest.mark.parametrize("odd", [*NOT_TEXT, *NOT_NUMBERS, MAX_INTEGER + 1, -MAX_INTEGER - 1])
@pytest.mark.parametrize("depth", [0, 1, 3])
def test_a_payload_holds_only_what_every_store_keeps(odd: Any, depth: int) -> None:
    value = odd
    for _level in range(depth):
        value = {"inside": [value]}
    with pytest.raises(ValidationError, match="payload"):
        Event(text="fine", payload={"reading": value})


@pytest.mark.parametrize("odd", NOT_TEXT)
def test_the_names_in_a_payload_are_text_too(odd: str) -> None:
    with pytest.raises(ValidationError, match="payload"):
        Event(text="fine", payload={odd: 1})
    with pytest.raises(ValidationError, match="payload"):
        Event(text="fine", payload={"inside": {odd: 1}})


@pytest.mark.parametrize("number", [*NOT_NUMBERS, -0.1, 1.1])
def test_a_salience_is_a_number_from_0_to_1(number: float) -> None:
    with pytest.raises(ValidationError, match="threat"):
        Event.model_validate({"text": "fine", "salience": {"threat": number}})


@pytest.mark.parametrize("seconds", [*NOT_NUMBERS, 0, -5])
def test_a_life_is_a_positive_number_of_seconds(seconds: float) -> None:
    with pytest.raises(ValidationError, match="expires_in_seconds"):
        Event(text="fine", expires_in_seconds=seconds)


def test_an_unknown_key_is_an_error() -> None:
    with pytest.raises(ValidationError, match="urgency"):
        Event.model_validate({"text": "fine", "urgency": 1})


def test_a_payload_nested_without_end_is_refused() -> None:
    value: Any = 1
    for _level in range(100_000):
        value = [value]
    with pytest.raises(ValidationError):
        Event(text="fine", payload={"deep": value})


@pytest.mark.parametrize("text", ["a" * MAX_TEXT_BYTES, "é" * (MAX_TEXT_BYTES // 2)])
def test_64_kilobytes_of_text_are_accepted_and_read_back(text: str) -> None:
    assert reread(Event(text=text)).text == text


@pytest.mark.parametrize("text", ["a" * (MAX_TEXT_BYTES + 1), "é" * (MAX_TEXT_BYTES // 2 + 1)])
def test_one_byte_more_is_refused(text: str) -> None:
    with pytest.raises(ValidationError, match="65536 bytes"):
        Event(text=text)


@pytest.mark.parametrize("letter", ["\u0958", "\U0001d160", "\ufb2c"])
def test_a_text_that_grows_when_normalised_is_measured_as_it_is_kept(letter: str) -> None:
    fits = MAX_TEXT_BYTES // len(letter.encode())
    with pytest.raises(ValidationError, match="65536 bytes"):
        Event(text=letter * fits)


def test_a_text_is_kept_in_one_normal_form() -> None:
    assert Event(text="cafe\u0301").text == "caf\u00e9"


@pytest.mark.parametrize(
    "instant",
    [
        "0001-01-01T00:00:00+05:00",
        "1969-12-31T23:59:59Z",
        "2200-01-01T00:00:01Z",
        "9999-12-31T23:59:59-05:00",
        -1,
        7.3e9,
        1e300,
        10**400,
        *NOT_NUMBERS,
        True,
        "yesterday",
        "",
        None,
        [],
    ],
)
def test_a_time_no_clock_shows_is_refused(instant: Any) -> None:
    with pytest.raises(ValueError, match=r"1970|ISO 8601"):
        parse_instant(instant)


@pytest.mark.parametrize(
    ("given_as", "means"),
    [
        ("2026-02-07T14:32:00Z", datetime(2026, 2, 7, 14, 32, tzinfo=UTC)),
        ("2026-02-07T14:32:00+02:00", datetime(2026, 2, 7, 12, 32, tzinfo=UTC)),
        ("2026-02-07T14:32:00", datetime(2026, 2, 7, 14, 32, tzinfo=UTC)),
        ("2026-02-07", datetime(2026, 2, 7, tzinfo=UTC)),
        (0, datetime(1970, 1, 1, tzinfo=UTC)),
        (1.5, datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=1.5)),
    ],
)
def test_a_time_is_iso_8601_or_seconds_and_always_utc(given_as: Any, means: datetime) -> None:
    read = parse_instant(given_as)
    assert (read, read.utcoffset()) == (means, timedelta(0))


def test_an_event_with_a_user_is_a_message_unless_it_says_otherwise() -> None:
    assert Event(text="hello", user="amir").kind == "message"
    assert Event(text="hello").kind == "ambient"
    assert Event(text="hello", user="amir", kind="signal").kind == "signal"


def test_only_messages_and_choices_speak_to_us() -> None:
    spoken = {
        kind: Event.model_validate({"text": "hello", "kind": kind}).is_addressed
        for kind in ("ambient", "message", "choice", "signal", "tick")
    }
    assert [kind for kind, addressed in spoken.items() if addressed] == ["message", "choice"]


@pytest.mark.parametrize("role", ["a\nb", "captain,\x1b[2J", "captain,> quo\nted", "x" * 201])
def test_a_role_that_nobody_can_hold_is_refused_before_it_is_accepted(role: str) -> None:
    with pytest.raises(ValidationError, match=r"role|identifier"):
        Event(text="a", role=role)


def test_roles_are_listed_with_commas() -> None:
    assert Event(text="a", role=" engineer, ,captain,").roles == ("engineer", "captain")
    assert Event(text="a").roles == ()


def test_an_event_is_stamped_only_when_its_sender_gave_no_time() -> None:
    now = datetime(2026, 6, 14, tzinfo=UTC)
    earlier = now - timedelta(hours=1)
    assert Event(text="a").at(now).occurred_at == now
    assert Event(text="a", occurred_at=earlier).at(now).occurred_at == earlier


def test_the_decision_is_named_after_tenant_source_and_id_alone() -> None:
    first = Event(text="one", event_id="e", source="s", tenant_id="t")
    assert (
        first.decision_id
        == Event(
            text="other", event_id="e", source="s", tenant_id="t", session_id="elsewhere"
        ).decision_id
    )
    assert (
        len(
            {
                first.decision_id,
                first.model_copy(update={"event_id": "f"}).decision_id,
                first.model_copy(update={"source": "r"}).decision_id,
                first.model_copy(update={"tenant_id": "u"}).decision_id,
            }
        )
        == 4
    )


def test_neighbouring_names_never_share_a_decision() -> None:
    assert (
        Event(text="", source="ab", event_id="c").decision_id
        != Event(text="", source="a", event_id="bc").decision_id
    )


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-MAX_INTEGER, MAX_INTEGER)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_characters="\x00", exclude_categories=["Cs"]), max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(st.characters(categories=["L"]), max_size=3), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(
    text=st.text(max_size=40),
    payload=st.dictionaries(st.text(max_size=4), json_values, max_size=4),
    occurred_at=st.floats(0, 7.2e9) | st.none(),
    score=st.floats(0, 1),
)
def test_whatever_is_accepted_is_read_back_as_it_was(
    text: str, payload: dict[str, Any], occurred_at: float | None, score: float
) -> None:
    try:
        event = Event.model_validate(
            {
                "text": text,
                "payload": payload,
                "occurred_at": occurred_at,
                "salience": {"novelty": score},
            }
        )
    except ValidationError:
        return
    assert reread(event) == event
