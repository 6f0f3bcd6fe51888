"""Bodies of Alertmanager, Grafana and PagerDuty, and the events that each must become."""

from collections.abc import Mapping
from typing import Any, NamedTuple

Json = Any
STARTED, ENDED = "2026-02-07T14:30:12.345Z", "2026-02-07T14:41:00.5Z"
NEVER = "0001-01-01T00:00:00Z"


class Made(NamedTuple):
    """What an event must hold; None: it says nothing of that."""

    text: str
    source: str
    status: str | None = None
    severity: str | None = None

    @property
    def is_critical(self) -> bool:
        """Tell whether its sender calls it urgent, and nobody has it in hand."""
        return self.severity == "critical" and self.status in (None, "firing")


class Posted(NamedTuple):
    """One body with its headers."""

    kind: str
    name: str
    body: Json
    made: tuple[Made, ...]
    headers: Mapping[str, str] = {}


def prometheus_alert(
    name: str, labels: Json, annotations: Json, *, status: str = "firing", print_: str = "a1"
) -> Json:
    return {
        "status": status,
        "labels": {"alertname": name, **labels},
        "annotations": annotations,
        "startsAt": STARTED,
        "endsAt": ENDED if status == "resolved" else NEVER,
        "generatorURL": f"http://prometheus.lan:9090/graph?g0.expr={name}",
        "fingerprint": print_ * 8,
    }


def alertmanager(*alerts: Json, status: str = "firing") -> Json:
    return {
        "version": "4",
        "groupKey": '{}:{alertname="x"}',
        "truncatedAlerts": 0,
        "status": status,
        "receiver": "prefrontal",
        "groupLabels": {},
        "commonLabels": {},
        "commonAnnotations": {},
        "externalURL": "http://alertmanager.lan:9093",
        "alerts": list(alerts),
    }


_DISK = ("NodeDiskFull", {"severity": "critical", "instance": "db-1", "job": "node"})
_PRESSURE = ("FeedPressureLow", {"severity": "warning", "unit": "boiler 2"})

ALERTMANAGER = (
    Posted(
        "alertmanager",
        "critical",
        alertmanager(prometheus_alert(*_DISK, {"summary": "Only 1 % of the disk of db-1 is free"})),
        (
            Made(
                "Only 1 % of the disk of db-1 is free",
                "alertmanager/NodeDiskFull",
                "firing",
                "critical",
            ),
        ),
    ),
    Posted(
        "alertmanager",
        "resolved",
        alertmanager(
            prometheus_alert(
                *_DISK, {"summary": "Only 1 % of the disk of db-1 is free"}, status="resolved"
            ),
            status="resolved",
        ),
        (
            Made(
                "Resolved: Only 1 % of the disk of db-1 is free",
                "alertmanager/NodeDiskFull",
                "resolved",
                "critical",
            ),
        ),
    ),
    Posted(
        "alertmanager",
        "info, always firing",
        alertmanager(prometheus_alert("Watchdog", {"severity": "none"}, {"message": "I am alive"})),
        (Made("I am alive", "alertmanager/Watchdog", "firing", "info"),),
    ),
    Posted(
        "alertmanager",
        "test",
        alertmanager(
            prometheus_alert(
                "FireDrill",
                {"severity": "critical", "test": "true"},
                {"summary": "Server room burns"},
            )
        ),
        (Made("Test: Server room burns", "alertmanager/FireDrill", "test", "critical"),),
    ),
    Posted(
        "alertmanager",
        "several, with a label that is called state",
        alertmanager(
            prometheus_alert(*_DISK, {"summary": "Only 1 % of the disk of db-1 is free"}),
            prometheus_alert(
                "ReplicaLag",
                {"severity": "warning", "pod": "pg-2", "state": "active"},
                {"description": "The replica is 40 s behind"},
                status="resolved",
                print_="b2",
            ),
            prometheus_alert(*_PRESSURE, {}, print_="c3"),
        ),
        (
            Made(
                "Only 1 % of the disk of db-1 is free",
                "alertmanager/NodeDiskFull",
                "firing",
                "critical",
            ),
            Made(
                "Resolved: The replica is 40 s behind (pg-2)",
                "alertmanager/ReplicaLag",
                "resolved",
                "warning",
            ),
            Made("Feed pressure low", "alertmanager/FeedPressureLow", "firing", "warning"),
        ),
    ),
    Posted(
        "alertmanager",
        "critical, nothing but a name and a place",
        alertmanager(
            prometheus_alert("KubeNodeNotReady", {"severity": "page", "node": "k8s-7"}, {})
        ),
        (
            Made(
                "Kube node not ready (k8s-7)",
                "alertmanager/KubeNodeNotReady",
                "firing",
                "critical",
            ),
        ),
    ),
    Posted("alertmanager", "none", alertmanager(), ()),
)


