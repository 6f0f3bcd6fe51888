"""Packs are read from their files, and every fault is named with its place."""

import asyncio
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from api.cli import cli
from graph.settings import Settings
from graph.wiring.external_services import load_packs
from state.errors import NotFound, PackFaults
from tests.tools.catalog.conftest import HANDLERS, shown
from tools.catalog.action_catalog import Catalogue
from tools.catalog.pack import check_pack, find_pack, load_pack
from tools.catalog.pack_code import call_contained, import_faults, load_pack_module, run_contained

PackWriter = Callable[..., Path]


def test_a_right_pack_is_read_without_running_its_python(write_pack: PackWriter):
    pack = load_pack(write_pack())

    assert list(pack.actions) == [
        "close_work_order",
        "reopen_work_order",
        "search_documents",
        "measure",
    ]
    assert pack.entities["work_order"].names == {"filter replacement": ()}
    assert pack.heuristics == ()
    assert pack.policy.broad_search is None


def test_what_would_be_gated_and_offered_is_listed(write_pack: PackWriter):
    classes = load_pack(write_pack()).classes

    assert classes["A"] == ("search_documents", "measure")
    assert classes["B"] == ("reopen_work_order",)
    assert classes["C"] == ("close_work_order",)


def test_yes_and_on_stay_words(write_pack: PackWriter):
    words = load_pack(write_pack()).actions["close_work_order"].words

    assert words == ("close", "sign off", "yes", "on")


@pytest.mark.parametrize(
    ("replace", "expected"),
    [
        (("effect: write", "efect: write"), "efect: unknown key; did you mean effect?"),
        (("verb: query", "verbs: query"), "actions.yaml:26: actions.search_documents.verbs"),
        (("type: text}", "typ: text}"), "actions.close_work_order.slots.note.typ: unknown key"),
        (("effect: write", "effect: wirte"), "actions.yaml:22: actions.reopen_work_order.effect"),
        (("type: work_order,", "type: work_ordre,"), "did you mean work_order?"),
        (("for {query}", "for {qeury}"), "{qeury} is no slot; did you mean query?"),
        (("for {query}", "for {query.x}"), "{query.x} is no slot"),
        (("for {query}", "for {query!r}"), "takes no layout"),
        (("for {query}", "for {"), "is not a template"),
        (("handlers:measure", "handlers:mesure"), "handlers.py has no function mesure"),
        (("handlers:measure", "hands:measure"), "there is no hands.py in the pack"),
        (("handlers:measure", "../x:measure"), "is not module:function"),
        (("undo: reopen_work_order", "undo: reopen"), "no such action 'reopen'"),
        (("roles: [captain]}", "roles: [captian]}"), "did you mean 'captain'?"),
        (("roles: [captain]}", "quorum: 0}"), "approvers.quorum"),
        (("roles: [engineer, captain]", "roles: engineer"), "must be a list: [a, b]"),
        (("examples: [", "examples: [7, "), 'must be a text; write it in quotes: "7"'),
        (("    effect: write", "    name: x\n    effect: write"), "leave it out"),
        (("    effect: write", "    effect: write\n    effect: read"), "is written twice"),
        (("    effect: write\n", ""), "actions.reopen_work_order.effect: is missing"),
        (("      amount: {", "      lambda x: {"), "cannot be a Python parameter"),
        (("      amount: {", "      extra: {"), "has no parameter for the slot extra"),
        (
            ("amount: {type: number", "amount: {minimum: 5, maximum: 1, type: number"),
            "nothing fits",
        ),
        (("day: {type: date", "day: {minimum: 5, type: date"), "the slot is a date"),
        (("actions:\n", "actions:\n  - x\n"), "is not YAML"),
        (("actions:\n", "actionz:\n"), "actionz: unknown key; did you mean actions?"),
    ],
)
def test_each_fault_is_named_with_its_place(write_pack: PackWriter, replace, expected):
    faults = shown(check_pack(write_pack(replace=replace)))

    assert any(expected in fault for fault in faults), faults
    assert all(fault.split(":")[1] != "None" for fault in faults)


