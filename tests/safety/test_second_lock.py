"""Nothing but the ledger's execution can reach what an action does: the tree itself says so."""

import ast
from collections.abc import Callable, Iterable

import pytest

from tests.architecture.source import Source, product

pytestmark = pytest.mark.xdist_group("source")

EXECUTION = "tools/gate/ledger/handler_runner.py"
FINDING = "tools/gate/handlers/python_handlers.py"
CALLING = "tools/gate/handlers/dispatch.py"
LOADING = "tools/catalog/pack_code.py"

Finding = Callable[[Iterable[Source]], set[str]]


def importers_of_the_handlers(sources: Iterable[Source]) -> set[str]:
    return {
        source.name
        for source in sources
        if any(name.startswith("tools.gate.handlers.dispatch") for name in source.imports)
        or {"call_handler", "call_inside"} & _names(source)
        if source.name != CALLING
    }


def loaders_of_pack_code(sources: Iterable[Source]) -> set[str]:
    ways = {
        "load_pack_module",
        "import_module",
        "spec_from_file_location",
        "module_from_spec",
        "exec_module",
        "SourceFileLoader",
        "__import__",
        "exec",
        "eval",
        "run_path",
        "run_module",
    }
    return {source.name for source in sources if ways & _names(source)}


def importers_of_packs(sources: Iterable[Source]) -> set[str]:
    return {
        source.name
        for source in sources
        if any(name.split(".")[0] == "packs" for name in source.imports)
        if not source.name.startswith("packs/")
    }


def makers_of_contexts(sources: Iterable[Source]) -> set[str]:
    return {source.name for source in sources if "HandlerContext" in _called(source)}


def callers_of_execute(sources: Iterable[Source]) -> set[str]:
    return {
        source.name
        for source in sources
        if {"ledger.execute", "executing.execute"} & _called(source)
    }


def callers_of_decide(sources: Iterable[Source]) -> set[str]:
    return {
        source.name for source in sources if {"ledger.decide", "deciding.decide"} & _called(source)
    }


def writers_of_the_ledger(sources: Iterable[Source]) -> set[str]:
    tables = {"ledger_action", "ledger_approval", "ledger_entry"}
    return {
        source.name
        for source in sources
        for node in source.nodes
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in ("insert", "update", "delete")
        and node.args
        and isinstance(node.args[0], ast.Name)
        and node.args[0].id in tables | _other_names(source, tables)
    }


def _other_names(source: Source, tables: set[str]) -> set[str]:
    return {
        alias.asname
        for node in source.nodes
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        if alias.name in tables and alias.asname
    }


RULES: dict[Finding, set[str]] = {
    importers_of_the_handlers: {EXECUTION},
    loaders_of_pack_code: {
        LOADING,
        FINDING,
        "tools/catalog/pack_code.py",  # looks at what functions take, and calls none
        "tools/catalog/entity_values.py",  # asks a pack for names, with nothing but a folder
        "api/cli/commands.py",  # its own commands, when they are asked for
        "evals/cli.py",  # likewise
        "tools/__init__.py",  # modules of tools, by the names that tests/tools/test_facade.py reads
        "sdk/prefrontal/__init__.py",  # its own modules, when they are asked for
        "tools/moved_names.py",  # the paths of its table: tests/tools/test_moved_names.py
    },
    importers_of_packs: set(),
    makers_of_contexts: {EXECUTION},
    callers_of_execute: {"nodes/act.py", "nodes/offer_choices.py", "tools/gate/ledger/ledger.py"},
    callers_of_decide: {
        "graph/services/approvals.py",
        "nodes/take_answer.py",
        "tools/gate/ledger/ledger.py",
    },
    writers_of_the_ledger: {
        "tools/gate/ledger/rows.py",
        "tools/gate/ledger/proposals.py",
        "tools/gate/approvals/decision.py",
        "tools/gate/ledger/conflicts.py",  # makes other questions of the same stale
        "tools/gate/ledger/claim.py",
        "tools/gate/ledger/hash_chain.py",
        "tools/gate/ledger/maintenance.py",
        "tools/gate/ledger/operator_controls.py",  # what a backup left under way is set aside
        "tools/gate/approvals/approval_schedule.py",
        "tools/storage/undo_rows.py",
    },
}


@pytest.mark.parametrize("found", RULES, ids=lambda found: str(found.__name__))
def test_the_way_to_an_effect_leads_through_the_ledger_alone(found: Finding):
    assert found(product()) == RULES[found]


@pytest.mark.parametrize(
    ("found", "text"),
    [
        (importers_of_the_handlers, "from tools.gate.handlers.dispatch import call_handler"),
        (importers_of_the_handlers, "import tools.gate.handlers.dispatch as anything"),
        (importers_of_the_handlers, "await tools.gate.handlers.dispatch.call_handler()"),
        (importers_of_the_handlers, "from tools.gate.handlers.dispatch import call_inside"),
        (importers_of_the_handlers, "import tools.gate.handlers as h; h.dispatch.call_inside()"),
        (loaders_of_pack_code, "from tools.catalog.pack_code import load_pack_module"),
        (loaders_of_pack_code, "import importlib\nimportlib.import_module(name)"),
        (loaders_of_pack_code, "__import__('packs.vessel.handlers')"),
        (loaders_of_pack_code, "exec(open('packs/vessel/handlers.py').read())"),
        (importers_of_packs, "from packs.vessel.handlers import close_work_order"),
        (importers_of_packs, "import packs.vessel"),
        (makers_of_contexts, "context = HandlerContext(action_id='x')"),
        (callers_of_execute, "await self.box.ledger.execute(action_id)"),
        (callers_of_execute, "await box.ledger.executing.execute(action_id)"),
        (callers_of_decide, "await ledger.decide(action_id, answer, principal)"),
        (writers_of_the_ledger, "connection.execute(update(ledger_action).values(state='x'))"),
        (
            writers_of_the_ledger,
            "from tools.storage.ledger_tables import ledger_action as rows\nupdate(rows)",
        ),
    ],
)
def test_a_way_round_would_be_seen(found: Finding, text: str):
    assert found([Source("nodes/shortcut.py", text)]) == {"nodes/shortcut.py"}


def test_a_lookup_is_given_a_folder_and_nothing_else():
    [lookups] = [each for each in product() if each.name == "tools/catalog/entity_values.py"]
    calls = [
        node
        for node in lookups.nodes
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Call)
        and isinstance(node.func.func, ast.Name)
        and node.func.func.id == "getattr"
    ]
    assert [ast.unparse(call.args[0]) for call in calls if len(call.args) == 1] == ["data_dir"]
    assert not [call for call in calls if call.keywords]
    assert not {"handler", "handlers"} & _names(lookups)


def _names(source: Source) -> set[str]:
    """List every name that is read, called as an attribute or imported."""
    found: set[str] = set()
    for node in source.nodes:
        if isinstance(node, ast.Name):
            found.add(node.id)
        elif isinstance(node, ast.Attribute):
            found.add(node.attr)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            found |= {alias.name.rsplit(".", 1)[-1] for alias in node.names}
    return found


def _called(source: Source) -> set[str]:
    """List what is called: a plain name, or the last two names of a dotted one."""
    found: set[str] = set()
    for node in source.nodes:
        if isinstance(node, ast.Call):
            found.add(_last_names(node.func))
    return found


def _last_names(called: ast.expr) -> str:
    if not isinstance(called, ast.Attribute):
        return ast.unparse(called)
    before = called.value
    if isinstance(before, ast.Attribute):
        return f"{before.attr}.{called.attr}"
    return f"{ast.unparse(before).rpartition('.')[2]}.{called.attr}"
