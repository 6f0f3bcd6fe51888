"""`prefrontal personality` and `prefrontal skills`: how it speaks, and how to change that."""

import asyncio
from collections.abc import Callable, Iterable
from typing import Annotated, get_args

import typer

from graph.cli.console import OUT, print_json, shown
from graph.cli.options import (
    AsJson,
    DataDir,
    Packs,
    Session,
    Speaker,
    Tenant,
    read_settings,
    read_speaker,
)
from graph.personality_words import personality_words, skill_words
from graph.settings import Settings
from state.errors import BadInput
from state.personality import Personality, TraitName
from state.principal import Principal
from state.skill import LoadedSkill
from state.talk import TalkRequest

personality = typer.Typer(
    no_args_is_help=True,
    help="How it speaks: traits, mood, rapport, and changing them.",
    epilog="Example: prefrontal personality show",
)
skills = typer.Typer(
    no_args_is_help=True,
    help="Which skills shape its words; loading and unloading.",
    epilog="Example: prefrontal skills list --pack companion",
)

TraitArgument = Annotated[str, typer.Argument(metavar="TRAIT", help=", ".join(get_args(TraitName)))]


def add_to(cli: typer.Typer) -> None:
    """Add the commands."""
    cli.add_typer(personality, name="personality")
    cli.add_typer(skills, name="skills")


@personality.command(epilog="Example: prefrontal personality show --session overworld")
def show(
    session: Session = "default",
    pack: Packs = None,
    as_json: AsJson = False,
    data_dir: DataDir = None,
    tenant: Tenant = "default",
) -> None:
    """Show the traits of now and what each is made of. Reads beside a service."""
    settings = read_settings(pack, data_dir)

    async def work() -> Personality:
        from graph.cli.stored import open_stored

        async with open_stored(settings) as stored:
            return (await stored.manner(settings, tenant, session)).personality

    _tell(asyncio.run(work()), as_json=as_json)


@personality.command(
    "set", epilog="Example: prefrontal personality set dry_wit --as sam:player --pack companion"
)
def set_template(
    template: Annotated[str, typer.Argument(help="One that `show` offers.")],
    speaker: Speaker,
    session: Session = "default",
    pack: Packs = None,
    as_json: AsJson = False,
    data_dir: DataDir = None,
    tenant: Tenant = "default",
) -> None:
    """Choose a personality for yourself; what you had adjusted is gone with it."""
    request = TalkRequest(kind="template", topic=template)
    changed = _changed(read_settings(pack, data_dir), read_speaker(speaker, tenant), session)
    _tell(changed(request), as_json=as_json)


@personality.command(
    epilog="Example: prefrontal personality adjust sarcasm -0.2 --as sam:player",
    context_settings={"ignore_unknown_options": True},  # -0.2 is no option
)
def adjust(
    trait: TraitArgument,
    step: Annotated[
        str, typer.Argument(metavar="STEP|=VALUE", help="-0.2 is less of it, =0.5 just so much.")
    ],
    speaker: Speaker,
    session: Session = "default",
    pack: Packs = None,
    as_json: AsJson = False,
    data_dir: DataDir = None,
    tenant: Tenant = "default",
) -> None:
    """Have more or less of a trait. Words do it too: prefrontal ask "be less sarcastic"."""
    request = _adjustment(trait, step)
    changed = _changed(read_settings(pack, data_dir), read_speaker(speaker, tenant), session)
    _tell(changed(request), as_json=as_json)


@personality.command(epilog="Example: prefrontal personality reset --as sam:player")
def reset(
    speaker: Speaker,
    session: Session = "default",
    pack: Packs = None,
    as_json: AsJson = False,
    data_dir: DataDir = None,
    tenant: Tenant = "default",
) -> None:
    """Forget what you had chosen and adjusted; mood and rapport stay."""
    changed = _changed(read_settings(pack, data_dir), read_speaker(speaker, tenant), session)
    _tell(changed(TalkRequest(kind="as_usual")), as_json=as_json)


@skills.command("list", epilog="Example: prefrontal skills list --pack companion")
def list_skills(
    session: Session = "default",
    pack: Packs = None,
    as_json: AsJson = False,
    data_dir: DataDir = None,
    tenant: Tenant = "default",
) -> None:
    """List the skills of the packs, which of them speak in a session, and why."""
    settings = read_settings(pack, data_dir)

    async def work() -> tuple[LoadedSkill, ...]:
        from graph.cli.stored import open_stored

        async with open_stored(settings) as stored:
            return (await stored.manner(settings, tenant, session)).skills

    _tell_skills(asyncio.run(work()), as_json=as_json)


@skills.command(epilog="Example: prefrontal skills load minecraft --as sam:player")
def load(
    name: Annotated[str, typer.Argument(help="A skill's name, or the one word of it.")],
    speaker: Speaker,
    session: Session = "default",
    pack: Packs = None,
    as_json: AsJson = False,
    data_dir: DataDir = None,
    tenant: Tenant = "default",
) -> None:
    """Have a skill speak in a session, whatever its context or the traits are."""
    settings, who = read_settings(pack, data_dir), read_speaker(speaker, tenant)
    request = TalkRequest(kind="load_skill", topic=name)
    _tell_skills(asyncio.run(_loaded(settings, who, session, request)), as_json=as_json)


@skills.command(epilog="Example: prefrontal skills unload sarcasm --as sam:player")
def unload(
    name: Annotated[str, typer.Argument(help="A skill's name, or the one word of it.")],
    speaker: Speaker,
    session: Session = "default",
    pack: Packs = None,
    as_json: AsJson = False,
    data_dir: DataDir = None,
    tenant: Tenant = "default",
) -> None:
    """Have a skill be silent in a session until it is loaded again."""
    settings, who = read_settings(pack, data_dir), read_speaker(speaker, tenant)
    request = TalkRequest(kind="unload_skill", topic=name)
    _tell_skills(asyncio.run(_loaded(settings, who, session, request)), as_json=as_json)


def _adjustment(trait: str, step: str) -> TalkRequest:
    if trait not in get_args(TraitName):
        raise BadInput(f"no trait {trait!r}; one of {', '.join(get_args(TraitName))}")
    field, digits = ("value", step[1:]) if step.startswith("=") else ("step", step)
    try:
        return TalkRequest.model_validate({"kind": "trait", "trait": trait, field: float(digits)})
    except ValueError:
        raise BadInput(
            f"{step!r} is no step: -0.2 is less of it (-1 to 1), =0.5 just so much (0 to 1)"
        ) from None


def _changed(
    settings: Settings, who: Principal, session: str
) -> Callable[[TalkRequest], Personality]:
    async def work(request: TalkRequest) -> Personality:
        from graph.cli.embedded import at_work

        async with at_work(settings) as executive:
            return await executive.characters.change(who, session, request)

    return lambda request: asyncio.run(work(request))


async def _loaded(
    settings: Settings, who: Principal, session: str, request: TalkRequest
) -> tuple[LoadedSkill, ...]:
    from graph.cli.embedded import at_work

    async with at_work(settings) as executive:
        await executive.characters.change(who, session, request)
        return await executive.characters.skills(who.tenant_id, session)


def _tell(standing: Personality, *, as_json: bool) -> None:
    if as_json:
        print_json(standing.model_dump(mode="json"))
        return
    for line in personality_words(standing):
        OUT.print(shown(line))


def _tell_skills(skills: Iterable[LoadedSkill], *, as_json: bool) -> None:
    for skill in skills if as_json else ():
        print_json(skill.model_dump(mode="json"))
    for line in () if as_json else skill_words(skills):
        OUT.print(shown(line))
