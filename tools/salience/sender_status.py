"""What a sender says of its own alert in the payload: that it is over, a test, or for information.

The fields are those of the usual bodies: Alertmanager and Grafana (`status`, `alerts`, `state`,
`labels.severity`), PagerDuty (`event_action`, `event.event_type`), CloudWatch (`NewStateValue`),
Home Assistant (`state` of a binary sensor, `new_state.state`).
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Literal

SenderStatus = Literal["over", "test", "info"]

_DEEP = 4
_MANY = 400
"""Fields of a payload that are read."""
_STATUS = re.compile(
    r"(?:(?:alert|alarm|incident|event|issue|problem|current|new|to)_?)?"
    r"(?:status|state|state_?value|status_?text)|(?:event_?)?(?:action|type)"
)
_SEVERITY = re.compile(r"(?:(?:alert|alarm|event)_?)?(?:severity|level|priority|urgency)")
_TEST = re.compile(r"(?:is_?)?(?:test|drill|exercise|simulat(?:ed|ion)|dry_?run)(?:_?mode)?")
_BEFORE = re.compile(r"old|prev|former|last|from")
"""Fields about what was before."""
_OVER = re.compile(
    r"(?:.*[._ ])?(?:resolved?|recover(?:ed|y)|cleared?|back_to_normal|fixed|solved)"
)
_WELL = re.compile(r"ok|okay|normal")
_OF_ALERT_ALONE = re.compile(
    r"ok|okay|normal|good|healthy|up|green|closed?"
    r"|(?:.*[._ ])?(?:cancell?ed|ended|inactive|dismissed|expired)"
)
"""Elsewhere these are states of a host, a valve or a door; an inactive pump may be the alarm."""
_LASTS = re.compile(
    r"(?:.*[._ ])?(?:firing|alerting|alarm|trigger(?:ed)?|open(?:ed)?|active|problem|down|critical"
    r"|on|fail(?:ed|ing)|error|warning|unresolved|pending|acknowledged?|reopened|red)"
)
_MINOR = re.compile(r"info(?:rmational|rmation)?|debug|notice|none|test|trace|p5|sev5")
_OF_ALERTS = re.compile(
    r"severity|labels|alert.*|rule.*|fingerprint|incident.*|dedup_?key|monitor|starts_?at|ends_?at"
    r"|priority|urgency|newstatevalue|trigger.*|eval_?matches|check.*"
)
_ABOUT_ALERT = re.compile(r"(?:alert|alarm|incident|problem|issue)[. ]")
"""How a field's name or value begins that is about the alert, whatever else is in the body."""
_OFF = ("off", "false", "0", "no", "dry", "clear", "closed", "idle", "not_detected")


def sender_status(payload: Mapping[str, Any]) -> SenderStatus | None:
    """Read what a payload says of its alert; None: it goes on, or nothing is said.

    What lasts counts before what is over: of several alerts in one body each is heard. `ok` may
    be a sensor's own health; it ends an alert where the body is one of an alert, or its `state`.
    """
    fields = list(_fields(payload, _DEEP))[:_MANY]
    if any(_TEST.fullmatch(name) and value in ("true", "1", "yes") for name, value in fields):
        return "test"
    said = [(name, value) for name, value in fields if _STATUS.fullmatch(name)]
    if not any(_LASTS.fullmatch(value) for _name, value in said) and _ends(said, payload):
        return "over"
    severities = [value for name, value in fields if _SEVERITY.fullmatch(name)]
    if severities and all(_MINOR.fullmatch(value) for value in severities):
        return "info"
    return None


def _ends(said: list[tuple[str, str]], payload: Mapping[str, Any]) -> bool:
    is_of_alert = any(_OF_ALERTS.fullmatch(_named(name)) for name in payload)
    is_sensor = str(payload.get("entity_id", "")).startswith("binary_sensor.")
    return any(
        _OVER.fullmatch(value)
        or (_WELL.fullmatch(value) and "state" in name)
        or (_OF_ALERT_ALONE.fullmatch(value) and (is_of_alert or _is_about_alert(name, value)))
        or (value in _OFF and is_sensor)
        for name, value in said
    )


def _is_about_alert(name: str, value: str) -> bool:
    return any(_ABOUT_ALERT.match(one.replace("_", " ")) for one in (name, value))


def _fields(value: object, deep: int, name: str = "") -> Iterator[tuple[str, str]]:
    """List the plain fields of a body by name, whatever they are inside of."""
    if deep and isinstance(value, Mapping):
        for key, inner in value.items():
            called = _named(key)
            if not _BEFORE.match(called):
                yield from _fields(inner, deep - 1, called)
    elif deep and isinstance(value, (list, tuple)):
        for inner in value:
            yield from _fields(inner, deep - 1, name)
    elif isinstance(value, (str, bool, int, float)):
        yield name, str(value).strip().casefold().replace("-", "_")


def _named(key: str) -> str:
    """Write a field's name in one way: `NewStateValue` and `new-state-value` alike."""
    parted = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", key)
    return re.sub(r"[\s.-]+", "_", parted).casefold()
