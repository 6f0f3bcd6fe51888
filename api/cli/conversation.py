"""`prefrontal ask`: say something, pick a chip, answer an approval."""

import shlex
from typing import Annotated, Literal

import typer

from api.cli.actions import chip_values
from api.cli.approvals import SHORTEST_DIGEST, came_of
from api.cli.options import Session, with_service
from api.cli.presentation import answer_of, approval_of
from api.cli.service import Service, without_none
from api.cli.terminal import OUT, is_interactive, print_error
from prefrontal.client import Answer, Client
from state.dialog import Dialog, ShownApproval
from state.errors import BadInput
from state.offer import Chip, Offer
from state.principal import Principal
from tools.platform.unicode_safety import passes_for_any

GUEST = "guest"


@with_service
def ask(
    text: Annotated[str, typer.Argument(metavar="TEXT", help="What you say.")],
    service: Service,
    speaker: Annotated[
        str | None,
        typer.Option("--as", metavar="USER:ROLE", help="Who speaks, with which roles."),
    ] = None,
    session: Session = "default",
) -> None:
    """Say something and get the answer; on a terminal, pick chips and answer approvals too.

    Without --as you are the key's user at a service, else a guest without a role.
    """
    if not text.strip():
        raise BadInput('say something, such as: prefrontal ask "check stock"')
    # Only a person at the terminal is asked for an approval here.
    access = "full" if is_interactive() and not service.as_json else "operator"
    with service.acting(speaker, service.caller(GUEST, "operator"), access=access) as client:
        answer = client.say(text, session_id=session)
        if service.as_json:
            service.show(answer, answer_of)
        else:
            answer = Conversation(service, client, service.caller(speaker)).go_on(answer)
    if answer.outcome == "failed":
        raise typer.Exit(1)


class Conversation:
    """What follows an answer: questions to the person at the terminal, or the commands to go on."""

    def __init__(self, service: Service, client: Client, speaker: Principal | None) -> None:
        self._service = service
        self._client = client
        self._speaker = speaker

    def go_on(self, answer: Answer) -> Answer:
        """Show an answer and follow it up until nothing more is asked."""
        OUT.print(answer_of(answer))
        if answer.offer:
            return self._offered(answer, answer.offer)
        if answer.approval:
            return self._awaiting(answer, answer.approval)
        return answer

    def _offered(self, answer: Answer, offer: Offer) -> Answer:
        if not is_interactive():
            command = ("prefrontal", "offers", "choose", offer.offer_id, offer.chips[0].chip_id)
            OUT.print(f"to choose: {self._command(*command, speaker=self._named())}")
            return answer
        chip = _pick(offer)
        if chip is None:
            return answer
        typed = {slot: typer.prompt(slot.replace("_", " ")) for slot in chip.missing_slots}
        values = chip_values(self._client, offer.offer_id, chip.chip_id, typed, self._service)
        return self.go_on(self._client.choose(offer.offer_id, chip.chip_id, **values))

    def _awaiting(self, answer: Answer, shown: ShownApproval) -> Answer:
        OUT.print(approval_of(shown))
        if not (is_interactive() and self._may_answer(shown)):
            self._print_commands(shown)
            return answer
        said = typer.prompt(
            "Type yes to approve, no to refuse, or press Enter to leave it open",
            default="",
            show_default=False,
        )
        decision = _decision(said)
        if decision is None:
            OUT.print("it stays open")
            self._print_commands(shown)
            return answer
        phrase = _typed(shown.dialog) if decision == "approve" else None
        given = without_none(decision=decision, typed=phrase)
        settled = self._client.answer(shown, given)
        if settled.state == "pending":
            OUT.print(came_of(self._client, settled))
            return answer
        record = self._client.decision(settled.decision_id).record
        OUT.print(answer_of(record))
        return Answer.model_validate(record.model_dump())

    def _may_answer(self, shown: ShownApproval) -> bool:
        """Tell whether it is worth asking the speaker; the service checks every answer."""
        who = self._speaker
        if who is None or not who.has_any(shown.approver_roles):
            return False
        barred = (shown.requester, shown.editor) if shown.four_eyes else ()
        return not passes_for_any(who.user, barred)

    def _print_commands(self, shown: ShownApproval) -> None:
        role = shown.approver_roles[0] if shown.approver_roles else "ROLE"
        digest = shown.digest[:SHORTEST_DIGEST]
        for verb in ("approve", "reject"):
            command = ("prefrontal", "approvals", verb, shown.action_id, digest)
            OUT.print(f"to {verb}: {self._command(*command, speaker=f'USER:{role}')}")

    def _command(self, *words: str, speaker: str | None) -> str:
        service = self._service
        whole = list(words)
        if not service.url:
            whole += ["--as", speaker] if speaker else []
            whole += [word for name in service.packs or () for word in ("--pack", name)]
            whole += ["--data-dir", str(service.data_dir)] if service.data_dir else []
            whole += ["--tenant", service.tenant] if service.tenant != "default" else []
        return shlex.join(whole)

    def _named(self) -> str:
        who = self._speaker
        return ":".join(filter(None, (who.user, ",".join(who.roles)))) if who else GUEST


def _pick(offer: Offer) -> Chip | None:
    said = typer.prompt("Pick a number, or press Enter for none", default="", show_default=False)
    number = said.strip().removeprefix("chip-")
    if not number:
        return None
    if number.isdecimal() and 1 <= int(number) <= len(offer.chips):
        return offer.chips[int(number) - 1]
    print_error(f"there is no chip {said.strip()!r}; nothing was chosen")
    return None


def _typed(dialog: Dialog | None) -> str | None:
    if dialog is None or dialog.type_to_approve is None:
        return None
    typed: str = typer.prompt(f'Type "{dialog.type_to_approve}"', default="", show_default=False)
    return typed


def _decision(said: str) -> Literal["approve", "reject"] | None:
    """Take a plain yes or no and nothing like it: "yes, but" is neither."""
    match said.strip().lower():
        case "yes":
            return "approve"
        case "no":
            return "reject"
        case _:
            return None