def grafana_alert(name: str, labels: Json, annotations: Json, *, status: str = "firing") -> Json:
    return prometheus_alert(name, labels, annotations, status=status) | {
        "values": {"A": 14151.33, "C": 1},
        "valueString": "[ var='A' labels={} value=14151.33 ]",
        "silenceURL": "https://grafana.lan/alerting/silence/new",
        "dashboardURL": "https://grafana.lan/d/abc",
        "panelURL": "https://grafana.lan/d/abc?viewPanel=2",
    }


def grafana(*alerts: Json, status: str = "firing") -> Json:
    return {
        "receiver": "prefrontal",
        "status": status,
        "orgId": 1,
        "alerts": list(alerts),
        "groupLabels": {},
        "commonLabels": {},
        "commonAnnotations": {},
        "externalURL": "https://grafana.lan/",
        "version": "1",
        "groupKey": "{}:{}",
        "truncatedAlerts": 0,
        "title": f"[{status.upper()}:{len(alerts)}] house",
        "state": "ok" if status == "resolved" else "alerting",
        "message": f"**{status}**\n\nValue: A=14151.33",
    }


_CELLAR = ("Cellar water", {"severity": "critical", "grafana_folder": "House", "zone": "cellar"})

GRAFANA = (
    Posted(
        "grafana",
        "critical",
        grafana(grafana_alert(*_CELLAR, {"summary": "The cellar is wet"})),
        (Made("The cellar is wet", "grafana/Cellar water", "firing", "critical"),),
    ),
    Posted(
        "grafana",
        "resolved",
        grafana(
            grafana_alert(*_CELLAR, {"summary": "The cellar is wet"}, status="resolved"),
            status="resolved",
        ),
        (
            Made(
                "Resolved: The cellar is wet",
                "grafana/Cellar water",
                "resolved",
                "critical",
            ),
        ),
    ),
    Posted(
        "grafana",
        "info",
        grafana(
            grafana_alert("Backup size", {"severity": "info"}, {"description": "Backup took 41 GB"})
        ),
        (Made("Backup took 41 GB", "grafana/Backup size", "firing", "info"),),
    ),
    Posted(
        "grafana",
        "the button Test",
        grafana(
            grafana_alert("TestAlert", {"instance": "Grafana"}, {"summary": "Notification test"})
        ),
        (Made("Test: Notification test (Grafana)", "grafana/TestAlert", "test"),),
    ),
    Posted(
        "grafana",
        "several",
        grafana(
            grafana_alert(*_CELLAR, {"summary": "The cellar is wet"}),
            grafana_alert("DatasourceNoData", {"rulename": "Freezer", "severity": "warning"}, {}),
            grafana_alert("Attic heat", {}, {"summary": "Attic is warm"}, status="resolved"),
        ),
        (
            Made("The cellar is wet", "grafana/Cellar water", "firing", "critical"),
            Made("Freezer", "grafana/Freezer", "firing", "warning"),
            Made("Resolved: Attic is warm", "grafana/Attic heat", "resolved"),
        ),
    ),
    Posted(
        "grafana",
        "legacy alerting",
        {
            "ruleId": 7,
            "ruleName": "Pump current",
            "ruleUrl": "https://grafana.lan/d/7",
            "state": "alerting",
            "title": "[Alerting] Pump current",
            "message": "Pump 2 has failed",
            "evalMatches": [{"metric": "pump2", "value": 0}],
            "tags": {"severity": "critical"},
        },
        (
            Made(
                "Pump current: Pump 2 has failed",
                "grafana/Pump current",
                "firing",
                "critical",
            ),
        ),
    ),
    Posted(
        "grafana",
        "legacy alerting, well again",
        {"ruleId": 7, "ruleName": "Pump current", "state": "ok", "title": "[OK] Pump current"},
        (Made("Resolved: Pump current", "grafana/Pump current", "resolved"),),
    ),
)


