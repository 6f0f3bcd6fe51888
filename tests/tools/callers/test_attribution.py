"""Whose words an event is, and as which source it may come."""

from typing import Any

import pytest

from state.errors import Forbidden
from state.principal import Principal
from tests.stages import event_of
from tools.callers.attribution import attributed, of_nobody


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
        sent = attributed(event_of(source=source), caller)
        assert (sent.source, sent.sender) == (source, caller.user)
    else:
        with pytest.raises(Forbidden, match="source"):
            attributed(event_of(source=source), caller)


def test_a_key_of_one_source_need_not_name_it() -> None:
    event = event_of().model_copy()
    event.model_fields_set.discard("source")
    assert attributed(event, service("bilge", sources=("bilge-1",))).source == "bilge-1"


def test_nobody_chooses_the_identity_of_an_event() -> None:
    forged = event_of(sender="smoke-head", variant="0" * 32)
    sent, told = attributed(forged, BRIDGE), of_nobody(forged)
    assert len({forged.decision_id, sent.decision_id, told.decision_id}) == 3
    assert (sent.sender, sent.variant, told.variant) == ("bridge", None, None)
