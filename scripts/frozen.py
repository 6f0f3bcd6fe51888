"""Compare what others rely on with an earlier commit: `python scripts/frozen.py COMMIT`.

Both trees are asked from outside, by the same interpreter: the OpenAPI document of a running
service, every command with its options, the wire values and schemas of `state/`, what the golden
logs decide, and what mutated commands would do. Texts that only people read are left out. Exit 1
when something differs; a difference that is meant stands in `scripts/frozen.toml` with its reason.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import tomllib
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
MEANT = Path(__file__).with_name("frozen.toml")
_FOR_PEOPLE = frozenset({"description", "summary", "title", "example", "examples"})
_SERVICE_SECONDS = 600

_STATE = """
import enum, importlib, json, pkgutil, sys
import pydantic, state
from state.noun import Noun
out = {}
for found in pkgutil.walk_packages(state.__path__, "state."):
    module = importlib.import_module(found.name)
    for name, value in vars(module).items():
        if getattr(value, "__module__", None) != found.name or not isinstance(value, type):
            continue
        key = f"{found.name}.{name}"
        if issubclass(value, enum.Enum):
            out[key] = {one.name: one.value for one in value}
        elif issubclass(value, pydantic.BaseModel):
            try:
                out[key] = value.model_json_schema()
            except Exception as error:
                out[key] = type(error).__name__
json.dump(out, sys.stdout, default=str)
"""

_COMMANDS = """
import importlib, json, sys, tomllib
import typer
script = tomllib.load(open("pyproject.toml", "rb"))["project"]["scripts"]["prefrontal"]
module = importlib.import_module(script.split(":")[0])
out = {}
def walk(command, ctx, path):
    out[" ".join(path)] = sorted(
        [one.name, sorted(one.opts), bool(one.required), bool(getattr(one, "is_flag", False))]
        for one in command.params if one.name not in ("install_completion", "show_completion")
    )
    if hasattr(command, "list_commands"):
        for name in command.list_commands(ctx):
            _, found, _ = command.resolve_command(ctx, [name])
            walk(found, type(ctx)(found, parent=ctx, info_name=name), [*path, name])
root = typer.main.get_command(module.cli)
ctx = root.make_context("prefrontal", [], resilient_parsing=True)
walk(root, ctx, ["prefrontal"])
json.dump(out, sys.stdout, default=str)
"""


def main() -> None:
    """Compare this tree with a commit."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("commit", help="what to compare with, such as HEAD~5 or a tag")
    parser.add_argument("--only", choices=[*_ASKED], nargs="+", default=[*_ASKED])
    given = parser.parse_args()
    meant = tomllib.loads(MEANT.read_text("utf-8")) if MEANT.exists() else {}
    found = 0
    with tempfile.TemporaryDirectory() as folder:
        then = Path(folder) / "tree"
        _git("worktree", "add", "--quiet", "--detach", str(then), given.commit)
        try:
            for name in given.only:
                print(f"{name}: asking both trees", file=sys.stderr, flush=True)
                before, after = (_ASKED[name](tree, then) for tree in (then, ROOT))
                for path, old, new in differences(before, after):
                    reason = _reason(meant, f"{name}: {path}")
                    found += reason is None
                    print(
                        f"{name}: {path}: {_short(old)} -> {_short(new)} ({reason or 'NOT LISTED'})"
                    )
        finally:
            _git("worktree", "remove", "--force", str(then))
    print(f"{found} differences that are not listed")
    sys.exit(found > 0)


def differences(before: Any, after: Any, path: str = "") -> Iterator[tuple[str, Any, Any]]:
    """Walk two JSON values; yield the path, the old and the new value of each difference."""
    if isinstance(before, dict) and isinstance(after, dict):
        for key in sorted({*before, *after}):
            yield from differences(before.get(key), after.get(key), f"{path}/{key}")
    elif before != after:
        yield path, before, after


def _reason(meant: dict[str, str], path: str) -> str | None:
    return next((why for pattern, why in meant.items() if re.search(pattern, path)), None)


