"""Read a pack's files and skill manifests into their models.

And collect every fault with its line.
"""

import difflib
import string
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from state.action import Action
from state.errors import PackFault
from tools.catalog.pack_schema import (
    ActionsFile,
    AttentionFile,
    EntitiesFile,
    ExamplesFile,
    HeuristicsFile,
    McpFile,
    OutputsFile,
    PersonalityFile,
    PolicyFile,
    ProactiveFile,
    Skill,
)
from tools.catalog.yaml_with_lines import FieldPath, YamlWithLines, read_yaml
from tools.platform.serialization import plain_fault
from tools.platform.text_comparison import Facts, facts_of

FILES = (
    "actions", "examples", "entities", "heuristics", "policy", "personality", "outputs",
    "attention", "proactive", "mcp",
)  # fmt: skip
"""In the order in which they are read: what is said of an action comes after the action."""
_SET_BY_US = {
    "name": "the entry's key is its name",
    "pack": "the folder's name is the pack",
    "permit": "an agent declares its own tools",
}

_Model = TypeVar("_Model", bound=BaseModel)


@dataclass
class PackFiles:
    """What a pack's files say, each with its lines; a file with faults counts as empty."""

    folder: Path
    actions: dict[str, Action] = field(default_factory=dict)
    entities: EntitiesFile = field(default_factory=EntitiesFile)
    heuristics: HeuristicsFile = field(default_factory=HeuristicsFile)
    policy: PolicyFile = field(default_factory=PolicyFile)
    personality: PersonalityFile = field(default_factory=PersonalityFile)
    outputs: OutputsFile = field(default_factory=OutputsFile)
    attention: AttentionFile = field(default_factory=AttentionFile)
    proactive: ProactiveFile = field(default_factory=ProactiveFile)
    mcp: McpFile = field(default_factory=McpFile)
    skills: list[Skill] = field(default_factory=list)
    marked: dict[str, YamlWithLines] = field(default_factory=dict)
    faults: list[PackFault] = field(default_factory=list)
    named_actions: frozenset[str] = frozenset()
    """Every action that has an entry, faulty ones too: nothing else should complain of them."""

    def fault(self, file: str, path: FieldPath, problem: str) -> None:
        """Note what is wrong at `path` of one file, given by its stem."""
        self.faults.append(self.marked[file].fault(path, problem))

    def is_broken(self, file: str) -> bool:
        """Tell whether a file, given by its stem, has faults already and counts as empty."""
        return any(one.file.name == f"{file}.yaml" for one in self.faults)


def read_files(folder: Path) -> PackFiles:
    """Read every file of a pack; what is wrong with each stands in `faults`."""
    files = PackFiles(folder)
    files.faults.extend(_misnamed(folder))
    there = [name for name in FILES if (folder / f"{name}.yaml").exists()]
    present = [name for name in there if (folder / f"{name}.yaml").is_file()]
    for name in sorted({*there} - {*present}):
        files.faults.append(PackFault(folder / f"{name}.yaml", None, "", "is no file; make it one"))
    if not present and not files.faults and not any(folder.glob("skills/*.yaml")):
        expected = ", ".join(f"{name}.yaml" for name in FILES)
        files.faults.append(PackFault(folder, None, "", f"holds no file of a pack ({expected})"))
    for name in present:
        marked = files.marked[name] = read_yaml(folder / f"{name}.yaml")
        files.faults.extend(marked.faults)
        if marked.value is not None:
            _take(files, name, marked)
    return files


