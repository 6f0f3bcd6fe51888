"""Bodies as other tools post them, and the events that each must become."""

from collections.abc import Mapping

from tests.api.alert_bodies import (
    ALERTMANAGER,
    GRAFANA,
    PAGERDUTY,
    STARTED,
    Json,
    Made,
    Posted,
)


def github(event: str, **body: Json) -> tuple[Json, Mapping[str, str]]:
    whole = {"repository": {"full_name": "acme/pump", "id": 1}, "sender": {"login": "ann"}, **body}
    return whole, {"X-GitHub-Event": event, "X-GitHub-Delivery": f"72d3162e-{event}"}


def workflow_run(action: str, conclusion: str | None) -> tuple[Json, Mapping[str, str]]:
    run = {
        "id": 30433642,
        "name": "Build",
        "run_number": 562,
        "run_attempt": 1,
        "head_branch": "main",
        "head_sha": "acb5820c",
        "display_title": "Raise the pump limit",
        "conclusion": conclusion,
        "updated_at": STARTED,
        "html_url": "https://github.com/acme/pump/actions/runs/30433642",
    }
    return github("workflow_run", action=action, workflow_run=run, workflow={"name": "Build"})


_ISSUE = {
    "number": 12,
    "id": 9,
    "title": "Pump stops at night",
    "state": "open",
    "updated_at": STARTED,
}
_PULL = {
    "number": 13,
    "id": 10,
    "title": "Keep the pump on",
    "merged": False,
    "updated_at": STARTED,
    "head": {"ref": "keep-on"},
}
_PUMP = "github/acme/pump"


def _github(name: str, sent: tuple[Json, Mapping[str, str]], *made: Made) -> Posted:
    return Posted("github", name, sent[0], made, sent[1])


GITHUB = (
    _github(
        "failed run",
        workflow_run("completed", "failure"),
        Made(
            "Build #562 on main in acme/pump failed: Raise the pump limit", _PUMP, "firing", "error"
        ),
    ),
    _github(
        "passed run",
        workflow_run("completed", "success"),
        Made(
            "Build #562 on main in acme/pump passed: Raise the pump limit",
            _PUMP,
            "resolved",
            "info",
        ),
    ),
    _github("run that only begins", workflow_run("requested", None)),
    _github(
        "critical",
        github(
            "dependabot_alert",
            action="created",
            alert={
                "number": 2,
                "html_url": "https://github.com/acme/pump/security/dependabot/2",
                "security_advisory": {"summary": "Remote code execution", "severity": "critical"},
                "dependency": {"package": {"name": "serde-lite"}},
                "created_at": STARTED,
            },
        ),
        Made("Remote code execution (serde-lite) in acme/pump", _PUMP, "firing", "critical"),
    ),
    _github(
        "issue opened",
        github("issues", action="opened", issue=_ISSUE),
        Made("Issue #12 opened in acme/pump by ann: Pump stops at night", _PUMP),
    ),
    _github(
        "pull request merged",
        github("pull_request", action="closed", pull_request=_PULL | {"merged": True}),
        Made("Pull request #13 merged in acme/pump by ann: Keep the pump on", _PUMP),
    ),
    _github(
        "review wanted",
        github(
            "pull_request",
            action="review_requested",
            pull_request=_PULL,
            requested_reviewer={"login": "ben"},
        ),
        Made(
            "Pull request #13 waiting for a review by ben in acme/pump by ann: Keep the pump on",
            _PUMP,
        ),
    ),
    _github(
        "push of several commits",
        github(
            "push",
            ref="refs/heads/fix/valve",
            after="acb5820c",
            pusher={"name": "ann"},
            commits=[{"id": "1"}, {"id": "2"}],
            head_commit={"message": "Close the valve\n\nIt leaked.", "timestamp": STARTED},
        ),
        Made("ann pushed 2 commits to fix/valve in acme/pump: Close the valve", _PUMP),
    ),
    _github(
        "test",
        github("ping", zen="Keep it logically awesome.", hook_id=30, hook={"type": "Repository"}),
        Made("Test: GitHub webhook of acme/pump", _PUMP, "test"),
    ),
    _github(
        "event without a form of its own",
        github("star", action="created"),
        Made("Star created in acme/pump by ann", _PUMP),
    ),
)