def _short(value: Any) -> str:
    text = json.dumps(value, default=str)
    return text if len(text) < 160 else f"{text[:160]}…"


def _git(*words: str) -> None:
    subprocess.run(["git", "-C", str(ROOT), *words], check=True)


def _path_of(tree: Path) -> str:
    return os.pathsep.join((str(tree), str(tree / "sdk")))


def _run(tree: Path, *words: str, may_fail: bool = False) -> str:
    paths = {"PYTHONPATH": _path_of(tree), "NO_COLOR": "1", "COLUMNS": "200"}
    done = subprocess.run(
        [sys.executable, *words],
        cwd=tree, env={**os.environ, **paths}, text=True, capture_output=True, check=False,
    )  # fmt: skip
    if done.returncode and not may_fail:
        raise SystemExit(f"{tree}: {' '.join(words)[:200]}\n{done.stderr[-4000:]}")
    return done.stdout


def _command(tree: Path, *words: str, may_fail: bool = False) -> str:
    script = tomllib.loads((tree / "pyproject.toml").read_text("utf-8"))["project"]["scripts"]
    module = script["prefrontal"].split(":")[0]
    return _run(tree, "-m", module, *words, may_fail=may_fail)


def _without_texts(value: Any, *, named: bool = False) -> Any:
    if isinstance(value, dict):
        return {
            key: _without_texts(one, named=key in ("properties", "schemas", "paths"))
            for key, one in value.items()
            if named or key not in _FOR_PEOPLE
        }
    return [_without_texts(one) for one in value] if isinstance(value, list) else value


def _wire(tree: Path, then: Path) -> Any:
    return _without_texts(json.loads(_run(tree, "-c", _STATE)))


def _commands(tree: Path, then: Path) -> Any:
    return json.loads(_run(tree, "-c", _COMMANDS))


def _openapi(tree: Path, then: Path) -> Any:
    script = tomllib.loads((tree / "pyproject.toml").read_text("utf-8"))["project"]["scripts"]
    module = script["prefrontal"].split(":")[0]
    with tempfile.TemporaryDirectory() as folder:
        service = subprocess.Popen(
            [sys.executable, "-m", module, "serve", "--port", "0"],
            cwd=tree,
            env={**os.environ, "PYTHONPATH": _path_of(tree), "EXECUTIVE_DATA_DIR": folder},
            text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
        try:
            assert service.stdout
            said = ""
            for line in service.stdout:
                said += line
                if found := re.search(r"http://127\.0\.0\.1:\d+", line):
                    break
            else:
                raise SystemExit(f"{tree}: the service did not start\n{said[-4000:]}")
            with urllib.request.urlopen(
                f"{found[0]}/openapi.json", timeout=_SERVICE_SECONDS
            ) as got:
                return _without_texts(json.load(got))
        finally:
            service.terminate()
            service.wait()


def _golden(tree: Path, then: Path) -> Any:
    """Decide the earlier tree's golden logs again, by its policy."""
    logs = sorted(then.glob("evals/**/golden.log.jsonl"))
    return {
        str(log.relative_to(then)): _command(
            tree,
            "log",
            "replay",
            str(log),
            "--policy",
            str(then / "policy.toml"),
            "--json",
            may_fail=True,
        ).splitlines()
        for log in logs
    }


def _mutations(tree: Path, then: Path) -> Any:
    out = {}
    for pack in ("vessel", "research"):
        for held_out in ((), ("--held-out",)):
            words = (
                "evals",
                "mutations",
                "--pack",
                pack,
                "--at-most",
                "2000",
                "--no-gates",
                "--json",
            )
            lines = _command(tree, *words, *held_out, may_fail=True).splitlines()
            out[" ".join((pack, *held_out))] = [
                {key: one for key, one in json.loads(line).items() if "second" not in key}
                for line in lines
                if line.startswith("{")
            ]
    return out


_ASKED = {
    "wire": _wire,
    "commands": _commands,
    "openapi": _openapi,
    "golden": _golden,
    "mutations": _mutations,
}

if __name__ == "__main__":
    main()
