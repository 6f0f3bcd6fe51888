"""What the nouns accept, refuse and keep."""

import json
import math
import pickle
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from enum import Enum
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from pkgutil import iter_modules
from typing import Any, get_args, get_origin, get_type_hints

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from pydantic import BaseModel, ValidationError

import prefrontal.types
from state.agent_call import AgentCall
from state.channels import Input, State
from state.checkpointed import CHECKPOINTED
from state.errors import AgentError, BadInput, NotFound, PackFault, PackFaults
from state.event import MAX_TEXT_BYTES, Event, parse_instant
from state.journal import Decision, DecisionFilters, DecisionStatus
from state.noun import MAX_INTEGER
from state.stages import (
    Assessed,
    Classified,
    Composed,
    Decided,
    Gathered,
    Opened,
    Received,
    Resolved,
    Settled,
    Timed,
    Weighed,
)
from tests.stages import every_stage
from tests.state.nouns import nouns_of

# What an event accepts, and that whatever it accepted can be read back.

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
def test_nul_and_half_a_surrogate_pair_are_refused_in_every_text(field: str, odd: str):
    with pytest.raises(ValidationError, match=field):
        Event.model_validate({"text": "fine", field: odd})


@pytest.mark.parametrize("odd", [*NOT_TEXT, *NOT_NUMBERS, MAX_INTEGER + 1, -MAX_INTEGER - 1])
@pytest.mark.parametrize("depth", [0, 1, 3])
def test_a_payload_holds_only_what_every_store_keeps(odd: Any, depth: int):
    value = odd
    for _level in range(depth):
        value = {"inside": [value]}
    with pytest.raises(ValidationError, match="payload"):
        Event(text="fine", payload={"reading": value})


@pytest.mark.parametrize("odd", NOT_TEXT)
def test_the_names_in_a_payload_are_text_too(odd: str):
    with pytest.raises(ValidationError, match="payload"):
        Event(text="fine", payload={odd: 1})
    with pytest.raises(ValidationError, match="payload"):
        Event(text="fine", payload={"inside": {odd: 1}})


@pytest.mark.parametrize("number", [*NOT_NUMBERS, -0.1, 1.1])
def test_a_salience_is_a_number_from_0_to_1(number: float):
    with pytest.raises(ValidationError, match="threat"):
        Event.model_validate({"text": "fine", "salience": {"threat": number}})


@pytest.mark.parametrize("seconds", [*NOT_NUMBERS, 0, -5])
def test_a_life_is_a_positive_number_of_seconds(seconds: float):
    with pytest.raises(ValidationError, match="expires_in_seconds"):
        Event(text="fine", expires_in_seconds=seconds)


def test_an_unknown_key_is_an_error():
    with pytest.raises(ValidationError, match="urgency"):
        Event.model_validate({"text": "fine", "urgency": 1})


def test_a_payload_nested_without_end_is_refused():
    value: Any = 1
    for _level in range(100_000):
        value = [value]
    with pytest.raises(ValidationError):
        Event(text="fine", payload={"deep": value})


