"""`prefrontal quiet`, `reminders`, `personality` and `skills`: how a session is spoken to."""

from collections.abc import Sequence
from typing import Annotated, get_args

import typer

from api.cli.options import Session, Speaker, with_service
from api.cli.presentation import answer_of
from api.cli.service import Service
from api.cli.terminal import printable
from prefrontal.client import Client
from state.errors import BadInput, NotFound
from state.initiative import Reminder
from state.personality import Personality, TraitName
from state.quietness import Quietness
from state.skill import LoadedSkill

quiet = typer.Typer(no_args_is_help=True, epilog="Example: prefrontal quiet why")


@quiet.command(epilog="Example: prefrontal quiet why --session engine-room")
@with_service
def why(service: Service, session: Session = "default") -> None:
    """Show why a session is quiet now, until when, and what waits."""
    with service.reading() as client:
        _show_quiet(service, client.quiet(session))


@quiet.command(epilog='Example: prefrontal quiet ask "be quiet for 20 minutes" --as ben:engineer')
@with_service
def ask(
    words: Annotated[
        str, typer.Argument(help='"be quiet for 20 minutes", "stop telling me about lunch", …')
    ],
    service: Service,
    speaker: Speaker = None,
    session: Session = "default",
) -> None:
    """Ask for quiet, or for anything else about talking, in plain words.

    Quiet hours, a topic to suppress or to watch for, talk more, talk less: see
    docs/explanation/attention.md.
    """
    from tools.nlu import control_request

    request = control_request(words)
    if request is None or request.kind in ("prompt", "unclear", "reminders", "goals"):
        raise BadInput(
            f"that asks nothing about talking: {words!r}; see docs/explanation/attention.md"
        )
    with service.acting(speaker) as client:
        answer = client.say(words, session_id=session)
        standing = client.quiet(session)
    if answer.outcome in ("failed", "refused"):
        service.show(answer, answer_of)
        raise typer.Exit(1)
    _show_quiet(service, standing)


@quiet.command(epilog="Example: prefrontal quiet end --as ben:engineer")
@with_service
def end(
    service: Service,
    speaker: Speaker = None,
    session: Session = "default",
    topic: Annotated[
        str | None, typer.Option("--topic", metavar="WORDS", help="End the rule about a topic.")
    ] = None,
    hours: Annotated[bool, typer.Option("--hours", help="End the quiet hours.")] = False,
) -> None:
    """End the quiet; what was held back follows in one digest (`prefrontal why --last`)."""
    if topic is not None and hours:
        raise BadInput("end one thing at a time: --topic or --hours")
    with service.acting(speaker) as client:
        _show_quiet(service, client.end_quiet(session, topic=topic, hours=hours))


def _show_quiet(service: Service, standing: Quietness) -> None:
    from graph.presenters.status import quiet_words

    service.show(standing, lambda one: printable("\n".join(quiet_words(one))))


reminders = typer.Typer(
    no_args_is_help=True, epilog="Example: prefrontal reminders list --session engine-room"
)


@reminders.command("list", epilog="Example: prefrontal reminders list")
@with_service
def list_reminders(service: Service, session: Session = "default") -> None:
    """List the reminders that wait, the next one first."""
    with service.reading() as client:
        _show_reminders(service, list(client.reminders(session)))


@reminders.command(
    "ask", epilog='Example: prefrontal reminders ask "in 20 minutes to check it" --as ben:engineer'
)
@with_service
def ask_reminder(
    words: Annotated[
        str, typer.Argument(help='"in 20 minutes to check the furnace", "at 18:00 to call home"')
    ],
    service: Service,
    speaker: Speaker = None,
    session: Session = "default",
) -> None:
    """Ask to be reminded, in plain words; the service must run for the reminder to come."""
    from tools.memory.reminders import due_of
    from tools.nlu import control_request
    from tools.platform.clock import SystemClock

    now, zone = SystemClock().now(), service.settings.zone
    here = now.astimezone(zone)
    request = control_request(words, here) or control_request(f"remind me {words}", here)
    due = due_of(request, now, zone) if request else None
    if request is None or request.kind != "remind" or due is None:
        raise BadInput(f'say when and of what, such as "in 20 minutes to check it": {words!r}')
    with service.acting(speaker) as client:
        made = client.remind(request.topic or "", at=due, session_id=session)
        _show_reminders(service, [made])


@reminders.command(epilog="Example: prefrontal reminders cancel furnace --as ben:engineer")
@with_service
def cancel(
    which: Annotated[str, typer.Argument(help="Its id, or words of it.")],
    service: Service,
    speaker: Speaker = None,
    session: Session = "default",
) -> None:
    """Cancel a reminder of yours that has not come yet, and list what still waits."""
    from tools.memory.reminders import find_reminders

    who = service.caller(speaker)
    with service.acting(speaker) as client:
        waiting = list(client.reminders(session))
        named = find_reminders([one for one in waiting if not who or one.is_of(who.user)], which)
        if not named:
            raise NotFound("reminder", which)
        if len(named) > 1:
            ids = ", ".join(one.reminder_id for one in named)
            raise BadInput(f"that names several; give the id of one: {ids}")
        client.call_off(named[0].reminder_id, session_id=session)
        _show_reminders(service, list(client.reminders(session)))


