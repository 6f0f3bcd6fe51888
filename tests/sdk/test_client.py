"""The client, on a real service: each verb, and what is tried again."""

import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import httpx
import pytest
from typer.testing import CliRunner, Result

from api.app import create_app
from api.cli import cli
from prefrontal.client import CALLS, Client, Refused, refusal_of
from tests.threaded import Running


@pytest.fixture
def captain(service: Running) -> Iterator[Client]:
    with Client(service.url, service.keys[0]) as client:
        yield client


@pytest.fixture
def engineer(service: Running) -> Iterator[Client]:
    with Client(service.url, service.keys[1]) as client:
        yield client


def test_every_call_stands_in_the_document():
    paths = create_app().openapi()["paths"]
    for call in CALLS:
        method, path = call.split(" ")
        assert method.lower() in paths[path], call


def test_asked_shown_and_approved(captain: Client, engineer: Client):
    asked = engineer.say("open valve V-101", session_id="a").approval
    assert asked is not None
    assert asked.action_id in [one.action_id for one in captain.approvals()]
    assert captain.approval(asked.action_id).dialog == asked.dialog
    assert captain.approve(asked).state == "succeeded"
    with pytest.raises(Refused) as late:
        captain.reject(asked, "too late")
    assert (late.value.status, late.value.slug) == (409, "conflict")
    assert late.value.standing == "succeeded"
    assert late.value.request_id


def test_edited_refused_answered_in_words_and_chosen(captain: Client, engineer: Client):
    shown = [engineer.say(f"open valve V-{n}", session_id=f"b{n}").approval for n in range(3)]
    edited, refused, told = [one for one in shown if one]
    assert captain.edit(edited, {"valve": "V-9"}).arguments["valve"] == "V-9"
    assert captain.reject(refused, "not today").reason == "not today"
    assert captain.respond(told, "close it instead").state == "rejected"
    offer = engineer.say("label valve V-9", session_id="c").offer
    assert offer is not None
    assert offer.offer_id in [one.offer_id for one in engineer.offers()]
    chosen = engineer.choose(offer.offer_id, offer.chips[0].chip_id)
    assert engineer.decision(chosen.decision_id).record.outcome == chosen.outcome
    assert "valve" in engineer.search("why did we open the valve?")[0].decision.title
    with pytest.raises(Refused, match="404"):
        engineer.undo("../../livez")


def test_many_are_sent_and_all_are_listed(engineer: Client):
    events = [
        {"event_id": f"n-{n}", "text": "read gauge G-1", "session_id": "n"} for n in range(60)
    ]
    made = engineer.send(events)
    listed = [one.decision_id for one in engineer.decisions(session_id="n")]
    assert sorted(listed) == sorted(one.decision_id for one in made)


def test_the_stream_goes_on_behind_what_was_heard(engineer: Client):
    kinds = []
    for heard in engineer.listen(after=0):
        kinds.append(heard.kind)
        if heard.kind == "decision":
            break
    assert kinds[0] == "gap"  # what it names was told by a process before
    engineer.say("read gauge G-2", session_id="s")
    later = list(islice(engineer.listen(after=heard.id), 1))
    assert later[0].id == heard.id + 1


@pytest.mark.parametrize(
    ("told", "seconds"), [("7", 7.0), ("Wed, 21 Oct 2026 07:28:00 GMT", None), (None, None)]
)
def test_a_refusal_is_one_however_it_says_when(told: str | None, seconds: float | None):
    headers = {} if told is None else {"Retry-After": told}
    assert refusal_of(httpx.Response(503, headers=headers)).retry_after_seconds == seconds


def test_what_was_lost_or_refused_for_now_is_sent_again_and_done_once(service: Running):
    passed: list[httpx.Request] = []
    with httpx.Client(base_url=service.url) as onward:

        def lossy(request: httpx.Request) -> httpx.Response:
            passed.append(request)
            if len(passed) == 1:
                return httpx.Response(503, headers={"Retry-After": "0"})
            answer = onward.send(request)
            if len(passed) == 2:
                raise httpx.ReadError("the answer was lost")
            return answer

        with Client(service.url, service.keys[1], transport=httpx.MockTransport(lossy)) as client:
            made = client.say("read gauge G-3", session_id="lost")
            assert len(passed) == 3
            assert len({one.headers["idempotency-key"] for one in passed}) == 1
            assert [one.decision_id for one in client.decisions(session_id="lost")] == [
                made.decision_id
            ]