def _take(files: PackFiles, name: str, marked: YamlWithLines) -> None:
    match name:
        case "actions":
            _take_actions(files, marked)
        case "examples":
            _take_examples(files, marked)
        case "entities":
            files.entities = validate_model(files, marked, EntitiesFile) or files.entities
        case "heuristics":
            files.heuristics = validate_model(files, marked, HeuristicsFile) or files.heuristics
        case "policy":
            files.policy = validate_model(files, marked, PolicyFile) or files.policy
        case "personality":
            files.personality = validate_model(files, marked, PersonalityFile) or files.personality
        case "attention":
            files.attention = validate_model(files, marked, AttentionFile) or files.attention
        case "proactive":
            files.proactive = validate_model(files, marked, ProactiveFile) or files.proactive
        case "mcp":
            files.mcp = validate_model(files, marked, McpFile) or files.mcp
        case _:
            files.outputs = validate_model(files, marked, OutputsFile) or files.outputs


def _take_actions(files: PackFiles, marked: YamlWithLines) -> None:
    entries = marked.value.get("actions") if isinstance(marked.value, dict) else None
    if not isinstance(entries, dict):
        validate_model(files, marked, ActionsFile)
        return
    files.named_actions = frozenset(entries)
    for key in marked.value:
        if key != "actions":
            files.faults.append(marked.fault((key,), _unknown(key, ["actions"])))
    pack = files.folder.resolve().name
    for name, entry in entries.items():
        path: FieldPath = ("actions", name)
        if not isinstance(entry, dict):
            files.faults.append(marked.fault(path, "must hold an action: summary, verb, object, …"))
            continue
        faults = len(files.faults)
        for key in _SET_BY_US.keys() & entry.keys():
            files.faults.append(marked.fault((*path, key), f"leave it out: {_SET_BY_US[key]}"))
        given = {key: value for key, value in entry.items() if key not in _SET_BY_US}
        action = validate_model(files, marked, Action, {**given, "name": name, "pack": pack}, path)
        if action is not None and len(files.faults) == faults:
            files.actions[name] = action


def _take_examples(files: PackFiles, marked: YamlWithLines) -> None:
    read = validate_model(files, marked, ExamplesFile)
    for name, texts in (read.examples if read else {}).items():
        if name in files.actions:
            action = files.actions[name]
            both = (*action.examples, *texts)
            files.actions[name] = action.model_copy(update={"examples": both})
        elif name not in files.named_actions:
            near = difflib.get_close_matches(name, sorted(files.named_actions), 1, 0.6)
            hint = f"; did you mean {near[0]}?" if near else ""
            problem = f"actions.yaml has no such action{hint}"
            files.faults.append(marked.fault(("examples", name), problem))


def validate_model(
    files: PackFiles,
    marked: YamlWithLines,
    model: type[_Model],
    value: Any = None,  # whatever the file holds
    path: FieldPath = (),
) -> _Model | None:
    """Read a value as a model; what is wrong with it becomes faults at their lines."""
    try:
        return model.model_validate(marked.value if value is None else value)
    except ValidationError as error:
        for detail in error.errors(include_url=False, include_context=True):
            place = path + _written(marked, path, detail["loc"])
            files.faults.append(marked.fault(place, _problem(detail, model)))
        return None


def _written(marked: YamlWithLines, path: FieldPath, location: FieldPath) -> FieldPath:
    """Drop what pydantic adds to a location beyond the keys the author wrote."""
    kept: FieldPath = ()
    for place, part in enumerate(location):
        is_last = place == len(location) - 1
        if path + kept + (part,) in marked.lines or is_last:
            kept += (part,) if part != "[key]" else ()
    return kept


def _problem(detail: ErrorDetails, model: type[BaseModel]) -> str:
    match detail["type"]:
        case "extra_forbidden":
            return _unknown(str(detail["loc"][-1]), _fields_at(model, detail["loc"][:-1]))
        case "missing":
            return "is missing; it is required"
        case "string_pattern_mismatch" if str(detail["loc"][-1]) in (
            "handler",
            "lookup",
            "preview",
            "status",
        ):
            return f"is not module:function: {detail['input']!r}"
        case "string_type" if isinstance(detail["input"], (bool, int, float)):
            return f'must be a text; write it in quotes: "{detail["input"]}"'
        case "tuple_type":
            return "must be a list: [a, b]"
    return plain_fault(detail["msg"])


