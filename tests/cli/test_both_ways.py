"""A command prints the same in this process and beside a running service."""

import re
import shlex
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from shutil import copytree

import httpx
import pytest
from typer.testing import Result

from api.cli.in_process import local_app
from api.cli.service import announce, running_address
from api.http.local_access import LIFE_SECONDS, LocalAccess
from graph.services.backup_archive import files_to_back_up
from graph.settings import Settings
from graph.wiring.composition import open_executive
from state.principal import ACCESS, Principal
from tests.cli.conftest import SALIENT, Prefrontal, records
from tests.threaded import running

BEN = ("--as", "ben:engineer")
CHIEF = ("--as", "marta:chief")

READS: Sequence[str] = (
    "approvals list",
    "approvals list --state all --json",
    "approvals show {gated}",
    "approvals show {gated} --json",
    "approvals show nothing",
    "offers list --all",
    "offers list --json",
    "actions list",
    "actions list --json",
    "actions show {gated}",
    "actions show nothing --json",
    "why --last",
    "why {decision}",
    "why {start} --json",
    "why e-1",
    "why nothing",
    "why 'why did we decide to sail at dawn?'",
    "queries export",
    "queries metrics",
    "queries metrics --json",
    "queries gaps",
    "queries quality",
    "queries harm",
    "quiet why --json",
    "reminders list",
    "memory about WO-1042",
    "memory entity WO-1042 --json",
    "memory goals",
    "heuristics list",
    "heuristics show bilge --json",
    "personality show",
    "skills list",
    "tools list",
    "tools show nothing",
    "refusals list --as marta:chief",
    "grants list --as marta:chief",
    "journal search 'sail at dawn'",
    "journal export",
    "journal links",
    "ledger show {gated}",
    "keys list",
)
"""Commands that only read."""

WRITES: Sequence[str] = (
    "ask 'check stock of belts' --json",
    "ask 'close WO-1042' --as ben:engineer",
    "ask 'close WO-1042' --as cook:cook",
    "grants add {gated} 000000000000 --allow work_order --uses 2 --as marta:chief",
    "grants add {gated} {digest} --allow work_order --uses 2 --as marta:chief",
    "grants add {gated} {digest} --allow 'count<=many' --uses 2 --as marta:chief",
    "grants revoke nothing --as marta:chief",
    "approvals approve {gated} {digest} --as ben:engineer",
    "approvals approve {gated} 000000000000 --as marta:chief",
    "approvals approve {gated} {digest}",
    "approvals edit {gated} {digest} --as marta:chief --set colour=red",
    "approvals approve {gated} {digest} --as marta:chief",
    "approvals reject {gated} {digest} --as marta:chief",
    "ask 'order 4 oil filters' --as ben:engineer",
    "offers choose {offer} chip-9 --as ben:engineer",
    "offers choose {offer} chip-1 --as ben:engineer",
    "actions undo {gated} --as ben:engineer",
    "refusals add order_part --as marta:chief --reason full",
    "refusals add order_part --as ben:engineer",
    "reminders ask 'in 20 minutes to check it' --as ben:engineer",
    "reminders cancel check --as ben:engineer",
    "quiet ask 'be quiet for 20 minutes' --as ben:engineer",
    "quiet end --as ben:engineer --json",
    "personality adjust humor 0.1 --as ben:engineer",
    "heuristics disable bilge",
    "heuristics disable bilge --as ben:engineer",
    "feedback nothing good --as ben:engineer",
    "ledger settle {gated} --happened --evidence seen --as marta:chief",
    "journal import talk.jsonl",
    "journal import talk.jsonl --json",
    "journal reindex",
    "memory forget ben --dry-run",
)
"""Commands that change something, in this order."""

_VARIES = re.compile(
    r"\b[0-9a-f]{8}-[0-9a-f-]{27}\b|\b[0-9a-f]{12,64}\b|\boffer-[0-9a-f-]+|\bevt-[0-9a-f]+"
    r"|\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?|\b\d\d:\d\d(:\d\d)?\b|\b\d+\.\d+|\b1[0-9]{9}\b"
)
"""Ids, digests, times and measures, which no two runs share."""

Run = Callable[[str], Result]


@pytest.fixture
def names(prefrontal: Prefrontal, stream: Callable[..., str], here: Path) -> Mapping[str, str]:
    """Fill a data folder with one decision of each kind; name what the commands name."""
    events = stream({"event_id": "e-1", "source": "bilge", "text": "Bilge level high",
                     "salience": SALIENT})  # fmt: skip
    assert prefrontal("run", events, "--data-dir", "data").exit_code == 0
    (asked,) = records(prefrontal("ask", "close WO-1042", *BEN, "--json"))
    (noted,) = records(prefrontal("ask", "add note to WO-1038: it weeps", *BEN, "--json"))
    (here / "talk.jsonl").write_text('{"content": "We decided to sail at dawn."}\n', "utf-8")
    assert prefrontal("journal", "import", "talk.jsonl").exit_code == 0
    return {
        "gated": asked["action_id"],
        "digest": asked["approval"]["digest"][:12],
        "decision": asked["decision_id"],
        "start": asked["decision_id"][:8],
        "offer": noted["offer_id"],
    }


