"""`prefrontal doctor` on two models."""

from collections.abc import Mapping
from pathlib import Path

from tests.cli.test_pack_doctor import doctor, states
from tests.openai_server import OpenAIServer


def test_each_model_is_asked_for_at_its_own_server(
    here: Path, environment: Mapping[str, str], openai_server: OpenAIServer
) -> None:
    both = {
        "EXECUTIVE_MODEL": "test",
        "EXECUTIVE_MODEL_BASE_URL": openai_server.base_url,
        "EXECUTIVE_STRONG_MODEL": "deep",
    }
    found = states(doctor(environment, **both))
    assert (found["model"], found["strong"]) == ("ok", "broken")
    there = both | {"EXECUTIVE_STRONG_MODEL": "test"}
    assert states(doctor(environment, **there))["strong"] == "ok"
    gone = there | {"EXECUTIVE_STRONG_MODEL_BASE_URL": "http://127.0.0.1:1/v1"}
    assert states(doctor(environment, **gone))["strong"] == "broken"
    alone = {name: value for name, value in there.items() if name != "EXECUTIVE_MODEL"}
    found = states(doctor(environment, **alone))
    assert ("model" in found, found["strong"]) == (False, "ok")