def cloud_event(number: int, type_: str, data: Json, **more: Json) -> Json:
    return {
        "specversion": "1.0",
        "id": f"A234-{number}",
        "source": "/plant/line-3",
        "type": f"com.acme.{type_}",
        "time": STARTED,
        "datacontenttype": "application/json",
        "data": data,
        **more,
    }


_STRUCTURED = {"Content-Type": "application/cloudevents+json; charset=utf-8"}
_BATCH = {"Content-Type": "application/cloudevents-batch+json"}
_LINE = "/plant/line-3"

CLOUDEVENTS = (
    Posted(
        "cloudevents",
        "critical",
        cloud_event(
            1, "press.alarm", {"message": "Guard open while running", "severity": "critical"}
        ),
        (Made("Guard open while running", _LINE, None, "critical"),),
        _STRUCTURED,
    ),
    Posted(
        "cloudevents",
        "resolved",
        cloud_event(
            2,
            "press.alarm",
            {"message": "Guard open while running", "status": "resolved", "severity": "critical"},
        ),
        (Made("Resolved: Guard open while running", _LINE, "resolved", "critical"),),
        _STRUCTURED,
    ),
    Posted(
        "cloudevents",
        "info without words",
        cloud_event(3, "job.finished", {"pieces": 480, "level": "info"}, subject="job-77"),
        (Made("finished job-77: pieces 480, level info", _LINE, None, "info"),),
        _STRUCTURED,
    ),
    Posted(
        "cloudevents",
        "test",
        cloud_event(4, "press.alarm", {"message": "Guard open", "status": "test"}),
        (Made("Test: Guard open", _LINE, "test"),),
        {"Content-Type": "application/json"},
    ),
    Posted(
        "cloudevents",
        "batch",
        [
            cloud_event(5, "press.alarm", {"message": "Oil fire at press 2"}, severity="critical"),
            cloud_event(6, "press.note", "Shift change in ten minutes"),
        ],
        (
            Made("Oil fire at press 2", _LINE, None, "critical"),
            Made("Shift change in ten minutes", _LINE),
        ),
        _BATCH,
    ),
    Posted(
        "cloudevents",
        "binary",
        {"message": "Robot 4 hit the fence", "severity": "critical"},
        (Made("Robot 4 hit the fence (robot-4)", _LINE, None, "critical"),),
        {
            "Content-Type": "application/json",
            "ce-specversion": "1.0",
            "ce-id": "A234-7",
            "ce-source": _LINE,
            "ce-type": "com.acme.robot.alarm",
            "ce-subject": "robot-4",
            "ce-time": STARTED,
        },
    ),
)


def state(entity_id: str, now: str | None, name: str, **attributes: Json) -> Json | None:
    if now is None:
        return None
    return {
        "entity_id": entity_id,
        "state": now,
        "attributes": {"friendly_name": name, **attributes},
        "last_changed": STARTED,
        "last_updated": STARTED,
        "context": {"id": "01H", "parent_id": None, "user_id": None},
    }


def changed(
    entity_id: str, old: str | None, new: str | None, name: str, **attributes: Json
) -> Json:
    return {
        "event_type": "state_changed",
        "origin": "LOCAL",
        "time_fired": STARTED,
        "context": {"id": "01H"},
        "data": {
            "entity_id": entity_id,
            "old_state": state(entity_id, old, name, **attributes),
            "new_state": state(entity_id, new, name, **attributes),
        },
    }


_SMOKE = "binary_sensor.kitchen_smoke"
_FRIDGE = "sensor.fridge_temperature"