def _unknown(key: str, known: Sequence[str]) -> str:
    near = difflib.get_close_matches(key, known, 1, 0.6)
    hint = f"did you mean {near[0]}?" if near else f"known here: {', '.join(known) or 'nothing'}"
    return f"unknown key; {hint}"


def _fields_at(model: type[BaseModel], location: FieldPath) -> list[str]:
    """List the keys that may stand at a location of a model."""
    here: list[type[BaseModel]] = [model]
    for part in location:
        fields = [one.model_fields for one in here]
        named = [
            info.annotation
            for one in fields
            for key, info in one.items()
            if part in (key, info.alias)
        ]
        if named:
            here = [inner for annotation in named for inner in _models_in(annotation)]
    hidden = _SET_BY_US if model is Action and not location else {}
    return [
        info.alias or key
        for one in here
        for key, info in one.model_fields.items()
        if key not in hidden
    ]


def _models_in(annotation: object) -> list[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return [inner for argument in get_args(annotation) for inner in _models_in(argument)]


def _misnamed(folder: Path) -> list[PackFault]:
    known = {f"{name}.yaml" for name in FILES}
    faults = []
    for file in sorted(folder.iterdir()):
        if file.name in known or file.suffix not in (".yaml", ".yml"):
            continue
        near = difflib.get_close_matches(f"{file.stem}.yaml", sorted(known), 1, 0.75)
        if near:
            faults.append(PackFault(file, None, "", f"is not read; did you mean {near[0]}?"))
    return faults


def sort_faults(faults: Sequence[PackFault]) -> tuple[PackFault, ...]:
    """Order faults as a person mends them: by file, then line; each once."""
    return tuple(
        sorted(set(faults), key=lambda fault: (str(fault.file), fault.line or 0, fault.field))
    )


FOLDER = "skills"


def read_skills(files: PackFiles) -> None:
    """Read every manifest into `files.skills`; what is wrong with one stands in `files.faults`."""
    for path in sorted((files.folder / FOLDER).glob("*.yaml")):
        marked = files.marked[f"{FOLDER}/{path.stem}"] = read_yaml(path)
        files.faults.extend(marked.faults)
        skill = validate_model(files, marked, Skill) if marked.value is not None else None
        if skill is None:
            continue
        if skill.name in (other.name for other in files.skills):
            files.faults.append(marked.fault(("name",), f"{skill.name!r} is there twice"))
        for place, line in enumerate(skill.says):
            for problem in _problems(skill, line.say):
                files.faults.append(marked.fault(("says", place, "say"), problem))
        files.skills.append(skill)
    files.faults.extend(_misplaced(files))


def _problems(skill: Skill, say: str) -> list[str]:
    try:
        parts = list(string.Formatter().parse(say))
    except ValueError as error:
        return [f"is not a template: {error}"]
    names = [name for _words, name, _layout, _conversion in parts if name is not None]
    problems = []
    if any(layout or conversion for _words, _name, layout, conversion in parts):
        problems.append("takes no layout: code renders it")
    if names.count("text") != 1:
        problems.append("needs {text} once: it goes around what is to be said")
    if any(not name.isidentifier() for name in names):
        problems.append("names a field that is no name")
    if skill.type != "style_modifier":
        return problems
    if set(names) - {"text"}:
        problems.append("of a style holds {text} alone; what is known of an event is a domain's")
    words = " ".join(words for words, *_rest in parts)
    if facts_of(words) != Facts():
        problems.append("of a style may hold no number, name or negation: it adds no facts")
    return problems


def _misplaced(files: PackFiles) -> list[PackFault]:
    wrong = sorted((files.folder / FOLDER).glob("*.yml"))
    place: FieldPath = ()
    return [
        PackFault(file, None, ".".join(map(str, place)), f"is not read; call it {file.stem}.yaml")
        for file in wrong
    ]
