"""Whose words an event is, and as which source it may come."""

from typing import Any

import pytest

from state.errors import Forbidden
from state.principal import Principal
from tests.stages import event_of
from tools.access.permissions import as_visitor, attribute_event


def service(user: str, **given: Any) -> Principal:
    return Principal(user=user, tenant_id="default", kind="service", **given)


HEAD = service("smoke-head", sources=("smoke-*", "Heat"))
BRIDGE = service("bridge", kept_sources=("smoke-*", "Heat"))


@pytest.mark.parametrize(
    ("caller", "source", "is_let"),
    [
        (HEAD, "smoke-galley", True),
        (HEAD, "HEAT", True),
        (HEAD, "bilge", False),
        (HEAD, "smoke-*", False),  # a pattern is no source
        (BRIDGE, "bilge", True),
        (BRIDGE, "Smoke-Galley", False),
        (BRIDGE, "heat", False),
    ],
)
def test_a_source_is_sent_by_the_keys_that_declare_it(
    caller: Principal, source: str, *, is_let: bool
) -> None:
    if is_let:
        sent = attribute_event(event_of(source=source), caller)
        assert (sent.source, sent.sender) == (source, caller.user)
    else:
        with pytest.raises(Forbidden, match="source"):
            attribute_event(event_of(source=source), caller)


KEPT = service("bridge", kept_sources=("smoke-bound", "laundry-*", "cabin-?", "hall[1]", "zone 2"))


@pytest.mark.parametrize(
    ("source", "is_let"),
    [
        ("smoke-bound ", False),
        ("\u2003smoke-bound", False),
        ("smoke\u200a-bound", False),  # a hair space
        ("\uff53moke-bound", False),  # full width
        ("\U0001d42cmoke-bound", False),  # mathematical bold
        ("sm\u043eke-bound", False),  # Cyrillic
        ("SM\u039fKE-BOUND", False),  # a Greek capital
        ("smo\u200bke-bound", False),
        ("smoke-bound\ufe0f", False),
        ("\u3164smoke-bound", False),
        ("smoke\u2011bound", False),
        ("smoke\u2014bound", False),
        ("srnoke-bound", False),
        ("sm0ke-bound", False),
        ("Iaundry-4", False),
        ("l\u0430undry-4", False),
        ("c\u0430bin-m", False),
        ("hall[1]", False),
        ("zone\u00a02", False),
        ("smoke-bound-2", True),
        ("smoke", True),
        ("cabin-12", True),
        ("hall1", True),
        ("küche-ö", True),
        ("датчик", True),
    ],
)
def test_no_name_passes_for_a_source_that_another_key_declares(
    source: str, *, is_let: bool
) -> None:
    if is_let:
        assert attribute_event(event_of(source=source), KEPT).source == source
    else:
        with pytest.raises(Forbidden, match="kept for the keys"):
            attribute_event(event_of(source=source), KEPT)


def test_a_key_that_declares_a_source_sends_as_it_whatever_its_letters() -> None:
    for source in ("датчик", "hall[1]", "smoke–1"):
        sensor = service("sensor", sources=(source,))
        assert attribute_event(event_of(source=source), sensor).source == source


def test_a_key_of_one_source_need_not_name_it() -> None:
    event = event_of().model_copy()
    event.model_fields_set.discard("source")
    assert attribute_event(event, service("bilge", sources=("bilge-1",))).source == "bilge-1"


def test_nobody_chooses_the_identity_of_an_event() -> None:
    forged = event_of(sender="smoke-head", variant="0" * 32)
    sent, told = attribute_event(forged, BRIDGE), as_visitor(forged)
    assert len({forged.decision_id, sent.decision_id, told.decision_id}) == 3
    assert (sent.sender, sent.variant, told.variant) == ("bridge", None, None)
