"""`.env.example` names every setting, and every line of it can be uncommented as it stands."""

import re
from pathlib import Path

import pytest
from dotenv import dotenv_values

from graph.settings import Settings
from tests.architecture.source import ROOT

EXAMPLE = ROOT / ".env.example"


def _names_of_settings() -> set[str]:
    return {
        str(field.validation_alias or f"EXECUTIVE_{name.upper()}")
        for name, field in Settings.model_fields.items()
    }


def _names_in_example() -> set[str]:
    return set(re.findall(r"^# ([A-Z_]+)=", EXAMPLE.read_text(encoding="utf-8"), re.MULTILINE))


def test_the_example_names_every_setting_and_no_other():
    named = {name for name in _names_in_example() if not name.startswith("LANGSMITH_")}
    assert named == _names_of_settings()


def test_the_example_can_be_uncommented(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    text = re.sub(r"^# (?=[A-Z_]+=)", "", EXAMPLE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    (tmp_path / ".env").write_text(text, encoding="utf-8")
    assert len(dotenv_values(tmp_path / ".env")) == len(_names_in_example())
    assert Settings().packs == ("vessel",)


def test_nothing_has_to_be_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    assert Settings().host == "127.0.0.1"
