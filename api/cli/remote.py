"""`prefrontal --url`: the verbs that call a remote service with an API key."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import httpx
import typer

from api.cli.actions import explanation_text
from api.cli.approvals import Seen, require_long_parts_read
from api.cli.journal_files import is_markdown, lines, records
from api.cli.options import AsJson, Session, Values, read_values
from api.cli.presentation import (
    answer_of,
    approval_of,
    approval_row,
    print_chain,
    print_found,
    show_decision,
)
from api.cli.terminal import OUT, print_json, print_note, printable
from graph.presenters.status import quiet_words
from state.approval import ActionState
from state.dialog import ShownApproval
from state.errors import AgentError, BadInput, NotFound
from state.initiative import Reminder
from state.journal import JournalMessage
from state.quietness import Quietness
from tools.attention.reminders import find_reminders
from tools.client.client import Client
from tools.nlu.control.requests import control_request

Key = Annotated[
    str, typer.Option("--key", envvar="PREFRONTAL_KEY", help="A key of that service.", prompt=False)
]


@contextmanager
def service_of(context: typer.Context, key: str) -> Iterator[Client]:
    """Open the service that `--url` names.

    Raises:
        BadInput: that is no address.
        AgentError: nobody answers there.
    """
    url = str(context.find_root().params["url"])
    if not key.isascii() or not key.strip():
        raise BadInput("PREFRONTAL_KEY holds no key; put in the one that make run printed")
    try:
        with Client(url, key) as service:
            yield service
    except (httpx.UnsupportedProtocol, httpx.InvalidURL) as error:
        raise BadInput("--url takes the address of a service: http://127.0.0.1:8765") from error
    except httpx.TransportError as error:
        raise AgentError(f"no service answers at {url}: {error}") from error


reminders = typer.Typer(no_args_is_help=True, help="What will be told there at a time.")
quiet = typer.Typer(no_args_is_help=True, help="Why it is silent there, and how to change that.")
NOT_ABOUT_TALKING = ("prompt", "unclear", "reminders", "goals")


@reminders.command("list")
def list_reminders(
    context: typer.Context, key: Key, session: Session = "default", as_json: AsJson = False
) -> None:
    """List what waits, the next first."""
    with service_of(context, key) as service:
        _tell_reminders(service.reminders(session), as_json=as_json)


@reminders.command("ask")
def ask_reminder(
    context: typer.Context,
    key: Key,
    words: Annotated[str, typer.Argument(metavar="WORDS", help='"in 20 minutes to check it"')],
    session: Session = "default",
    as_json: AsJson = False,
) -> None:
    """Ask to be reminded, in plain words, and list what waits."""
    text = next((one for one in (words, f"remind me {words}") if _is_reminder(one)), None)
    if text is None:
        raise BadInput(f'say when and of what, such as "in 20 minutes to check it": {words!r}')
    with service_of(context, key) as service:
        said = service.say(text, session_id=session)
        if not as_json:
            OUT.print(answer_of(said))
        _tell_reminders(service.reminders(session), as_json=as_json)


@reminders.command("cancel")
def cancel_reminder(
    context: typer.Context,
    key: Key,
    which: Annotated[str, typer.Argument(metavar="WHICH", help="Its id, or words of it.")],
    session: Session = "default",
    as_json: AsJson = False,
) -> None:
    """Call off what the key's user asked for, and list what still waits."""
    with service_of(context, key) as service:
        named = find_reminders(tuple(service.reminders(session)), which)
        if not named:
            raise NotFound("reminder", which)
        if len(named) > 1:
            ids = ", ".join(one.reminder_id for one in named)
            raise BadInput(f"that names several; give the id of one: {ids}")
        service.call_off(named[0].reminder_id, session_id=session)
        _tell_reminders(service.reminders(session), as_json=as_json)


@quiet.command("why")
def why_quiet(
    context: typer.Context, key: Key, session: Session = "default", as_json: AsJson = False
) -> None:
    """Say why a session is silent now, until when, and what waits."""
    with service_of(context, key) as service:
        _tell_standing(service.quiet(session), as_json=as_json)


@quiet.command("ask")
def ask_quiet(
    context: typer.Context,
    key: Key,
    words: Annotated[str, typer.Argument(metavar="WORDS", help='"be quiet for 20 minutes", …')],
    session: Session = "default",
    as_json: AsJson = False,
) -> None:
    """Ask for quiet, or for anything else about the talking, in plain words."""
    request = control_request(words)
    if request is None or request.kind in NOT_ABOUT_TALKING:
        raise BadInput(
            f"that asks nothing about the talking: {words!r}; see docs/explanation/attention.md"
        )
    with service_of(context, key) as service:
        said = service.say(words, session_id=session)
        if not as_json:
            OUT.print(answer_of(said))
        _tell_standing(service.quiet(session), as_json=as_json)