@pytest.mark.parametrize(
    ("shape", "expected"),
    [
        ("def measure(context, amount, *, times, day, is_loud, places)", "move amount behind it"),
        ("def measure(context, **slots)", "takes *args or **kwargs"),
        ("def measure(*, amount, times, day, is_loud, places)", "context as its first parameter"),
        ("def measure(context, *, amount, times=0, day=0, is_loud=0, places=0)", "needs amount"),
        (
            "def measure(context, *, size=1, amount=1, times=0, day=0, is_loud=0, places=0)",
            "size, which is no slot",
        ),
        ("class measure", "is a class"),
        ("measure = print\ndef other()", "is a value"),
        ("def measure(", "handlers.py:2 is not Python"),
    ],
)
def test_a_handler_that_does_not_fit_its_slots_is_named(write_pack: PackWriter, shape, expected):
    rest = (
        "from .store import search_documents\n"
        "def close_work_order(context, *, work_order, note=None): ...\n"
        "def reopen_work_order(context, *, work_order): ...\n"
    )
    source = (
        f"{shape}: ...\n{rest}" if "(" in shape and ")" in shape else f"\n{shape}:\n ...\n{rest}"
    )

    faults = shown(check_pack(write_pack(handlers__py=source)))

    assert any(expected in fault for fault in faults), faults


def test_every_fault_is_reported_not_only_the_first(write_pack: PackWriter):
    folder = write_pack(
        replace=("effect: write", "effect: wirte"),
        entities__yaml="entities: {work_order: {patterns: ['(a+)+', '(']}}",
        policy__yaml="broad_search: close_work_order\nintents: {x: {force_tool: nothing}}",
        heuristics__yaml="heuristics: [{id: a, condition: b, say: '{c}', confidence: 2}]",
        outputs__yaml="output_preferences: {alert: {primary: shout}}",
        personality__yaml="traits: {humour: 1}",
    )

    with pytest.raises(PackFaults) as caught:
        load_pack(folder)

    text = str(caught.value)
    assert "actions.reopen_work_order.effect" in text
    assert "entities.work_order.patterns[0]: can match one text in many ways" in text
    assert "entities.work_order.patterns[1]: is not a regular expression" in text
    assert "broad_search: close_work_order is destructive; only a read may run" in text
    assert "intents.x.force_tool: no such action 'nothing'" in text
    assert "heuristics[0].confidence" in text
    assert "output_preferences.alert.primary" in text
    assert "traits.humour: unknown key; did you mean humor?" in text


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("a: [b", "is not YAML"),
        ("a: &x [*x]", "contains itself"),
        ("a: !!python/object/apply:os.system [echo]", "unknown key"),
        ("a: " + "[" * 60 + "]" * 60, "too deep"),
        (
            "a: &a [x,x,x,x,x,x,x,x,x,x]\n"
            + "".join(
                f"{name}: &{name} [{','.join([f'*{inner}'] * 10)}]\n"
                for inner, name in (("a", "b"), ("b", "c"), ("c", "d"), ("d", "e"), ("e", "f"))
            ),
            "is too large",
        ),
        ("\x00", "is not YAML"),
        ("- just\n- a list", "valid dictionary"),
    ],
)
def test_hostile_yaml_is_a_fault_and_quick(write_pack: PackWriter, source: str, expected: str):
    faults = shown(check_pack(write_pack(policy__yaml=source)))

    assert faults
    assert any(expected in fault for fault in faults), faults


def test_bytes_that_are_no_utf8_are_a_fault(write_pack: PackWriter):
    folder = write_pack()
    (folder / "policy.yaml").write_bytes(b"context: \xff")

    assert "is not UTF-8" in shown(check_pack(folder))[0]


def test_a_misspelt_file_name_is_a_fault(write_pack: PackWriter):
    folder = write_pack()
    (folder / "heuristic.yml").write_text("heuristics: []")

    assert "did you mean heuristics.yaml?" in str(check_pack(folder)[0])


def test_a_folder_that_is_no_pack_is_a_fault(tmp_path: Path):
    assert "holds no file of a pack" in str(check_pack(tmp_path)[0])
    assert "is not a folder" in str(check_pack(tmp_path / "none")[0])


def test_a_missing_file_means_none_of_it(tmp_path: Path):
    (tmp_path / "heuristics.yaml").write_text(
        "heuristics: [{id: hot, condition: engine hot, say: 'Careful: {text}', confidence: .8}]"
    )

    pack = load_pack(tmp_path)

    assert pack.actions == {}
    assert pack.heuristics[0].confidence == 0.8


def test_two_packs_may_not_share_an_action(write_pack: PackWriter):
    packs = [load_pack(write_pack("boat")), load_pack(write_pack("ship"))]

    with pytest.raises(PackFaults, match="close_work_order: is an action of the pack boat too"):
        Catalogue.of(packs)