@contextmanager
def served(folder: Path, environment: Mapping[str, str]) -> Iterator[None]:
    """Run a service on a folder, as `prefrontal serve` does, in a thread."""
    settings = Settings(
        data_dir=folder,
        packs=(environment["EXECUTIVE_PACKS"],),
        cache_dir=Path(environment["EXECUTIVE_CACHE_DIR"]),
    )
    with running(open_executive(settings), is_announced=True):
        assert running_address(folder)
        yield


def _told(prefrontal: Prefrontal, command: str, names: Mapping[str, str]) -> tuple[int, str, str]:
    result = prefrontal(*(word.format(**names) for word in shlex.split(command)))
    errors = [line for line in result.stderr.splitlines() if line.startswith("prefrontal:")]
    return result.exit_code, result.stdout, "\n".join(errors)


def _all_told(
    prefrontal: Prefrontal, commands: Sequence[str], names: Mapping[str, str]
) -> dict[str, tuple[int, str, str]]:
    return {one: _told(prefrontal, one, names) for one in commands}


def test_reading_commands_print_the_same(
    prefrontal: Prefrontal, names: Mapping[str, str], here: Path, environment: Mapping[str, str]
) -> None:
    alone = _all_told(prefrontal, READS, names)
    with served(here / "data", environment):
        beside = _all_told(prefrontal, READS, names)
    # A moment later the attention of a session has moved; the words are the same.
    moving = {"quiet why --json", "personality show"}
    for command in READS:
        same = _without_ids if command in moving else tuple
        assert same(beside[command]) == same(alone[command]), command
    assert {one for one, (code, _out, _err) in alone.items() if code} == {
        one for one in READS if "nothing" in one
    }


def test_changing_commands_print_the_same(
    prefrontal: Prefrontal, names: Mapping[str, str], here: Path, environment: Mapping[str, str]
) -> None:
    copytree(here / "data", here / "copy")
    alone = _all_told(prefrontal, WRITES, names)
    (here / "data").rename(here / "done")
    (here / "copy").rename(here / "data")
    with served(here / "data", environment):
        beside = _all_told(prefrontal, WRITES, names)
    for command in WRITES:
        assert _without_ids(beside[command]) == _without_ids(alone[command]), command
    assert [code for code, _out, _err in alone.values()].count(0) >= len(WRITES) // 2


def _without_ids(told: tuple[int, str, str]) -> tuple[int, str, str]:
    code, out, err = told
    return code, _VARIES.sub("…", out), _VARIES.sub("…", err)


def test_the_secret_is_for_the_owner_of_the_folder_alone(tmp_path: Path) -> None:
    access = announce(tmp_path, "http://127.0.0.1:1")
    file = tmp_path / "service.key"
    assert file.stat().st_mode & 0o777 == 0o600
    assert bytes.fromhex(file.read_text("utf-8")) == access.secret
    assert announce(tmp_path, "http://127.0.0.1:1").secret != access.secret
    assert list(files_to_back_up(tmp_path)) == []
    assert running_address(tmp_path) is None  # nobody holds the folder: a killed service left it


def test_a_token_of_another_secret_or_of_every_role_approves_nothing() -> None:
    access, other = LocalAccess(b"a" * 32), LocalAccess(b"b" * 32)
    marta = Principal(user="marta", tenant_id="default", roles=("chief",), sources=("bridge",))
    token = access.token(marta)
    assert access.caller(token, ()) == marta.model_copy(update={"sources": ("terminal",)})
    for seconds in (LIFE_SECONDS + 1, -LIFE_SECONDS):  # expired; made by a clock far ahead
        then = LocalAccess(access.secret, partial(float, time.time() + seconds))
        assert then.caller(token, ()) is None
    for wrong in (other.token(marta), f"{token}0", token.partition(".")[0], "pfl_", "pfl_é.é"):
        assert access.caller(wrong, ()) is None
    owner = access.caller(access.token(marta.model_copy(update={"roles": ("*",)})), ("chief",))
    assert owner is not None
    assert (owner.roles, owner.scopes) == (("admin", "chief"), ("read", "ask"))


