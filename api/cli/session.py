"""`prefrontal quiet`, `prefrontal personality`, `prefrontal skills`: how a session is spoken to.

`in_session` gives every command on one session its shared options.
"""

import asyncio
import inspect
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING, Annotated, Any, TypeVar, get_args

import typer
from pydantic import JsonValue

from api.cli.options import (
    AsJson,
    DataDir,
    Packs,
    Session,
    Speaker,
    Tenant,
    read_settings,
    read_speaker,
)
from api.cli.terminal import OUT, print_json, printable
from graph.presenters.status import personality_words, quiet_words, skill_words
from graph.settings import Settings
from state.errors import BadInput
from state.personality import Personality, TraitName
from state.quietness import Quietness
from state.skill import LoadedSkill
from state.talk import TalkRequest
from tools.nlu.control.requests import control_request

if TYPE_CHECKING:
    from api.cli.data_folder import Stored
    from graph.executive import Executive

T = TypeVar("T")


@dataclass(frozen=True)
class SessionOptions:
    """Which session of which folder is meant, and how the answer is told."""

    settings: Settings
    tenant: str
    session: str
    as_json: bool

    def read(self, work: "Callable[[Stored], Awaitable[T]]") -> T:
        """Read the tables, also beside a service.

        Raises:
            AgentError: nothing was ever decided in the folder.
        """

        async def run() -> T:
            from api.cli.data_folder import open_stored

            async with open_stored(self.settings) as stored:
                return await work(stored)

        return asyncio.run(run())

    def at_work(self, work: "Callable[[Executive], Awaitable[T]]") -> T:
        """Work with an Executive, which needs the folder for itself.

        Raises:
            Busy: a service has it.
        """

        async def run() -> T:
            from api.cli.interactive import open_embedded

            async with open_embedded(self.settings) as executive:
                return await work(executive)

        return asyncio.run(run())

    def tell(self, answers: Iterable[JsonValue], lines: Iterable[str]) -> None:
        """Print each answer as a line of JSON where that is asked for, else what a person reads."""
        for answer in answers if self.as_json else ():
            print_json(answer)
        for line in () if self.as_json else lines:
            OUT.print(printable(line))


def in_session(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command --session, --pack, --json, --data-dir and --tenant, as its `options`."""

    def options(
        session: Session = "default",
        pack: Packs = None,
        as_json: AsJson = False,
        data_dir: DataDir = None,
        tenant: Tenant = "default",
    ) -> SessionOptions:
        return SessionOptions(read_settings(pack, data_dir), tenant, session, as_json)

    own = inspect.signature(command).parameters
    shared = inspect.signature(options).parameters

    @wraps(command)
    def with_options(**given: Any) -> None:  # whatever the command takes
        known = options(**{name: given.pop(name) for name in shared})
        command(options=known, **given)

    parameters = [*(own[name] for name in own if name != "options"), *shared.values()]
    keywords = [each.replace(kind=inspect.Parameter.KEYWORD_ONLY) for each in parameters]
    with_options.__signature__ = inspect.Signature(keywords)  # type: ignore[attr-defined]  # as inspect documents it
    with_options.__annotations__ = {each.name: each.annotation for each in keywords}
    return with_options


if TYPE_CHECKING:
    from graph.executive import Executive

quiet = typer.Typer(
    no_args_is_help=True,
    help="Why it is silent now, what waits, and how to change that.",
    epilog="Example: prefrontal quiet why",
)


def add_quiet(cli: typer.Typer) -> None:
    """Add the commands."""
    cli.add_typer(quiet, name="quiet")


@quiet.command(epilog="Example: prefrontal quiet why --session engine-room")
@in_session
def why(options: SessionOptions) -> None:
    """Say why a session is silent now, until when, and what waits. Reads beside a service."""
    standing = options.read(
        lambda stored: stored.standing(options.settings, options.tenant, options.session)
    )
    _print_quiet(options, standing)


@quiet.command(epilog='Example: prefrontal quiet ask "be quiet for 20 minutes" --as ben:engineer')
@in_session
def ask(
    words: Annotated[
        str, typer.Argument(help='"be quiet for 20 minutes", "stop telling me about lunch", …')
    ],
    speaker: Speaker,
    options: SessionOptions,
) -> None:
    """Ask for quiet, or for anything else about the talking, in plain words.

    Quiet hours, a topic to be left alone or watched for, talk more, talk less:
    docs/explanation/attention.md.
    """
    request = control_request(words)
    if request is None or request.kind in ("prompt", "unclear", "reminders", "goals"):
        raise BadInput(
            f"that asks nothing about the talking: {words!r}; see docs/explanation/attention.md"
        )
    _change_quiet(options, speaker, request)


@quiet.command(epilog="Example: prefrontal quiet end --as ben:engineer")
@in_session
def end(
    speaker: Speaker,
    options: SessionOptions,
    topic: Annotated[
        str | None, typer.Option("--topic", metavar="WORDS", help="End the rule about a topic.")
    ] = None,
    hours: Annotated[bool, typer.Option("--hours", help="End the quiet hours.")] = False,
) -> None:
    """End the quiet of now; what was kept is told in one digest (`prefrontal why --last`)."""
    if topic is not None and hours:
        raise BadInput("end one thing at a time: --topic or --hours")
    request = TalkRequest(kind="no_quiet_hours" if hours else "talk")
    if topic is not None:
        request = TalkRequest(kind="forget", topic=topic.lower())
    _change_quiet(options, speaker, request)


def _change_quiet(options: SessionOptions, speaker: str, request: TalkRequest) -> None:
    who = read_speaker(speaker, options.tenant)

    async def work(executive: "Executive") -> Quietness:
        await executive.controls.change(who, options.session, request)
        await executive.resume_unfinished()
        return await executive.controls.standing(who.tenant_id, options.session)

    _print_quiet(options, options.at_work(work))


def _print_quiet(options: SessionOptions, standing: Quietness) -> None:
    options.tell([standing.model_dump(mode="json")], quiet_words(standing))


if TYPE_CHECKING:
    from graph.executive import Executive

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


def add_personality(cli: typer.Typer) -> None:
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
    _print_personality(options, manner.personality)


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
    _change_personality(options, speaker, TalkRequest(kind="template", topic=template))


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
    _change_personality(options, speaker, _adjustment(trait, step))


@personality.command(epilog="Example: prefrontal personality reset --as sam:player")
@in_session
def reset(speaker: Speaker, options: SessionOptions) -> None:
    """Forget what you had chosen and adjusted; mood and rapport stay."""
    _change_personality(options, speaker, TalkRequest(kind="as_usual"))


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


def _change_personality(options: SessionOptions, speaker: str, request: TalkRequest) -> None:
    who = read_speaker(speaker, options.tenant)
    _print_personality(
        options,
        options.at_work(lambda work: work.personality.change(who, options.session, request)),
    )


def _load(options: SessionOptions, speaker: str, request: TalkRequest) -> None:
    who = read_speaker(speaker, options.tenant)

    async def work(executive: "Executive") -> tuple[LoadedSkill, ...]:
        await executive.personality.change(who, options.session, request)
        return await executive.personality.skills(who.tenant_id, options.session)

    _tell_skills(options, options.at_work(work))


def _print_personality(options: SessionOptions, standing: Personality) -> None:
    options.tell([standing.model_dump(mode="json")], personality_words(standing))


def _tell_skills(options: SessionOptions, found: tuple[LoadedSkill, ...]) -> None:
    options.tell((skill.model_dump(mode="json") for skill in found), skill_words(found))