def test_a_shipped_pack_is_found_by_name_and_any_other_by_path(write_pack: PackWriter):
    folder = write_pack()

    assert find_pack("vessel").name == "vessel"
    assert find_pack(str(folder)) == folder.resolve()
    with pytest.raises(NotFound):
        find_pack("no_such_pack")
    with pytest.raises(NotFound):
        find_pack("")


def test_the_catalogue_imports_no_handler(write_pack: PackWriter):
    Catalogue.of([load_pack(write_pack())])  # handlers.py would fail when run


def test_a_pack_is_read_again_when_a_file_of_it_changes(write_pack: PackWriter):
    folder = write_pack()
    first = load_pack(folder)
    same = load_pack(folder)
    (folder / "handlers.py").unlink()

    assert same is first
    with pytest.raises(PackFaults, match=r"there is no handlers\.py"):
        load_pack(folder)


def test_a_large_pack_loads_in_time(tmp_path: Path):
    entry = (
        "  do_{0}:\n    summary: s\n    verb: show\n    object: o\n    effect: read\n"
        '    handler: "handlers:do_{0}"\n    examples:\n'
    )
    lines = [
        entry.format(n) + "".join(f'      - "example {n} number {m}"\n' for m in range(100))
        for n in range(150)
    ]
    (tmp_path / "actions.yaml").write_text("actions:\n" + "".join(lines))
    handlers = "".join(f"def do_{n}(context): ...\n" for n in range(150))
    (tmp_path / "handlers.py").write_text(handlers)

    pack = load_pack(tmp_path)

    assert sum(len(action.examples) for action in pack.actions.values()) == 15_000


def test_a_module_is_imported_by_folder_and_anew_when_the_pack_changes(write_pack: PackWriter):
    source = "from .store import search_documents\nanswer = {}\n"
    folder = write_pack(lookups__py="def work_orders(data_dir): return {'WO-1': ['a']}\n")
    first = load_pack_module(load_pack(folder), "lookups")
    (folder / "lookups.py").write_text("def work_orders(data_dir): return {'WO-2': ['a']}\n")

    second = load_pack_module(load_pack(folder), "lookups")

    assert first.work_orders(folder) == {"WO-1": ["a"]}
    assert second.work_orders(folder) == {"WO-2": ["a"]}
    assert load_pack_module(load_pack(folder), "lookups") is second
    (folder / "relative.py").write_text(source.format(3))
    assert load_pack_module(load_pack(folder), "relative").answer == 3


@pytest.mark.parametrize("name", ["none", "../x", "os.path", ""])
def test_a_module_that_is_not_of_the_pack_is_not_found(write_pack: PackWriter, name: str):
    with pytest.raises(NotFound):
        load_pack_module(load_pack(write_pack()), name)


# What would break in the call is a fault of the pack, with its place, before any call.

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
):
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


def test_neither_a_check_nor_a_start_passes_it(write_pack: PackWriter, tmp_path: Path):
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
def test_a_slot_may_be_called_what_no_parameter_can(tmp_path: Path, function, problem):
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


# What a pack's code raises is its own failure; what ends or cancels us goes on.

RAISED = (
    KeyboardInterrupt("a"),
    GeneratorExit("a"),
    SystemExit(3),
    StopIteration("a"),
    asyncio.CancelledError("a"),
    BaseExceptionGroup("a", [KeyboardInterrupt()]),
)


@pytest.fixture
def ctrl_c() -> Iterator[None]:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def _raise(error: BaseException) -> None:
    raise error


async def _raise_later(error: BaseException) -> None:
    await asyncio.sleep(0)
    raise error


def _press() -> None:
    signal.raise_signal(signal.SIGINT)


async def _cancels_itself() -> None:
    task = asyncio.current_task()
    assert task is not None
    task.cancel()
    await asyncio.sleep(0)


@pytest.mark.parametrize("error", RAISED, ids=lambda error: type(error).__name__)
async def test_what_is_no_exception_becomes_one(error: BaseException):
    for awaited in (asyncio.to_thread(call_contained, _raise, error), _in_a_task(error)):
        with pytest.raises(RuntimeError, match=type(error).__name__):
            await asyncio.wait_for(awaited, 5)
    with pytest.raises(RuntimeError, match=type(error).__name__):
        call_contained(_raise, error)


async def _in_a_task(error: BaseException) -> None:
    await run_contained(_raise_later, error)


async def test_an_exception_stays_what_it_is():
    with pytest.raises(LookupError):
        call_contained(_raise, LookupError("a"))
    with pytest.raises(LookupError):
        await run_contained(_raise_later, LookupError("a"))


@pytest.mark.usefixtures("ctrl_c")
def test_ctrl_c_is_passed_on():
    with pytest.raises(KeyboardInterrupt):
        call_contained(_press)