def pagerduty(event_type: str, data: Json, *, by: str | None = None) -> Json:
    return {
        "event": {
            "id": f"01DE{event_type}",
            "event_type": event_type,
            "resource_type": event_type.partition(".")[0],
            "occurred_at": STARTED,
            "agent": {"id": "P1", "summary": by, "type": "user_reference"} if by else None,
            "client": None,
            "data": data,
        }
    }


def incident(status: str, **more: Json) -> Json:
    return {
        "id": "PGR0VU2",
        "type": "incident",
        "number": 2,
        "status": status,
        "incident_key": "d3640fbd41094207a1c11e58e46b1662",
        "title": "Checkout answers with 500",
        "html_url": "https://acme.pagerduty.com/incidents/PGR0VU2",
        "created_at": STARTED,
        "urgency": "high",
        "priority": None,
        "service": {"id": "PF9", "summary": "Web shop", "type": "service_reference"},
        "assignees": [{"id": "P1", "summary": "Ann Berg", "type": "user_reference"}],
        "teams": [],
        **more,
    }


_SHOP = "pagerduty/Web shop"

PAGERDUTY = (
    Posted(
        "pagerduty",
        "critical",
        pagerduty("incident.triggered", incident("triggered")),
        (Made("Checkout answers with 500 (Web shop)", _SHOP, "firing", "critical"),),
    ),
    Posted(
        "pagerduty",
        "low urgency",
        pagerduty("incident.triggered", incident("triggered", urgency="low")),
        (Made("Checkout answers with 500 (Web shop)", _SHOP, "firing", "warning"),),
    ),
    Posted(
        "pagerduty",
        "priority before urgency",
        pagerduty("incident.triggered", incident("triggered", priority={"summary": "P5"})),
        (Made("Checkout answers with 500 (Web shop)", _SHOP, "firing", "info"),),
    ),
    Posted(
        "pagerduty",
        "acknowledged",
        pagerduty("incident.acknowledged", incident("acknowledged"), by="Ann Berg"),
        (
            Made(
                "Acknowledged by Ann Berg: Checkout answers with 500 (Web shop)",
                _SHOP,
                "acknowledged",
                "critical",
            ),
        ),
    ),
    Posted(
        "pagerduty",
        "escalated",
        pagerduty("incident.escalated", incident("triggered")),
        (
            Made(
                "Escalated to Ann Berg: Checkout answers with 500 (Web shop)",
                _SHOP,
                "firing",
                "critical",
            ),
        ),
    ),
    Posted(
        "pagerduty",
        "resolved",
        pagerduty("incident.resolved", incident("resolved"), by="Ann Berg"),
        (
            Made(
                "Resolved by Ann Berg: Checkout answers with 500 (Web shop)",
                _SHOP,
                "resolved",
                "critical",
            ),
        ),
    ),
    Posted(
        "pagerduty",
        "note",
        pagerduty(
            "incident.annotated",
            {"incident": {"id": "PGR0VU2", "summary": "Checkout"}, "content": "Rolling back"},
        ),
        (Made("Checkout: annotated Rolling back", "pagerduty", None, "info"),),
    ),
    Posted(
        "pagerduty",
        "test",
        pagerduty("pagey.ping", {"message": "Hello from your friend Pagey!", "type": "ping"}),
        (Made("Test: PagerDuty webhook: Hello from your friend Pagey!", "pagerduty", "test"),),
    ),
)