def test_a_command_may_no_more_than_it_does(
    prefrontal: Prefrontal, names: Mapping[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[tuple[str, ...]] = []
    token = LocalAccess.token

    def noted(self: LocalAccess, caller: Principal) -> str:
        made.append(caller.scopes)
        return token(self, caller)

    monkeypatch.setattr(LocalAccess, "token", noted)
    for command, scopes in (
        ("ask 'check stock' --as marta:chief", ACCESS["operator"]),
        ("quiet end --as marta:chief", ACCESS["operator"]),
        ("actions undo {gated} --as marta:chief", ACCESS["operator"]),
        ("approvals list", ACCESS["viewer"]),
        ("refusals list --as marta:chief", ACCESS["viewer"]),
        ("refusals add order_part --as marta:chief", ACCESS["approver"]),
        ("grants list --as marta:chief", ACCESS["viewer"]),
        ("grants revoke nothing --as marta:chief", ACCESS["approver"]),
        ("approvals approve {gated} 000000000000 --as marta:chief", ACCESS["approver"]),
        ("approvals reject {gated} 000000000000 --as marta:chief", ACCESS["full"]),
    ):
        made.clear()
        _told(prefrontal, command, names)
        assert {*made} == {scopes}, command


def test_every_role_is_no_role_to_act_in(prefrontal: Prefrontal, names: Mapping[str, str]) -> None:
    for speaker in ("x:*", "x:chief, *"):
        refused = prefrontal("ask", "close WO-1042", "--as", speaker)
        assert (refused.exit_code, "takes roles by name" in refused.stderr) == (2, True)


def test_beside_a_service_a_key_says_who_acts_unless_as_does(
    prefrontal: Prefrontal,
    names: Mapping[str, str],
    here: Path,
    environment: Mapping[str, str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    key = prefrontal("keys", "create", "--user", "ida", "--role", "engineer").stdout.strip()
    with served(here / "data", environment):
        monkeypatch.setenv("PREFRONTAL_KEY", key)
        (asked,) = records(prefrontal("ask", "close WO-1050", "--json"))
        assert asked["approval"]["requester"] == "ida"
        (asked,) = records(prefrontal("ask", "close WO-1051", *BEN, "--json"))
        assert asked["approval"]["requester"] == "ben"
        monkeypatch.delenv("PREFRONTAL_KEY")
        (here / "data" / "service.key").unlink()
        refused = prefrontal("approvals", "list")
        assert (refused.exit_code, "PREFRONTAL_KEY" in refused.stderr) == (1, True)


def test_whose_keys_are_revoked_approves_nothing_on_this_machine(
    prefrontal: Prefrontal, names: Mapping[str, str], here: Path, environment: Mapping[str, str]
) -> None:
    prefrontal("keys", "create", "--user", "marta", "--role", "chief")
    (key,) = records(prefrontal("keys", "list", "--json"))
    assert prefrontal("keys", "revoke", key["key_id"]).exit_code == 0
    answer = ("approvals", "approve", names["gated"], names["digest"])
    with served(here / "data", environment):
        beside = prefrontal(*answer, *CHIEF)
    alone = prefrontal(*answer, *CHIEF)
    respelt = prefrontal(*answer, "--as", "Marta:chief")
    for one in (beside, alone, respelt):
        assert "every key of theirs is revoked or expired" in one.output, one.output
        assert "closed" not in one.output
    (standing,) = records(prefrontal("approvals", "show", names["gated"], "--json"))
    assert standing["state"] == "pending"
    assert not list((here / "data").rglob("shop.sqlite"))


async def test_a_token_of_a_service_answers_nothing(tmp_path: Path):
    """Nobody but a person says yes, whatever scopes and roles a token of this process carries."""
    settings = Settings(data_dir=tmp_path, packs=("vessel",))
    bot = Principal(
        user="bot",
        tenant_id="default",
        roles=("chief_engineer",),
        kind="service",
        scopes=ACCESS["full"],
    )
    async with open_executive(settings) as executive:
        app, access = local_app(executive)
        near = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=near, base_url="http://127.0.0.1") as client:

            async def send(path: str, sent: object) -> httpx.Response:
                headers = {"Authorization": f"Bearer {access.token(bot)}"}
                return await client.post(path, json=sent, headers=headers)

            asks = {"action": "close_work_order", "arguments": {"work_order": "WO-1042"}}
            waiting = (await send("/v1/proposals", asks)).json()["approval"]
            writes = {
                "action": "add_note_to_work_order",
                "arguments": {"work_order": "WO-1060", "note": "seals"},
            }
            choice = (await send("/v1/proposals", writes)).json()["choice"]
            yes = {"decision": "approve", "digest": waiting["digest"]}
            grant = {"action_id": waiting["id"], "digest": waiting["digest"], "minutes": 5}
            resume = {
                "interruptId": waiting["id"],
                "status": "resolved",
                "payload": {"approved": True, "payload_hash": waiting["digest"]},
            }
            tried = {
                f"/v1/approvals/{waiting['id']}": yes,
                "/v1/approvals/decide": {"answers": [{"action_id": waiting["id"], **yes}]},
                "/v1/grants": {**grant, "uses": 2, "arguments": {"work_order": {"any": True}}},
                f"/v1/offers/{choice['offer_id']}": {"chip_id": choice["chip_id"]},
                "/v1/ag-ui": {
                    "threadId": "t", "runId": "r", "messages": [], "state": {}, "tools": [],
                    "context": [], "forwardedProps": {}, "resume": [resume],
                },
            }  # fmt: skip
            answers = {path: (await send(path, sent)).status_code for path, sent in tried.items()}
            headers = {"Authorization": f"Bearer {access.token(bot)}"}
            standing = (await client.get(f"/v1/approvals/{waiting['id']}", headers=headers)).json()
        assert set(answers.values()) == {403}, answers
        assert standing["state"] == "pending"
