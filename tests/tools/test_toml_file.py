"""What an operator's file may be instead of TOML: each is one line with the file and what to do."""

from collections.abc import Callable
from pathlib import Path

import pytest

from state.errors import BadInput
from tools.platform.serialization import read_toml

WAYS: dict[str, tuple[Callable[[Path], object], str]] = {
    "missing": (lambda file: None, "name a file that can be read"),
    "a folder": (lambda file: file.mkdir(), "name a file that can be read"),
    "empty": (lambda file: file.touch(), "holds no [[issuer]]; write one, or unset EXECUTIVE_X"),
    "not UTF-8": (lambda file: file.write_bytes(b"a = '\xff'"), "save it as UTF-8"),
    "cut": (lambda file: file.write_text('[[issuer]]\nname = "a'), "is not TOML"),
    "another table": (lambda file: file.write_text("[[issuers]]"), "unknown issuers"),
    "a value beside": (lambda file: file.write_text("a = 1\n[[issuer]]"), "unknown a; it holds"),
}


@pytest.mark.parametrize("way", WAYS)
def test_what_cannot_be_read_is_told_in_a_line(tmp_path: Path, way: str) -> None:
    spoil, said = WAYS[way]
    file = tmp_path / "x.toml"
    spoil(file)
    with pytest.raises(BadInput) as told:
        read_toml(file, "EXECUTIVE_X", "issuer")
    sentence = str(told.value)
    assert sentence.startswith(f"EXECUTIVE_X: {file}: ")
    assert said in sentence
    assert "\n" not in sentence