async def test_a_coroutine_that_cancels_itself_has_failed():
    with pytest.raises(RuntimeError, match="CancelledError"):
        await run_contained(_cancels_itself)


async def test_our_own_cancellation_reaches_the_coroutine_and_goes_on():
    ended = asyncio.Event()

    async def wait() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    task = asyncio.create_task(run_contained(wait))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert ended.is_set()
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0):
            await run_contained(wait)


# Faults that no single field shows: imports that are not there, kinds of nothing.


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("import nothere.at_all", "handlers.py:1 imports nothere, which is not installed"),
        ("from nothere import x", "handlers.py:1 imports nothere, which is not installed"),
        ("from store import search_documents", "write `from . import store`"),
        ("try:\n    import nothere\nexcept ImportError:\n    nothere = None", None),
        ("import json.decoder, yaml", None),
    ],
)
def test_an_import_of_what_is_not_there_is_named(write_pack: PackWriter, line, expected):
    faults = shown(check_pack(write_pack(handlers__py=f"{line}\n{HANDLERS}")))

    assert any(expected in fault for fault in faults) if expected else faults == []


def test_a_kind_that_names_nothing_is_named_and_a_broken_file_is_not_told_twice(
    write_pack: PackWriter,
):
    empty = shown(check_pack(write_pack(entities__yaml="entities: {work_order: {}}")))
    broken = shown(check_pack(write_pack(entities__yaml="entities: {work_order: {list: [1]}}")))

    assert len(empty) == len(broken) == 1
    assert "entities.work_order: names nothing; give it a list" in empty[0]
    assert 'entities.work_order.list: must hold texts; write it in quotes: "1"' in broken[0]


def test_examples_of_their_own_file_follow_those_of_the_entry(write_pack: PackWriter):
    written = "examples:\n  close_work_order: [tick off the filter job, 'yes']\n"
    before = load_pack(write_pack()).actions["close_work_order"].examples

    pack = load_pack(write_pack(examples__yaml=written))

    assert pack.actions["close_work_order"].examples == (*before, "tick off the filter job", "yes")


def test_examples_of_no_action_are_a_fault_at_their_line(write_pack: PackWriter):
    written = "examples:\n  measure: [how deep is it]\n  close_work_ordr: [close it]\n"

    assert shown(check_pack(write_pack(examples__yaml=written))) == [
        (
            "examples.yaml:3: examples.close_work_ordr: actions.yaml has no such action;"
            " did you mean close_work_order?"
        )
    ]


def test_an_example_without_a_word_is_a_fault_where_it_stands(write_pack: PackWriter):
    written = "examples:\n  close_work_order: [tick off the filter job, ' ?! ']\n"

    (told,) = shown(check_pack(write_pack(examples__yaml=written)))
    assert told.startswith("examples.yaml:2: examples.close_work_order[1]: says nothing")


# policy.yaml names what is there, forces reads alone, and remembers what it can find.


@pytest.mark.parametrize(
    ("policy", "problem"),
    [
        ("intents: {find: {force_tool: no_such}}", "no such action 'no_such'"),
        ("intents: {find: {actions: [no_such]}}", "no such action 'no_such'"),
        ("intents: {find: {force_tool: close_work_order}}", "only a read may be forced"),
        ("intents: {find: {patterns: ['(a+)+']}}", "can match one text in many ways"),
        ("remembers: {topic: {patterns: ['on (.{3,9})']}}", "names no value"),
        ("remembers: {topic: {patterns: ['(']}}", "is not a regular expression"),
        ("stage_transitions: [{on_action: no_such, to_stage: x}]", "no such action 'no_such'"),
    ],
)
def test_a_fault_is_named(write_pack: PackWriter, policy: str, problem: str):
    folder = write_pack()
    (folder / "policy.yaml").write_text(policy, "utf-8")
    (fault,) = check_pack(folder)
    assert problem in fault.problem
    assert fault.file.name == "policy.yaml"


def test_what_fits_has_no_fault(write_pack: PackWriter):
    folder = write_pack()
    policy = """
read_only_roles: [guest]
first_stage: begun
intents: {find: {words: [look], force_tool: search_documents}, close: {actions: [close_work_order]}}
remembers: {topic: {patterns: ['on (?P<value>.{3,9})'], is_topic: true}}
stage_transitions: [{on_action: search_documents, to_stage: found}]
"""
    (folder / "policy.yaml").write_text(policy, "utf-8")
    assert check_pack(folder) == []