@quiet.command("end")
def end_quiet(
    context: typer.Context,
    key: Key,
    session: Session = "default",
    topic: Annotated[str | None, typer.Option("--topic", metavar="WORDS")] = None,
    hours: Annotated[bool, typer.Option("--hours", help="End the quiet hours.")] = False,
    as_json: AsJson = False,
) -> None:
    """End the quiet of now, the rule about a topic, or the quiet hours."""
    if topic is not None and hours:
        raise BadInput("end one thing at a time: --topic or --hours")
    with service_of(context, key) as service:
        _tell_standing(service.end_quiet(session, topic=topic, hours=hours), as_json=as_json)


def _is_reminder(words: str) -> bool:
    request = control_request(words)
    return request is not None and request.kind == "remind"


def _tell_reminders(found: Iterable[Reminder], *, as_json: bool) -> None:
    waiting = list(found)
    if as_json:
        print_json([one.model_dump(mode="json") for one in waiting])
        return
    for one in waiting:
        when = f"{one.due_at:%Y-%m-%d %H:%M:%S} UTC"
        OUT.print(printable(f"{when}  {one.text}  ({one.reminder_id})"))
    if not waiting:
        OUT.print("nothing waits")


def _tell_standing(standing: Quietness, *, as_json: bool) -> None:
    if as_json:
        print_json(standing.model_dump(mode="json"))
        return
    for line in quiet_words(standing):
        OUT.print(printable(line))


journal = typer.Typer(no_args_is_help=True, help="The decisions people took, on record there.")
DecisionId = Annotated[str, typer.Argument(metavar="ID", help="As `journal search` gives it.")]


@journal.command("search")
def search(
    context: typer.Context,
    key: Key,
    question: Annotated[str, typer.Argument(metavar="QUESTION", help="In plain words.")],
    limit: Annotated[int, typer.Option(min=1, max=50, help="Hits at most.")] = 10,
    as_json: AsJson = False,
) -> None:
    """Find decisions by words and meaning. Exit code 1 when nothing is about it."""
    with service_of(context, key) as service:
        found = service.search(question, limit=limit)
    print_found(found, as_json=as_json)


@journal.command("show")
def show_decision_there(
    context: typer.Context, key: Key, decision: DecisionId, as_json: AsJson = False
) -> None:
    """Show one decision with all that was said, and where."""
    with service_of(context, key) as service:
        found = service.on_record(decision)
        links = [] if as_json else service.chain(decision).links
    if as_json:
        print_json(found.model_dump(mode="json"))
    else:
        show_decision(found, [one for one in links if decision in (one.newer, one.older)])


@journal.command("chain")
def chain(context: typer.Context, key: Key, decision: DecisionId, as_json: AsJson = False) -> None:
    """Show how a decision came to be what it is now, from the first to the one in force."""
    with service_of(context, key) as service:
        found = service.chain(decision)
    print_chain(found, as_json=as_json)


@journal.command("export")
def export(context: typer.Context, key: Key) -> None:
    """Write every decision as a line of JSON, as `journal import` takes them here."""
    with service_of(context, key) as service:
        for one in service.exported():
            print_json(one.model_dump(mode="json"))


@journal.command("import")
def import_(
    context: typer.Context,
    key: Key,
    files: Annotated[
        list[Path],
        typer.Argument(metavar="FILE|FOLDER|-", help="Messages as JSON lines, Markdown records."),
    ],
) -> None:
    """Have conversations and decision records read there; the same again changes nothing."""
    with service_of(context, key) as service:
        conversations = [_messages(file) for file in files if not is_markdown(file)]
        written = records([file for file in files if is_markdown(file)])
        told = [{"path": one.path, "text": one.text} for one in written]
        done = [service.import_(messages=one) for one in conversations]
        done += [service.import_(records=told)] if told else []
    added, changed, same = (sum(counts) for counts in zip(*done, strict=True))
    print_note(f"{added} decisions added, {changed} changed, {same} were there already")


def _messages(file: Path) -> list[JournalMessage]:
    read = list(lines(file, "default"))
    found = [one for one in read if isinstance(one, JournalMessage)]
    if len(found) < len(read):
        raise BadInput(f"{file}: exported decisions are imported where the service runs")
    return found


app = typer.Typer(no_args_is_help=True, help="Speak to a service elsewhere.")
approvals = typer.Typer(no_args_is_help=True, help="What waits for a yes there, and your answer.")
offers = typer.Typer(no_args_is_help=True, help="The chips that can be chosen there.")
app.add_typer(approvals, name="approvals")
app.add_typer(offers, name="offers")
app.add_typer(reminders, name="reminders")
app.add_typer(quiet, name="quiet")
app.add_typer(journal, name="journal")

ActionId = Annotated[str, typer.Argument(metavar="APPROVAL")]
Digest = Annotated[str, typer.Argument(metavar="DIGEST", help="12 characters of it, or more.")]
SHORTEST_DIGEST = 12