@pytest.mark.parametrize("text", ["a" * MAX_TEXT_BYTES, "é" * (MAX_TEXT_BYTES // 2)])
def test_64_kilobytes_of_text_are_accepted_and_read_back(text: str):
    assert reread(Event(text=text)).text == text


@pytest.mark.parametrize("text", ["a" * (MAX_TEXT_BYTES + 1), "é" * (MAX_TEXT_BYTES // 2 + 1)])
def test_one_byte_more_is_refused(text: str):
    with pytest.raises(ValidationError, match="65536 bytes"):
        Event(text=text)


@pytest.mark.parametrize("letter", ["\u0958", "\U0001d160", "\ufb2c"])
def test_a_text_that_grows_when_normalised_is_measured_as_it_is_kept(letter: str):
    fits = MAX_TEXT_BYTES // len(letter.encode())
    with pytest.raises(ValidationError, match="65536 bytes"):
        Event(text=letter * fits)


def test_a_text_is_kept_in_one_normal_form():
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
def test_a_time_no_clock_shows_is_refused(instant: Any):
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
def test_a_time_is_iso_8601_or_seconds_and_always_utc(given_as: Any, means: datetime):
    read = parse_instant(given_as)
    assert (read, read.utcoffset()) == (means, timedelta(0))


def test_an_event_with_a_user_is_a_message_unless_it_says_otherwise():
    assert Event(text="hello", user="amir").kind == "message"
    assert Event(text="hello").kind == "ambient"
    assert Event(text="hello", user="amir", kind="signal").kind == "signal"


def test_only_messages_and_choices_speak_to_us():
    spoken = {
        kind: Event.model_validate({"text": "hello", "kind": kind}).is_addressed
        for kind in ("ambient", "message", "choice", "signal", "tick")
    }
    assert [kind for kind, addressed in spoken.items() if addressed] == ["message", "choice"]


@pytest.mark.parametrize("role", ["a\nb", "captain,\x1b[2J", "captain,> quo\nted", "x" * 201])
def test_a_role_that_nobody_can_hold_is_refused_before_it_is_accepted(role: str):
    with pytest.raises(ValidationError, match=r"role|identifier"):
        Event(text="a", role=role)


def test_roles_are_listed_with_commas():
    assert Event(text="a", role=" engineer, ,captain,").roles == ("engineer", "captain")
    assert Event(text="a").roles == ()


def test_an_event_is_stamped_only_when_its_sender_gave_no_time():
    now = datetime(2026, 6, 14, tzinfo=UTC)
    earlier = now - timedelta(hours=1)
    assert Event(text="a").at(now).occurred_at == now
    assert Event(text="a", occurred_at=earlier).at(now).occurred_at == earlier


def test_the_decision_is_named_after_tenant_source_and_id_alone():
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


def test_neighbouring_names_never_share_a_decision():
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
):
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


# One class that grows: a stage holds what the stages before it found.

LINE: list[type[BaseModel]] = [
    Opened,
    Received,
    Weighed,
    Assessed,
    Timed,
    Decided,
    Resolved,
    Classified,
    Settled,
    Composed,
]
EVERY: list[type[BaseModel]] = [*LINE, Gathered]


@pytest.mark.parametrize(("before", "after"), list(pairwise(LINE)))
def test_a_stage_is_the_one_before_and_what_was_added(before, after):
    assert issubclass(after, before)
    assert set(after.model_fields) > set(before.model_fields)


@pytest.mark.parametrize("stage", EVERY)
def test_a_stage_reads_only_channels_that_a_thread_stores(stage: type[BaseModel]):
    assert set(stage.model_fields) <= set(State.__annotations__)


@pytest.mark.parametrize(
    ("stage", "field"),
    [
        (stage, name)
        for stage in EVERY
        for name, info in stage.model_fields.items()
        if info.is_required()
    ],
)
def test_a_skipped_stage_is_an_error_that_names_the_field(stage: type[BaseModel], field: str):
    given: dict[str, Any] = every_stage()
    del given[field]
    with pytest.raises(ValidationError) as refused:
        stage.model_validate(given)
    assert [(error["loc"], error["type"]) for error in refused.value.errors()] == [
        ((field,), "missing")
    ]


def test_a_stage_reads_plain_json_too():
    given = {
        name: noun.model_dump(mode="json") if isinstance(noun, BaseModel) else noun
        for name, noun in every_stage().items()
    }
    assert Gathered.model_validate(given) == Gathered.model_validate(every_stage())


def test_a_stage_cannot_be_changed():
    opened = Opened(event=every_stage()["event"])
    with pytest.raises(ValidationError, match="frozen"):
        opened.event = every_stage()["event"]


# What a thread stores comes back as what it was, and nothing it could store is forgotten.


def nouns_in(annotation: Any) -> Iterator[type[BaseModel | Enum]]:
    """Yield every noun and enumeration a type can hold, at any depth."""
    pending, seen = [annotation], set[Any]()
    while pending:
        part = pending.pop()
        if get_origin(part) is not None:
            pending.extend(get_args(part))
        elif isinstance(part, type) and issubclass(part, BaseModel | Enum) and part not in seen:
            seen.add(part)
            yield part
            if issubclass(part, BaseModel):
                hints = get_type_hints(part)  # what is excluded is never stored
                pending += [hints[n] for n, field in part.model_fields.items() if not field.exclude]
            else:
                pending.extend(get_type_hints(part).values())


def reachable() -> dict[tuple[str, str], type[BaseModel | Enum]]:
    """Return every noun and enumeration that a channel can hold, by its place."""
    hints = [*get_type_hints(State).values(), *get_type_hints(Input).values()]
    return {(noun.__module__, noun.__name__): noun for hint in hints for noun in nouns_in(hint)}


def stored(value: Any) -> Any:
    """Write a value as a checkpoint does and read it back as strictly."""
    serializer = JsonPlusSerializer(allowed_msgpack_modules=CHECKPOINTED)
    return serializer.loads_typed(serializer.dumps_typed(value))


def test_every_noun_a_thread_can_store_is_on_the_list():
    assert sorted(set(reachable()) - set(CHECKPOINTED)) == []


def test_the_list_names_nothing_a_thread_cannot_store():
    assert sorted(set(CHECKPOINTED) - set(reachable())) == []


def test_checkpoints_name_every_noun_by_its_path_under_state():
    """Also those that `prefrontal.types` defines: threads of earlier versions name them so."""
    for module, name in CHECKPOINTED:
        assert module.startswith("state.")
        assert getattr(import_module(module), name).__module__ == module


@pytest.mark.parametrize("shared", [one.name for one in iter_modules(prefrontal.types.__path__)])
def test_a_type_that_is_shared_with_clients_and_packs_is_found_under_state(shared: str):
    defined, kept = (
        import_module(f"{package}.{shared}") for package in ("prefrontal.types", "state")
    )
    own = [
        value
        for value in vars(defined).values()
        if isinstance(value, type) and not value.__name__.startswith("_")
        if value.__module__ in (defined.__name__, kept.__name__)
    ]
    assert own
    assert [one for one in own if getattr(kept, one.__name__) is not one] == []
    assert {one.__module__ for one in own} == {kept.__name__}


def test_the_state_these_tests_store_holds_every_noun():
    called = every_stage(AgentCall(action="close_lock"))
    kinds = {type(noun) for noun in (*nouns_of(every_stage()), *nouns_of(called))}
    assert {noun.__name__ for noun in reachable().values()} - {noun.__name__ for noun in kinds} == (
        set()
    )


@pytest.mark.parametrize("channel", list(State.__annotations__))
def test_a_channel_comes_back_as_itself(channel: str):
    kept = every_stage()[channel]
    read = stored(kept)
    assert read == kept
    assert [type(noun) for noun in nouns_of(read)] == [type(noun) for noun in nouns_of(kept)]


@pytest.mark.parametrize("place", CHECKPOINTED, ids=".".join)
def test_a_listed_noun_comes_back_as_itself(place: tuple[str, str]):
    kept = next(
        noun
        for noun in (*nouns_of(every_stage()), AgentCall(action="close_lock"))
        if (type(noun).__module__, type(noun).__name__) == place
    )
    read = stored([kept])[0]
    assert type(read) is type(kept)
    assert read == kept


def test_a_noun_that_is_not_listed_comes_back_as_plain_data():
    class Stranger(BaseModel):
        word: str

    assert not isinstance(stored(Stranger(word="tampered")), BaseModel)


def test_a_state_has_every_channel_filled():
    assert list(every_stage()) == list(State.__annotations__)


@pytest.mark.parametrize("kind", ["pack", "module", "dataset", "replay"])
def test_nobody_is_sent_to_a_list_that_no_command_prints(kind: str):
    assert str(NotFound(kind, "nope")) == f"no {kind} 'nope'"


def test_what_can_be_listed_says_so():
    assert "list the actions" in str(NotFound("action", "nope"))


@pytest.mark.parametrize(
    "error",
    [
        BadInput("a sentence"),
        NotFound("action", "nope"),
        PackFaults("vessel", [PackFault(Path("pack.toml"), 3, "name", "is no name")]),
    ],
)
def test_what_went_wrong_in_another_process_is_the_same_here(error: AgentError):
    told = pickle.loads(pickle.dumps(error))

    assert (type(told), str(told), vars(told)) == (type(error), str(error), vars(error))


# The journal's nouns refuse what they cannot mean.

NOON = datetime(2026, 6, 14, 12, tzinfo=UTC)


def test_a_decision_is_active_until_something_supersedes_it():
    made = Decision(id="d", session_id="s", title="Sail", decision="sail at noon", confidence=0.9)
    assert made.status is DecisionStatus.ACTIVE
    assert Decision.model_validate_json(made.model_dump_json()) == made


def test_a_decision_says_something():
    with pytest.raises(ValidationError, match="decision"):
        Decision(id="d", session_id="s", title="Sail", decision="", confidence=0.9)


def test_a_span_of_time_goes_forward():
    with pytest.raises(BadInput, match="must be before"):
        DecisionFilters(since=NOON, until=NOON)
