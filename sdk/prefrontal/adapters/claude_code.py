"""Claude Code: a hook, and a permission prompt, that put the gate before its tools.

In `.claude/settings.json` the events PreToolUse (or PermissionRequest), PostToolUse and
PostToolUseFailure run `prefrontal-hook`; PREFRONTAL_URL and PREFRONTAL_KEY say where and who. The
hook reads an event as JSON on its input and answers on its output, with exit status 0: allow, or
deny and why, also when a person has not answered yet or the service cannot be reached. An event or
a setting that it cannot use, or an unknown key, blocks the tool with exit status 2.
"""

import argparse
import hashlib
import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from prefrontal.client import Client
from prefrontal.gate import Gate
from prefrontal.outcomes import Outcome, ToolCall, evidence_of
from prefrontal.types.declared_tool import DeclaredTool, Permit

Json = dict[str, Any]
_WAITING = (
    "Waiting for a person to approve it{where}. Nothing has run. "
    "Make the same call again after a person approved it ({id})."
)
_START = (
    "The tool is blocked. Start the service with `prefrontal serve`, or correct PREFRONTAL_URL."
)
BLOCKED = 2
"""Exit status by which Claude Code takes a hook for a no; any other failure lets the tool run."""


def main() -> int:
    """Answer one event of Claude Code."""
    options = _options(sys.argv[1:])
    try:
        event = json.load(sys.stdin)
        url, key = os.environ["PREFRONTAL_URL"], os.environ["PREFRONTAL_KEY"]
        with Client(url, key) as client:
            gate = Gate(
                client,
                wait_seconds=options.wait,
                free=options.free,
                effects=dict(one.split("=", 1) for one in options.effect),
            )
            answer = answer_event(gate, event, options.state)
    except Exception as error:  # noqa: BLE001 - an unforeseen failure must not let the tool run
        print(f"prefrontal-hook: {type(error).__name__}: {error}", file=sys.stderr)
        return BLOCKED
    if answer:
        print(json.dumps(answer))
    return 0


def answer_event(gate: Gate, event: Mapping[str, Any], state: Path) -> Json | None:
    """Return what the hook prints; None leaves the decision to Claude Code's own rules.

    The folder `state` holds what the next process has to know: calls that wait for a person, and
    taken permits until the tool's end is reported by the event after it. When none comes, the
    service takes the outcome for unknown, and a person settles it.
    """
    kind = event["hook_event_name"]
    if kind in ("PreToolUse", "PermissionRequest"):
        return _asked(gate, event, state)
    if kind in ("PostToolUse", "PostToolUseFailure"):
        _ended(gate, event, state)
    return None


def answer_prompt(gate: Gate, name: str, given: Json, call_id: str | None, state: Path) -> Json:
    """Return the answer of a `--permission-prompt-tool`: allow with the approved input, or deny.

    The permit is kept in the folder `state`, for the hook that reports how the tool ended.
    """
    event = {"tool_name": name, "tool_input": given, "tool_use_id": call_id}
    refusal, approved = _decided(gate, event, state)
    if refusal is not None:
        return {"behavior": "deny", "message": refusal}
    return {"behavior": "allow", "updatedInput": given if approved is None else approved}


def _asked(gate: Gate, event: Mapping[str, Any], state: Path) -> Json | None:
    refusal, approved = _decided(gate, event, state)
    is_free = refusal is None and approved is None
    return None if is_free else _answer(event, refusal, approved)


def _decided(gate: Gate, event: Mapping[str, Any], state: Path) -> tuple[str | None, Json | None]:
    """Return why a tool may not run, or the input that it may run with; neither: it is free."""
    name, given = event["tool_name"], event["tool_input"]
    if name in gate.free:
        return None, None
    waiting = _place(event, given, state).with_suffix(".waits")
    if waiting.exists():
        gate.resume(waiting.read_text("utf-8"), wait_seconds=0)
    outcome = gate.check(ToolCall(name, {"input": given}, _own(name)))
    waiting.unlink(missing_ok=True)
    if outcome.is_pending and outcome.proposal:
        _keep(waiting, outcome.proposal.proposal_id)
    if outcome.may_run:
        outcome = gate.take(outcome)
    if not outcome.may_run or outcome.permit is None:
        return _told(outcome), None
    approved = outcome.arguments["input"]
    _keep(_permit(event, approved, state), outcome.permit.model_dump_json())
    return None, approved