def _show_reminders(service: Service, found: Sequence[Reminder]) -> None:
    from tools.nlu.control.occasions import cue_text, repeat_text

    lines = []
    for one in found:
        when = f"{one.due_at:%Y-%m-%d %H:%M:%S} UTC"
        if one.on_event is not None:
            when = f"{cue_text(one.repeats)} {one.on_event}"
        elif one.repeats is not None:
            when = f"{when}, {repeat_text(one.repeats)}"
        lines.append(f"{when}  {one.text}  ({one.reminder_id})")
    service.show_list(found, lines or ["nothing waits"])


personality = typer.Typer(no_args_is_help=True, epilog="Example: prefrontal personality show")
PERSONALITY = "/v1/personality"


@personality.command(epilog="Example: prefrontal personality show --session overworld")
@with_service
def show(service: Service, session: Session = "default") -> None:
    """Show the current traits and what each is made of."""
    with service.reading() as client:
        standing = client.call("GET", PERSONALITY, Personality, session_id=session)
    _show_personality(service, standing)


@personality.command(
    "set", epilog="Example: prefrontal personality set dry_wit --as sam:player --pack companion"
)
@with_service
def set_template(
    template: Annotated[str, typer.Argument(help="One that `show` offers.")],
    service: Service,
    speaker: Speaker = None,
    session: Session = "default",
) -> None:
    """Choose a personality for yourself; your own adjustments are reset."""
    wish = {"session_id": session, "template": template}
    with service.acting(speaker) as client:
        _show_personality(service, client.call("PUT", PERSONALITY, Personality, wish))


@personality.command(
    epilog="Example: prefrontal personality adjust sarcasm -0.2 --as sam:player",
    context_settings={"ignore_unknown_options": True},  # -0.2 is no option
)
@with_service
def adjust(
    trait: Annotated[str, typer.Argument(metavar="TRAIT", help=", ".join(get_args(TraitName)))],
    step: Annotated[
        str, typer.Argument(metavar="STEP|=VALUE", help="-0.2 lowers it, =0.5 sets it.")
    ],
    service: Service,
    speaker: Speaker = None,
    session: Session = "default",
) -> None:
    """Raise or lower a trait. Words do it too: prefrontal ask "be less sarcastic"."""
    wish = {"session_id": session, "trait": trait, **_step(trait, step)}
    with service.acting(speaker) as client:
        _show_personality(service, client.call("PATCH", PERSONALITY, Personality, wish))


@personality.command(epilog="Example: prefrontal personality reset --as sam:player")
@with_service
def reset(service: Service, speaker: Speaker = None, session: Session = "default") -> None:
    """Reset your choice and adjustments; mood and rapport stay."""
    with service.acting(speaker) as client:
        standing = client.call("DELETE", PERSONALITY, Personality, session_id=session)
    _show_personality(service, standing)


def _step(trait: str, step: str) -> dict[str, float]:
    if trait not in get_args(TraitName):
        raise BadInput(f"no trait {trait!r}; one of {', '.join(get_args(TraitName))}")
    field, digits, least = ("value", step[1:], 0) if step.startswith("=") else ("step", step, -1)
    try:
        if least <= float(digits) <= 1:
            return {field: float(digits)}
    except ValueError:
        pass
    raise BadInput(f"{step!r} is no step: -0.2 lowers it (-1 to 1), =0.5 sets it (0 to 1)")


def _show_personality(service: Service, standing: Personality) -> None:
    from graph.presenters.status import personality_words

    service.show(standing, lambda one: printable("\n".join(personality_words(one))))


skills = typer.Typer(
    no_args_is_help=True, epilog="Example: prefrontal skills list --pack companion"
)
SkillName = Annotated[str, typer.Argument(help="The name of a skill, or a word that only it has.")]


@skills.command("list", epilog="Example: prefrontal skills list --pack companion")
@with_service
def list_skills(service: Service, session: Session = "default") -> None:
    """List the packs' skills, which of them are loaded in a session, and why."""
    with service.reading() as client:
        _show_skills(service, client, session)


@skills.command(epilog="Example: prefrontal skills load minecraft --as sam:player")
@with_service
def load(
    name: SkillName, service: Service, speaker: Speaker = None, session: Session = "default"
) -> None:
    """Load a skill in a session, whatever the context or the traits are."""
    _change_skill(service, "PUT", name, speaker, session)


@skills.command(epilog="Example: prefrontal skills unload sarcasm --as sam:player")
@with_service
def unload(
    name: SkillName, service: Service, speaker: Speaker = None, session: Session = "default"
) -> None:
    """Unload a skill in a session until it is loaded again."""
    _change_skill(service, "DELETE", name, speaker, session)


def _change_skill(
    service: Service, method: str, name: str, speaker: str | None, session: str
) -> None:
    with service.acting(speaker) as client:
        client.json(method, ("/v1/skills", name), session_id=session)
        _show_skills(service, client, session)


def _show_skills(service: Service, client: Client, session: str) -> None:
    from graph.presenters.status import skill_words

    found = list(client.pages("/v1/skills", "skills", LoadedSkill, session_id=session))
    for one in found:
        service.show(one, lambda skill: printable("\n".join(skill_words([skill]))))