HOME_ASSISTANT = (
    Posted(
        "home_assistant",
        "critical",
        changed(_SMOKE, "off", "on", "Kitchen", device_class="smoke"),
        (Made("Smoke detected: Kitchen", _SMOKE, "firing", "critical"),),
    ),
    Posted(
        "home_assistant",
        "resolved",
        changed(_SMOKE, "on", "off", "Kitchen", device_class="smoke"),
        (Made("Smoke cleared: Kitchen", _SMOKE, "resolved"),),
    ),
    Posted(
        "home_assistant",
        "a value, as the websocket has it",
        {
            "id": 18,
            "type": "event",
            "event": changed(_FRIDGE, "4.1", "9.6", "Fridge", unit_of_measurement="°C"),
        },
        (Made("Fridge is 9.6 °C", _FRIDGE),),
    ),
    Posted(
        "home_assistant",
        "a state by itself",
        state("binary_sensor.front", "on", "Front door", device_class="door"),
        (Made("Front door is open", "binary_sensor.front"),),
    ),
    Posted(
        "home_assistant",
        "attributes alone changed",
        changed(_FRIDGE, "4.1", "4.1", "Fridge", unit_of_measurement="°C"),
        (),
    ),
    Posted(
        "home_assistant",
        "alarm panel",
        changed("alarm_control_panel.home", "armed_away", "triggered", "House alarm"),
        (Made("Alarm triggered: House alarm", "alarm_control_panel.home", "firing", "critical"),),
    ),
    Posted(
        "home_assistant",
        "battery",
        changed("binary_sensor.lock_battery", "off", "on", "Lock", device_class="battery"),
        (Made("Battery low: Lock", "binary_sensor.lock_battery", "firing", "warning"),),
    ),
    Posted(
        "home_assistant",
        "removed",
        changed(_FRIDGE, "4.1", None, "Fridge"),
        (Made("Fridge was removed", _FRIDGE),),
    ),
)

GENERIC = (
    Posted(
        "generic",
        "critical",
        {
            "title": "UPS",
            "message": "Battery empty in 3 minutes",
            "severity": "critical",
            "host": "ups",
        },
        (Made("UPS: Battery empty in 3 minutes", "ups", None, "critical"),),
    ),
    Posted(
        "generic",
        "resolved",
        {"alert_name": "UPS on battery", "status": "ok", "severity": "critical", "id": 4},
        (Made("Resolved: UPS on battery", "generic", "resolved", "critical"),),
    ),
    Posted(
        "generic",
        "info",
        {"msg": "Backup finished", "level": "info", "ts": 1770474612, "app": "backup"},
        (Made("Backup finished", "backup", None, "info"),),
    ),
    Posted(
        "generic",
        "test",
        {"text": "Evacuate now", "severity": "critical", "test": True},
        (Made("Test: Evacuate now", "generic", "test", "critical"),),
    ),
    Posted(
        "generic",
        "several under a usual name",
        {
            "alerts": [
                {"message": "Chlorine leak in hall 2", "severity": "critical", "status": "firing"},
                {"message": "Fan slow", "severity": "minor"},
            ]
        },
        (
            Made("Chlorine leak in hall 2", "generic", "firing", "critical"),
            Made("Fan slow", "generic", None, "warning"),
        ),
    ),
    Posted(
        "generic",
        "no words at all",
        {"sensor": "boiler", "temperature_c": 81.5, "door": {"state": "open"}},
        (Made("sensor boiler, temperature c 81.5, door state open", "boiler"),),
    ),
    Posted(
        "generic",
        "a list, and a door that is no alert",
        [{"text": "The garden door", "state": "closed"}, {"text": "Post has come"}],
        (Made("The garden door", "generic"), Made("Post has come", "generic")),
    ),
)
BODIES = (
    *ALERTMANAGER,
    *GRAFANA,
    *PAGERDUTY,
    *GITHUB,
    *CLOUDEVENTS,
    *HOME_ASSISTANT,
    *GENERIC,
)