def _told(outcome: Outcome) -> str:
    """Say why a tool may not run now, and what to do: the model has no other tool to ask with."""
    view = outcome.proposal
    if outcome.is_pending and view:
        asked = view.approval or view.choice
        where = f" at {asked.url}" if asked and asked.url else ""
        return _WAITING.format(where=where, id=view.proposal_id)
    return f"{outcome.text} {_START}" if outcome.status == "unreachable" else outcome.text


def _ended(gate: Gate, event: Mapping[str, Any], state: Path) -> None:
    place = _permit(event, event["tool_input"], state)
    if not place.exists():
        return
    permit = Permit.model_validate_json(place.read_text("utf-8"))
    outcome = Outcome("permitted", "", permit.arguments, permit=permit)
    if event["hook_event_name"] == "PostToolUse":
        said = evidence_of(outcome, json.dumps(event.get("tool_response"), ensure_ascii=False))
    else:
        said = evidence_of(outcome, error=RuntimeError(str(event.get("error"))))
    gate.report(outcome, said)
    place.unlink()


def _keep(place: Path, content: str) -> None:
    place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with os.fdopen(os.open(place, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
        file.write(content)


def _answer(event: Mapping[str, Any], refusal: str | None, given: Json | None = None) -> Json:
    kind = event["hook_event_name"]
    changed = {} if given is None or given == event["tool_input"] else {"updatedInput": given}
    if kind == "PermissionRequest":
        decision = {"behavior": "allow", **changed}
        if refusal is not None:
            decision = {"behavior": "deny", "message": refusal}
        return {"hookSpecificOutput": {"hookEventName": kind, "decision": decision}}
    told: Json = {"permissionDecision": "deny" if refusal else "allow", **changed}
    if refusal or changed:
        told["permissionDecisionReason"] = refusal or "An approver changed the input."
    return {"hookSpecificOutput": {"hookEventName": kind, **told}}


def _own(name: str) -> DeclaredTool:
    schema: Json = {
        "type": "object",
        "properties": {"input": {"type": "object"}},
        "required": ["input"],
    }
    return DeclaredTool(name=name, description=f"Claude Code's tool {name}", arguments=schema)


def _place(event: Mapping[str, Any], given: Any, state: Path) -> Path:
    """Name the file of a call by what it is: made again, it has another id."""
    return _file([event.get("session_id"), event["tool_name"], given], state)


def _permit(event: Mapping[str, Any], given: Any, state: Path) -> Path:
    """Name the file of a taken permit by the call's id, where Claude Code tells it."""
    call_id = event.get("tool_use_id")
    return _file([call_id], state) if call_id else _place(event, given, state)


def _file(named: list[Any], state: Path) -> Path:
    told = json.dumps(named, sort_keys=True)
    return state / f"{hashlib.sha256(told.encode()).hexdigest()}.json"


def state_folder() -> Path:
    """Return where permits are kept between the question and the end of a tool."""
    home = Path(os.environ.get("XDG_STATE_HOME", Path.home() / ".local" / "state"))
    return home / "prefrontal" / "permits"


def _options(words: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="prefrontal-hook", description=__doc__)
    parser.add_argument("--wait", type=float, default=45.0, help="seconds to wait for a person")
    parser.add_argument("--free", nargs="*", default=[], help="tools that are not asked for")
    parser.add_argument("--effect", nargs="*", default=[], help="such as WebFetch=read")
    parser.add_argument("--state", type=Path, default=state_folder())
    return parser.parse_args(words)


if __name__ == "__main__":
    sys.exit(main())
