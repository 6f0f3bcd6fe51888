"""`prefrontal personality` and `prefrontal skills`: how it speaks, and how to change that."""

from typing import TYPE_CHECKING, Annotated, get_args

import typer

from graph.cli.in_session import SessionOptions, in_session
from graph.cli.options import Speaker, read_speaker
from graph.words.personality import personality_words, skill_words
from state.errors import BadInput
from state.personality import Personality, TraitName
from state.skill import LoadedSkill
from state.talk import TalkRequest

if TYPE_CHECKING:
    from graph.runner import Executive

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
SkillName = Annotated[str, typer.Argument(help="A skill's name, or the one word of it.")]


def add_to(cli: typer.Typer) -> None:
    """Add the commands."""
    cli.add_typer(personality, name="personality")
    cli.add_typer(skills, name="skills")


@personality.command(epilog="Example: prefrontal personality show --session overworld")
@in_session
def show(options: SessionOptions) -> None:
    """Show the traits of now and what each is made of. Reads beside a service."""
    manner = options.read(
        lambda stored: stored.manner(options.settings, options.tenant, options.session)
    )
    _tell(options, manner.personality)


@personality.command(
    "set", epilog="Example: prefrontal personality set dry_wit --as sam:player --pack companion"
)
@in_session
def set_template(
    template: Annotated[str, typer.Argument(help="One that `show` offers.")],
    speaker: Speaker,
    options: SessionOptions,
) -> None:
    """Choose a personality for yourself; what you had adjusted is gone with it."""
    _change(options, speaker, TalkRequest(kind="template", topic=template))


@personality.command(
    epilog="Example: prefrontal personality adjust sarcasm -0.2 --as sam:player",
    context_settings={"ignore_unknown_options": True},  # -0.2 is no option
)
@in_session
def adjust(
    trait: TraitArgument,
    step: Annotated[
        str, typer.Argument(metavar="STEP|=VALUE", help="-0.2 is less of it, =0.5 just so much.")
    ],
    speaker: Speaker,
    options: SessionOptions,
) -> None:
    """Have more or less of a trait. Words do it too: prefrontal ask "be less sarcastic"."""
    _change(options, speaker, _adjustment(trait, step))


@personality.command(epilog="Example: prefrontal personality reset --as sam:player")
@in_session
def reset(speaker: Speaker, options: SessionOptions) -> None:
    """Forget what you had chosen and adjusted; mood and rapport stay."""
    _change(options, speaker, TalkRequest(kind="as_usual"))


@skills.command("list", epilog="Example: prefrontal skills list --pack companion")
@in_session
def list_skills(options: SessionOptions) -> None:
    """List the skills of the packs, which of them speak in a session, and why."""
    manner = options.read(
        lambda stored: stored.manner(options.settings, options.tenant, options.session)
    )
    _tell_skills(options, manner.skills)


@skills.command(epilog="Example: prefrontal skills load minecraft --as sam:player")
@in_session
def load(name: SkillName, speaker: Speaker, options: SessionOptions) -> None:
    """Have a skill speak in a session, whatever its context or the traits are."""
    _load(options, speaker, TalkRequest(kind="load_skill", topic=name))


@skills.command(epilog="Example: prefrontal skills unload sarcasm --as sam:player")
@in_session
def unload(name: SkillName, speaker: Speaker, options: SessionOptions) -> None:
    """Have a skill be silent in a session until it is loaded again."""
    _load(options, speaker, TalkRequest(kind="unload_skill", topic=name))


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


def _change(options: SessionOptions, speaker: str, request: TalkRequest) -> None:
    who = read_speaker(speaker, options.tenant)
    _tell(
        options,
        options.at_work(lambda work: work.characters.change(who, options.session, request)),
    )


def _load(options: SessionOptions, speaker: str, request: TalkRequest) -> None:
    who = read_speaker(speaker, options.tenant)

    async def work(executive: "Executive") -> tuple[LoadedSkill, ...]:
        await executive.characters.change(who, options.session, request)
        return await executive.characters.skills(who.tenant_id, options.session)

    _tell_skills(options, options.at_work(work))


def _tell(options: SessionOptions, standing: Personality) -> None:
    options.tell([standing.model_dump(mode="json")], personality_words(standing))


def _tell_skills(options: SessionOptions, found: tuple[LoadedSkill, ...]) -> None:
    options.tell((skill.model_dump(mode="json") for skill in found), skill_words(found))