@app.command()
def ask(
    context: typer.Context,
    text: Annotated[str, typer.Argument(metavar="TEXT", help="What you say.")],
    key: Key,
    session: Session = "default",
    as_json: AsJson = False,
    speaker: Annotated[str | None, typer.Option("--as", hidden=True)] = None,
) -> None:
    """Say something as the key's user and get the answer."""
    if speaker is not None:
        raise BadInput(
            "at a service the key says who is speaking: leave --as out, and make a key for "
            f"somebody with: prefrontal keys create --user {speaker.partition(':')[0] or 'ann'} "
            f"--role {speaker.partition(':')[2] or 'ROLE'}"
        )
    with service_of(context, key) as service:
        made = service.say(text, session_id=session)
    if as_json:
        print_json(made.model_dump(mode="json"))
        return
    OUT.print(answer_of(made))
    for chip in made.offer.chips if made.offer else ():
        OUT.print(f"  {chip.chip_id}  {printable(chip.summary)}")
    if made.offer:
        OUT.print(f"choose with: prefrontal offers choose {made.offer.offer_id} CHIP")
    if made.approval:
        OUT.print(approval_of(made.approval))


@app.command()
def why(
    context: typer.Context,
    key: Key,
    decision: Annotated[str | None, typer.Argument(metavar="DECISION")] = None,
    last: Annotated[bool, typer.Option("--last", help="The newest decision.")] = False,
    as_json: AsJson = False,
) -> None:
    """Say why: every stage, its numbers and reasons, and what would have changed it."""
    if (decision is None) != last:
        raise BadInput("name one decision, or give --last for the newest")
    with service_of(context, key) as service:
        if decision is None:
            newest = next(service.decisions(limit="1"), None)
            if newest is None:
                raise AgentError("nothing was decided there yet")
            decision = newest.decision_id
        trace = service.decision(decision)
    if as_json:
        print_json(trace.model_dump(mode="json"))
    else:
        OUT.print(explanation_text(trace))


@app.command()
def undo(
    context: typer.Context, key: Key, action: Annotated[str, typer.Argument(metavar="ACTION")]
) -> None:
    """Take back what was done."""
    with service_of(context, key) as service:
        OUT.print(answer_of(service.undo(action)))


@app.command()
def listen(context: typer.Context, key: Key) -> None:
    """Print what happens as it happens, a line of JSON each, until Ctrl-C."""
    with service_of(context, key) as service:
        for notice in service.listen():
            print_json(notice.model_dump(mode="json"))


@approvals.command("list")
def list_approvals(
    context: typer.Context, key: Key, state: str = "pending", as_json: AsJson = False
) -> None:
    """List what waits for a yes, by what runs out first."""
    wanted: ActionState = state  # type: ignore[assignment]  # the service says which there are
    with service_of(context, key) as service:
        for one in service.approvals(wanted):
            if as_json:
                print_json(one.model_dump(mode="json"))
            else:
                OUT.print(approval_row(one))


@approvals.command()
def show(context: typer.Context, key: Key, approval: ActionId, as_json: AsJson = False) -> None:
    """Show exactly what would run, with its digest."""
    with service_of(context, key) as service:
        _tell(service.approval(approval), as_json=as_json)


@approvals.command()
def approve(
    context: typer.Context,
    key: Key,
    approval: ActionId,
    digest: Digest,
    phrase: Annotated[str | None, typer.Option("--type", help="What the dialog asks for.")] = None,
    seen: Seen = False,
    as_json: AsJson = False,
) -> None:
    """Say yes to exactly what was shown."""
    with service_of(context, key) as service:
        asked = _asked(service, approval, digest)
        require_long_parts_read(asked, seen=seen, as_json=as_json)
        _tell(service.approve(asked, typed=phrase), as_json=as_json)


@approvals.command()
def reject(
    context: typer.Context,
    key: Key,
    approval: ActionId,
    digest: Digest,
    reason: Annotated[str | None, typer.Option("--reason")] = None,
    as_json: AsJson = False,
) -> None:
    """Say no."""
    with service_of(context, key) as service:
        _tell(service.reject(_asked(service, approval, digest), reason), as_json=as_json)


@offers.command("list")
def list_offers(context: typer.Context, key: Key) -> None:
    """List the chips that can be chosen, newest first."""
    with service_of(context, key) as service:
        for offer in service.offers():
            for chip in offer.chips:
                OUT.print(f"{offer.offer_id}  {chip.chip_id}  {printable(chip.summary)}")


@offers.command()
def choose(
    context: typer.Context,
    key: Key,
    offer: Annotated[str, typer.Argument(metavar="OFFER")],
    chip: Annotated[str, typer.Argument(metavar="CHIP")],
    values: Values = None,
) -> None:
    """Choose a chip, once, with the slots it still lacks."""
    with service_of(context, key) as service:
        OUT.print(answer_of(service.choose(offer, chip, **read_values(values))))


def _asked(service: Client, approval: str, digest: str) -> ShownApproval:
    """Read an approval; the digest must be the one that was shown, whole or its beginning."""
    standing = service.approval(approval)
    if len(digest) < SHORTEST_DIGEST or not standing.digest.startswith(digest):
        raise BadInput("that is not the digest of what stands there now; show it again")
    return standing


def _tell(standing: ShownApproval, *, as_json: bool) -> None:
    if as_json:
        print_json(standing.model_dump(mode="json"))
    else:
        OUT.print(approval_of(standing))
