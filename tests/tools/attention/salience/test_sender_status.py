"""What the bodies of alerts say of themselves, as their senders write them."""

from typing import Any

import pytest

from tools.attention.alarms import sender_status

FIRING = {"status": "firing", "labels": {"severity": "critical"}}
RESOLVED = {"status": "resolved", "labels": {"severity": "critical"}}


@pytest.mark.parametrize(
    ("payload", "status"),
    [
        ({}, None),
        (FIRING, None),
        (RESOLVED, "over"),
        ({"status": "resolved", "alerts": [RESOLVED, FIRING]}, None),
        ({"state": "ok"}, "over"),
        ({"state": "alerting", "ruleName": "heat"}, None),
        ({"event_action": "resolve", "payload": {"severity": "critical"}}, "over"),
        ({"event_action": "trigger"}, None),
        ({"event": {"event_type": "incident.resolved"}}, "over"),
        ({"NewStateValue": "OK", "OldStateValue": "ALARM"}, "over"),
        ({"NewStateValue": "ALARM", "OldStateValue": "OK"}, None),
        ({"entity_id": "binary_sensor.loft_smoke", "state": "off"}, "over"),
        ({"entity_id": "binary_sensor.loft_smoke", "state": "on", "old_state": "off"}, None),
        ({"entity_id": "switch.freezer", "state": "off"}, None),
        ({"status": "ok", "battery": 90}, None),  # the sensor's own health
        ({"status": "ok", "fingerprint": "a1"}, "over"),
        ({"valve": "V3", "status": "closed"}, None),
        ({"incident": "I-3", "status": "Closed"}, "over"),
        ({"pump": "P-1", "status": "inactive"}, None),  # what is wrong with it, and no end
        ({"type": "certificate.expired"}, None),
        ({"status": "order_cancelled"}, None),
        ({"alarm_state": "inactive"}, "over"),
        ({"type": "alert.dismissed"}, "over"),
        ({"state": "inactive", "labels": {"severity": "critical"}}, "over"),
        ({"severity": "info"}, "info"),
        ({"severity": "info", "labels": {"severity": "critical"}}, None),
        ({"is_test": True}, "test"),
        ({"drill": False, "severity": "critical"}, None),
    ],
)
def test_a_sender_says_how_its_alert_stands(payload: dict[str, Any], status: str | None) -> None:
    assert sender_status(payload) == status
