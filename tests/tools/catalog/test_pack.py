from collections.abc import Callable
from pathlib import Path

import pytest

from state.errors import NotFound, PackFaults
from tests.tools.catalog.conftest import shown
from tools.catalog.action_catalog import Catalogue
from tools.catalog.pack import check_pack, find_pack, load_pack

PackWriter = Callable[..., Path]


def test_a_right_pack_is_read_without_running_its_python(write_pack: PackWriter) -> None:
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


def test_what_would_be_gated_and_offered_is_listed(write_pack: PackWriter) -> None:
    classes = load_pack(write_pack()).classes

    assert classes["A"] == ("search_documents", "measure")
    assert classes["B"] == ("reopen_work_order",)
    assert classes["C"] == ("close_work_order",)


def test_yes_and_on_stay_words(write_pack: PackWriter) -> None:
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
def test_each_fault_is_named_with_its_place(
    write_pack: PackWriter, replace: tuple[str, str], expected: str
) -> None:
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
def test_a_handler_that_does_not_fit_its_slots_is_named(
    write_pack: PackWriter, shape: str, expected: str
) -> None:
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


def test_every_fault_is_reported_not_only_the_first(write_pack: PackWriter) -> None:
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
def test_hostile_yaml_is_a_fault_and_quick(
    write_pack: PackWriter, source: str, expected: str
) -> None:
    faults = shown(check_pack(write_pack(policy__yaml=source)))

    assert faults
    assert any(expected in fault for fault in faults), faults


def test_bytes_that_are_no_utf8_are_a_fault(write_pack: PackWriter) -> None:
    folder = write_pack()
    (folder / "policy.yaml").write_bytes(b"context: \xff")

    assert "is not UTF-8" in shown(check_pack(folder))[0]


def test_a_misspelt_file_name_is_a_fault(write_pack: PackWriter) -> None:
    folder = write_pack()
    (folder / "heuristic.yml").write_text("heuristics: []")

    assert "did you mean heuristics.yaml?" in str(check_pack(folder)[0])


def test_a_folder_that_is_no_pack_is_a_fault(tmp_path: Path) -> None:
    assert "holds no file of a pack" in str(check_pack(tmp_path)[0])
    assert "is not a folder" in str(check_pack(tmp_path / "none")[0])


def test_a_missing_file_means_none_of_it(tmp_path: Path) -> None:
    (tmp_path / "heuristics.yaml").write_text(
        "heuristics: [{id: hot, condition: engine hot, say: 'Careful: {text}', confidence: .8}]"
    )

    pack = load_pack(tmp_path)

    assert pack.actions == {}
    assert pack.heuristics[0].confidence == 0.8


def test_two_packs_may_not_share_an_action(write_pack: PackWriter) -> None:
    packs = [load_pack(write_pack("boat")), load_pack(write_pack("ship"))]

    with pytest.raises(PackFaults, match="close_work_order: is an action of the pack boat too"):
        Catalogue.of(packs)


def test_a_shipped_pack_is_found_by_name_and_any_other_by_path(write_pack: PackWriter) -> None:
    folder = write_pack()

    assert find_pack("vessel").name == "vessel"
    assert find_pack(str(folder)) == folder.resolve()
    with pytest.raises(NotFound):
        find_pack("no_such_pack")
    with pytest.raises(NotFound):
        find_pack("")


def test_the_catalogue_imports_no_handler(write_pack: PackWriter) -> None:
    Catalogue.of([load_pack(write_pack())])  # handlers.py would fail when run


def test_a_pack_is_read_again_when_a_file_of_it_changes(write_pack: PackWriter) -> None:
    folder = write_pack()
    first = load_pack(folder)
    same = load_pack(folder)
    (folder / "handlers.py").unlink()

    assert same is first
    with pytest.raises(PackFaults, match=r"there is no handlers\.py"):
        load_pack(folder)


def test_a_large_pack_loads_in_time(tmp_path: Path) -> None:
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
