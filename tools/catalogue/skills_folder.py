"""Read the manifests in a pack's skills/, and see whether their words can be used."""

import string

from state.errors import PackFault
from tools.catalogue.marked_yaml import FieldPath, read_marked
from tools.catalogue.reading import PackFiles, validated
from tools.catalogue.skill_file import Skill
from tools.skills.facts import Facts, facts_of

FOLDER = "skills"


def read_skills(files: PackFiles) -> None:
    """Read every manifest into `files.skills`; what is wrong with one stands in `files.faults`."""
    for path in sorted((files.folder / FOLDER).glob("*.yaml")):
        marked = files.marked[f"{FOLDER}/{path.stem}"] = read_marked(path)
        files.faults.extend(marked.faults)
        skill = validated(files, marked, Skill) if marked.value is not None else None
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
