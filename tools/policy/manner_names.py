"""Which personality or skill is meant by a name that somebody says."""

from collections.abc import Iterable

from state.errors import NotFound
from state.talk import TalkRequest
from tools.ports import Catalogue
from tools.skills.loading import Skills

_KINDS = {"template": "personality", "load_skill": "skill", "unload_skill": "skill"}


def resolved(request: TalkRequest, catalogue: Catalogue) -> TalkRequest:
    """Return a request with the whole name of what it names; `minecraft` may be the only one near.

    Raises:
        NotFound: no personality or skill of the loaded packs is called that.
    """
    kind = _KINDS.get(request.kind)
    if kind is None:
        return request
    said = (request.topic or "").strip().lower().replace(" ", "_")
    known = names_of(kind, catalogue)
    near = [name for name in known if said and said in [*name.split("_"), name]]
    if said in known:
        near = [said]
    if len(near) != 1:
        raise NotFound(kind, said)
    return request.model_copy(update={"topic": near[0]})


def unknown_words(refusal: NotFound, catalogue: Catalogue) -> str:
    """Tell somebody that there is nothing of that name, and what there is."""
    known = [name.replace("_", " ") for name in names_of(refusal.kind, catalogue)]
    there = f"I know: {', '.join(known)}." if known else "The packs here have none."
    return f"I know no {refusal.kind} called {refusal.identifier.replace('_', ' ')}. {there}"


def names_of(kind: str, catalogue: Catalogue) -> list[str]:
    """List the personalities, or the skills that may be loaded."""
    if kind == "personality":
        return sorted(set(_templates(catalogue)))
    skills = Skills.of(catalogue.packs)
    return sorted(skill.name for skill in skills.manifests if skills.named(skill.name))


def _templates(catalogue: Catalogue) -> Iterable[str]:
    for pack in catalogue.packs:
        yield from pack.personality.templates
        yield from (skill.name for skill in pack.skills if skill.traits is not None)
