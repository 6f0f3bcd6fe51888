"""What would break in the call is a fault of the pack, with its place, before any call."""

from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from api.cli import cli
from graph.settings import Settings
from graph.wiring.external_services import load_packs
from state.errors import PackFaults
from tests.tools.catalog.conftest import HANDLERS
from tools.catalog.pack import check_pack, load_pack
from tools.catalog.pack_code import import_faults

PackWriter = Callable[..., Path]
SOUND = HANDLERS.replace('raise_if_imported = open("/nonexistent/never")\n', "")
FROM = """\
actions:
  forward_letter:
    summary: "Forward from {from} to {to-whom} by {class}"
    verb: update
    object: letter
    slots:
      from: {type: text, required: true}
      to-whom: {type: text, required: true}
      class: {type: text}
    effect: write
    handler: "handlers:forward_letter"
"""
TAKES = "def forward_letter(context, *, from_, to_whom, class_=None): ...\n"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("", None),
        ("def f(context: HandlerContext): ...", "handlers.py:3: handlers cannot be imported: Name"),
        ("from state.action import Nothing", "handlers.py:3: handlers cannot be imported: Import"),
        ("from .later import x", "later.py:2: handlers cannot be imported: ZeroDivisionError"),
        ("from . import broken", "broken.py:1: handlers cannot be imported: SyntaxError"),
        ("raise SystemExit(3)", "handlers.py:3: handlers cannot be imported: RuntimeError"),
        (
            "def f():\n    return tine.time()",
            "handlers.py:4: f: uses tine, which is defined nowhere",
        ),
        (
            "f = lambda: [ActionResults(x) for x in ()]",
            "uses ActionResults, which is defined nowhere",
        ),
        (
            "class A:\n    def f(self): return Decimal(1)",
            "handlers.py:4: f: uses Decimal, which is",
        ),
        ("from . import helper", "helper.py:2: g: uses sums, which is defined nowhere"),
        ("def f():\n    global later\n    later = 1\ndef g(): return later", None),
        ("def f():\n    x: Money = 1\n    return [len(y) for y in (x,)]", None),
        ("try:\n    import nothere\nexcept ImportError:\n    nothere = None", None),
        ("del reopen_work_order", "handlers.py: handlers:reopen_work_order: is not there once the"),
        ("globals()['measure'] = 3", "handlers:measure: is no function once"),
        (
            "globals()['measure'] = lambda context, *, times=1: 1",
            "handlers.py:7: handlers:measure: cannot be called so",
        ),
    ],
)
def test_what_would_break_in_the_call_is_named_where_it_stands(
    write_pack: PackWriter, line: str, expected: str | None
) -> None:
    first, rest = SOUND.split("\n\n", maxsplit=1)
    is_last = line.startswith(("del", "globals"))
    text = f"{first}\n{rest}{line}\n" if is_last else f"{first}\n{line}\n{rest}"
    folder = write_pack(
        handlers__py=text,
        later__py="def x(): ...\n1 / 0\n",
        broken__py="def (:\n",
        helper__py="def g():\n    return sums([1])\n",
    )
    faults = [str(fault) for fault in import_faults(load_pack(folder))]
    if expected is None:
        assert faults == []
    else:
        assert any(expected in fault for fault in faults), faults


def test_neither_a_check_nor_a_start_passes_it(write_pack: PackWriter, tmp_path: Path) -> None:
    folder = write_pack(handlers__py=SOUND + "def f(context: HandlerContext): ...\n")
    told = CliRunner().invoke(cli, ["pack", "check", str(folder)])
    assert told.exit_code == 1
    assert "handlers.py:8: handlers cannot be imported: NameError" in told.output
    settings = Settings(
        _env_file=None,  # type: ignore[call-arg]  # of pydantic-settings, unknown to mypy
        packs=(str(folder),),
        data_dir=tmp_path / "data",
    )
    with pytest.raises(PackFaults, match="name 'HandlerContext' is not defined"):
        load_packs(settings)


@pytest.mark.parametrize(
    ("function", "problem"),
    [
        (TAKES, None),
        (
            TAKES.replace("from_", "frm"),
            "has no parameter for the slot from; Python calls it from_",
        ),
        (TAKES.replace("to_whom", "to"), "no parameter for the slot to-whom; Python calls it to_w"),
        (TAKES.replace("class_=None", "class_"), "needs class_, an optional slot"),
    ],
)
def test_a_slot_may_be_called_what_no_parameter_can(
    tmp_path: Path, function: str, problem: str | None
) -> None:
    folder = tmp_path / "post"
    folder.mkdir()
    (folder / "actions.yaml").write_text(FROM, encoding="utf-8")
    (folder / "handlers.py").write_text(function, encoding="utf-8")
    faults = [fault.problem for fault in check_pack(folder)]
    if problem is None:
        assert not faults
        assert not import_faults(load_pack(folder))
        (folder / "actions.yaml").write_text(FROM.replace("to-whom:", "from_:"), encoding="utf-8")
        faults = [fault.problem for fault in check_pack(folder)]
        problem = "from and from_ would both be the parameter from_"
    assert any(problem in fault for fault in faults), faults
