"""`prefrontal pack check` and `doctor`: the set-up, looked at."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest
from filelock import FileLock
from typer.testing import CliRunner, Result

from api.cli import cli
from tests.cli.conftest import Prefrontal, records
from tests.openai_server import OpenAIServer


def test_a_sound_pack_lists_what_would_be_gated(prefrontal: Prefrontal, shop: Path) -> None:
    result = prefrontal("pack", "check", str(shop))
    assert result.exit_code == 0
    gated = result.stdout.partition("class C")[2]
    assert "close_work_order" in gated
    assert "chief, 2 of them" in gated
    assert "check_stock" not in gated


def test_every_fault_of_a_pack_is_named_with_its_line(prefrontal: Prefrontal, shop: Path) -> None:
    (shop / "heuristics.yaml").write_text("heuristics:\n  - {id: x, colour: red}\n", "utf-8")
    told = prefrontal("pack", "check", str(shop))
    assert told.exit_code == 1
    assert "heuristics.yaml:2: " in told.stdout
    (body,) = records(prefrontal("pack", "check", str(shop), "--json"))
    assert {"file", "line", "field", "problem"} == set(body["faults"][0])


def test_a_shipped_pack_is_found_by_name(prefrontal: Prefrontal) -> None:
    (body,) = records(prefrontal("pack", "check", "vessel", "--json"))
    assert body["faults"] == []
    assert "close_work_order" in body["classes"]["C"]


def test_examples_are_said_and_those_that_miss_are_named(prefrontal: Prefrontal, shop: Path):
    actions = (shop / "actions.yaml").read_text("utf-8")
    asked, denied = '"how many belts do we have"', '"don\'t close WO-1042"'
    odd = actions.replace('"close WO-1042"', f'"close WO-1042", {denied}')
    odd = odd.replace(asked, f'{asked}, "order 4 oil filters"')
    (shop / "actions.yaml").write_text(odd.replace('"buy 6 belts"', '"buy belts"'), "utf-8")

    told = prefrontal("pack", "check", str(shop), "--say")
    (body,) = records(prefrontal("pack", "check", str(shop), "--say", "--json"))

    assert told.exit_code == 0
    assert (
        "hint: 'order 4 oil filters' is an example of check_stock and of order_part" in told.stdout
    )
    missed = {one["text"]: (one["reached"], one["lacks"]) for one in body["missed"]}
    assert missed["don't close WO-1042"][0] is None
    assert missed["buy belts"] == ("order_part", ["quantity"])
    assert missed.keys() < {
        "don't close WO-1042",
        "buy belts",
        "order 4 oil filters",
        "check stock",
    }
    assert "reaches no action instead of close_work_order" in told.stdout
    assert "reaches order_part without quantity" in told.stdout


def test_an_unknown_pack_is_wrong_use_and_the_shipped_ones_are_named(prefrontal: Prefrontal):
    result = prefrontal("pack", "check", "atlantis")
    assert result.exit_code == 2
    assert "vessel" in result.stderr


def states(result: Result) -> dict[str, str]:
    """Read the findings of the doctor."""
    return {found["what"]: found["state"] for found in json.loads(result.stdout)["findings"]}


def test_a_fresh_set_up_is_sound_and_degraded(prefrontal: Prefrontal, here: Path) -> None:
    result = prefrontal("doctor", "--json")
    assert result.exit_code == 0
    assert states(result) == {
        "settings": "ok",
        "policy": "ok",
        "packs": "ok",
        "traces": "ok",
        "folder": "ok",
        "room": "ok",
        "database": "ok",
        "files": "ok",
        "keys": "ok",
        "sessions": "ok",
        "ledger": "ok",
        "journal": "ok",
        "vectors": "ok",
        "model": "degraded",
        "encoder": "ok",
        "speech": "degraded",
    }
    assert list(here.iterdir()) == []


def test_what_could_speak_is_named(
    environment: Mapping[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "bin" / "espeak-ng"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n")
    program.chmod(0o700)
    monkeypatch.setenv("PATH", str(program.parent))
    found = {
        speech: next(
            one
            for one in json.loads(doctor(environment, EXECUTIVE_SPEECH=speech).stdout)["findings"]
            if one["what"] == "speech"
        )
        for speech in ("off", "auto")
    }
    assert found["off"]["state"] == "degraded"
    assert "available: espeak-ng (EXECUTIVE_SPEECH=auto)" in found["off"]["says"]
    assert (found["auto"]["state"], found["auto"]["says"]) == (
        "ok",
        "espeak-ng speaks where the service runs",
    )
    program.write_text("#!/bin/sh\necho 'error: Failed to open the sound device' >&2\n")
    findings = json.loads(doctor(environment, EXECUTIVE_SPEECH="auto").stdout)["findings"]
    (deaf,) = [one for one in findings if one["what"] == "speech"]
    assert deaf["state"] == "degraded"
    assert "nothing can be heard here (error: Failed to open the sound device)" in deaf["says"]


def doctor(environment: Mapping[str, str], **more: str) -> Result:
    """Ask the doctor in a changed environment."""
    return CliRunner(env={**environment, **more}).invoke(cli, ["doctor", "--json"])


@pytest.mark.parametrize(
    ("variable", "value", "what"),
    [
        ("EXECUTIVE_PACKS", "atlantis", "packs"),
        ("EXECUTIVE_POLICY_FILE", "absent.toml", "policy"),
        ("EXECUTIVE_DATA_DIR", "file/data", "folder"),
    ],
)
def test_what_is_broken_is_exit_1(
    here: Path, environment: Mapping[str, str], variable: str, value: str, what: str
) -> None:
    (here / "file").touch()
    result = doctor(environment, **{variable: value})
    assert result.exit_code == 1
    assert states(result)[what] == "broken"


def test_a_variable_nobody_knows_is_told(here: Path, environment: Mapping[str, str]) -> None:
    result = doctor(environment, EXECUTIVE_DATADIR="x")
    assert result.exit_code == 0
    assert "EXECUTIVE_DATADIR" in result.stdout


def test_a_damaged_database_is_broken(here: Path, environment: Mapping[str, str]) -> None:
    (here / "data").mkdir()
    (here / "data" / "prefrontal.sqlite").write_bytes(b"no database at all" * 100)
    result = doctor(environment)
    assert result.exit_code == 1
    assert states(result)["database"] == "broken"


@pytest.mark.parametrize(
    "url", ["nonsense", "postgresql+nothing://me:hush@127.0.0.1/x", "oracle://x/y"]
)
def test_a_database_that_is_not_sqlite_is_a_sentence(
    here: Path, environment: Mapping[str, str], url: str
) -> None:
    used = CliRunner(env={**environment, "EXECUTIVE_DATABASE_URL": url})
    for words in (["doctor"], ["ask", "check stock"]):
        refused = used.invoke(cli, words)
        assert refused.exit_code == 2
        assert "EXECUTIVE_DATABASE_URL: only SQLite" in refused.stderr
        assert "hush" not in refused.output


def test_a_damaged_database_is_a_sentence_everywhere(prefrontal: Prefrontal, here: Path) -> None:
    (here / "data").mkdir()
    (here / "data" / "prefrontal.sqlite").write_bytes(b"no database at all" * 100)
    for words in (("ask", "check stock"), ("why", "--last"), ("approvals", "list")):
        result = prefrontal(*words)
        assert result.exit_code == 1
        assert "database" in result.stderr
        assert "Traceback" not in result.output


def test_a_folder_in_use_is_no_fault(here: Path, environment: Mapping[str, str]) -> None:
    (here / "data").mkdir()
    with FileLock(here / "data" / "lock"):
        result = doctor(environment)
    assert result.exit_code == 0
    assert "in use" in result.stdout


def test_secrets_are_hidden(here: Path, environment: Mapping[str, str]) -> None:
    assert "sk-very-secret" not in doctor(environment, OPENAI_API_KEY="sk-very-secret").output


def test_a_model_is_asked_whether_it_is_there(
    here: Path, environment: Mapping[str, str], openai_server: OpenAIServer
) -> None:
    served = openai_server.base_url
    given = {"EXECUTIVE_MODEL": "no-such-model", "EXECUTIVE_MODEL_BASE_URL": served}
    assert states(doctor(environment, **given))["model"] == "broken"
    gone = {**given, "EXECUTIVE_MODEL_BASE_URL": "http://127.0.0.1:1/v1"}
    assert "does not answer" in doctor(environment, **gone).stdout


def test_an_encoder_is_tried(
    here: Path, environment: Mapping[str, str], openai_server: OpenAIServer
) -> None:
    server = {
        "EXECUTIVE_EMBEDDER": "openai",
        "EXECUTIVE_EMBEDDING_MODEL": "test",
        "EXECUTIVE_EMBEDDING_BASE_URL": openai_server.base_url,
    }
    gone = server | {"EXECUTIVE_EMBEDDING_BASE_URL": "http://127.0.0.1:1/v1"}
    told = [encoder_of(doctor(environment, **each)) for each in ({}, server, gone)]
    told.append(encoder_of(doctor(environment, EXECUTIVE_EMBEDDER="none")))
    assert [each["state"] for each in told] == ["ok", "ok", "degraded", "degraded"]
    assert "all-MiniLM-L6-v2@53aa5117, 384 dimensions" in told[0]["says"]
    assert "64 dimensions" in told[1]["says"]
    assert "ConnectionError: texts are compared by their words" in told[2]["says"]
    assert list(here.iterdir()) == []


def encoder_of(result: Result) -> dict[str, str]:
    """Read what the doctor found of the encoder."""
    findings: list[dict[str, str]] = json.loads(result.stdout)["findings"]
    return next(found for found in findings if found["what"] == "encoder")
