"""A pack that is given secrets, by people and by the deployment, and goes wrong in every way."""

from pathlib import Path

ACTIONS = """\
actions:
  set_code:
    summary: "Set the code of door {door} to {code}"
    verb: update
    words: [set the code]
    object: door
    slots:
      door: {type: door, required: true}
      code: {type: text, secret: true}
    effect: destructive
    handler: "handlers:set_code"
    examples: ["set the code of door D-1", "set the code of D-2"]
  tell_code:
    summary: "Tell {code} at door {door}"
    verb: add
    words: [tell the code]
    object: door
    slots:
      door: {type: door, required: true}
      code: {type: text, secret: true}
    effect: write
    handler: "handlers:set_code"
    examples: ["tell the code at door D-1", "tell the code at D-2"]
  pay_fee:
    summary: "Pay the fee of door {door}"
    verb: create
    words: [pay the fee]
    object: fee
    slots:
      door: {type: door, required: true}
    effect: financial
    http: {method: POST, url: "SERVICE/fees", headers: {Authorization: "Bearer ${BANK_TOKEN}"}}
    examples: ["pay the fee of door D-1", "pay the fee of D-2"]
  show_status:
    summary: "Show the status of door {door}"
    verb: show
    words: [show the status]
    object: door
    slots:
      door: {type: door, required: true}
    effect: read
    http: {method: GET, url: "SERVICE/doors/{door}", headers: {X-Api-Key: "${STATUS_KEY}"}}
    examples: ["show the status of door D-1", "show the status of D-2"]
"""

ENTITIES = """\
entities:
  door: {patterns: ["D-\\\\d{1,4}"]}
"""

HANDLERS = '''\
"""A door that keeps nothing and complains loudly."""

from state.action import ActionResult
from state.errors import Conflict


def set_code(context, *, door, code=None):
    if door == "D-2":
        raise RuntimeError(f"the lock of {door} does not take {code}")
    if door == "D-3":
        raise Conflict(f"{door} has another code than {code}", "locked")
    return ActionResult(text=f"{door} is set.", changed=(f"{door}: new code",))
'''


def write_vault(folder: Path, service: str) -> Path:
    """Write the pack; its HTTP actions go to `service`."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "actions.yaml").write_text(ACTIONS.replace("SERVICE", service), "utf-8")
    (folder / "entities.yaml").write_text(ENTITIES, "utf-8")
    (folder / "handlers.py").write_text(HANDLERS, "utf-8")
    return folder