def test_the_command_line_speaks_to_a_service_elsewhere(service: Running):
    key = {"PREFRONTAL_KEY": service.keys[1]}

    def run(key: str, *words: str) -> str:
        told = CliRunner().invoke(cli, ["--url", service.url, *words], env={"PREFRONTAL_KEY": key})
        assert told.exit_code == 0, told.output
        return told.output

    made = json.loads(run(service.keys[1], "ask", "open valve V-5", "--session", "cli", "--json"))[
        "approval"
    ]
    assert made["action_id"] in run(service.keys[0], "approvals", "list")
    assert "V-5" in run(service.keys[0], "approvals", "show", made["action_id"])
    wrong = CliRunner().invoke(
        cli,
        ["--url", service.url, "approvals", "approve", made["action_id"], "0" * 12],
        env={"PREFRONTAL_KEY": service.keys[0]},
    )
    assert wrong.exit_code == 2
    done = run(
        service.keys[0], "approvals", "approve", made["action_id"], made["digest"][:12], "--json"
    )
    assert json.loads(done)["state"] == "succeeded"
    ben = service.keys[1]
    assert "check the pump" in run(ben, "reminders", "ask", "in 20 minutes to check the pump")
    (waiting,) = json.loads(run(ben, "reminders", "list", "--json"))
    assert json.loads(run(ben, "reminders", "cancel", "pump", "--json")) == []
    assert waiting["user"] == "amir"
    assert "Quiet" in run(ben, "quiet", "ask", "be quiet for 20 minutes", "--session", "cli")
    assert json.loads(run(ben, "quiet", "why", "--session", "cli", "--json"))["is_quiet"]
    assert not json.loads(run(ben, "quiet", "end", "--session", "cli", "--json"))["is_quiet"]

    nobody = CliRunner().invoke(cli, ["--url", service.url, "ask", "hi", "--key", "pf_none"])
    assert (nobody.exit_code, "401" in nobody.output) == (1, True)
    none = CliRunner().invoke(cli, ["--url", service.url, "ask", "hi", "--key", "pf_…"])
    assert (none.exit_code, "holds no key" in none.output) == (2, True)
    who = CliRunner().invoke(cli, ["--url", service.url, "ask", "hi", "--as", "ann:mate"], env=key)
    assert (who.exit_code, "--user ann --role mate" in who.output) == (2, True)


def test_the_environment_names_the_service_for_what_it_has(service: Running):
    env = {"PREFRONTAL_URL": service.url, "PREFRONTAL_KEY": service.keys[1]}

    def run(*words: str) -> Result:
        return CliRunner().invoke(cli, list(words), env=env)

    assert "read_gauge" in run("ask", "read gauge G-3").output
    last = run("why", "--last")
    assert (last.exit_code, "read gauge G-3" in last.output) == (0, True)
    assert json.loads(run("why", "--last", "--json").output)["record"]
    assert run("why").exit_code == 2
    local = run("pack", "check", "companion")  # no route of a service: done here
    assert (local.exit_code, "actions, no faults" in local.output) == (0, True)
    said = CliRunner().invoke(cli, ["--url", service.url, "pack", "check", "companion"])
    assert (said.exit_code, "leave --url out" in said.output) == (2, True)


def test_the_journal_of_a_service_elsewhere(service: Running, tmp_path: Path):
    key = {"PREFRONTAL_KEY": service.keys[1]}

    def run(*words: str) -> str:
        told = CliRunner().invoke(cli, ["--url", service.url, "journal", *words], env=key)
        assert told.exit_code == 0, told.output
        return told.output

    said = {"message_id": "m-1", "speaker": "ann", "content": "We decided to use Postgres."}
    talk = tmp_path / "talk.jsonl"
    talk.write_text(json.dumps(said), "utf-8")
    assert "1 decisions added" in run("import", str(talk))
    assert "1 were there already" in run("import", str(talk))
    found = json.loads(run("search", "why Postgres?", "--limit", "1", "--json"))
    assert "Postgres" in run("show", found["id"])
    assert found["id"] in run("chain", found["id"])
    lines = [json.loads(line) for line in run("export").splitlines() if line.startswith("{")]
    assert found["id"] in [one["id"] for one in lines]
    talk.write_text(json.dumps(lines[0]), "utf-8")
    told = CliRunner().invoke(cli, ["--url", service.url, "journal", "import", str(talk)], env=key)
    assert (told.exit_code, "leave --url out" in told.output) == (2, True)


def test_a_session_is_reminded_and_hushed_from_afar(engineer: Client):
    asked = engineer.remind("look at the valve", in_seconds=900.0, session_id="far")
    assert [one.reminder_id for one in engineer.reminders("far")] == [asked.reminder_id]
    engineer.call_off(asked.reminder_id, session_id="far")
    assert list(engineer.reminders("far")) == []
    assert engineer.hush("far", minutes=5).is_quiet
    assert not engineer.end_quiet("far").is_quiet
