"""An Executive in this process, answers passed to it.

And a conversation with a person at a terminal.

Imported when used: it loads the graph.
"""

import asyncio
import shlex
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from types import TracebackType
from typing import Literal, Self

import typer

from api.cli.approvals import PersonAnswer
from api.cli.presentation import answer_of, approval_of
from api.cli.terminal import OUT, is_interactive, print_error, print_note
from graph.executive import Executive
from graph.settings import Settings
from graph.wiring.composition import open_executive
from graph.wiring.data_folder import read_service_address
from state.approval import ApprovalAnswer, LedgerAction
from state.dialog import Dialog
from state.errors import BadInput, Busy, DigestMismatch, Forbidden
from state.event import Event
from state.offer import Chip, Offer
from state.principal import Principal
from state.record import DecisionRecord
from tools.catalog.arguments import parse_slot_values
from tools.gate.approvals.approval_rules import demand_approver


def _instead(settings: Settings) -> str:
    address = read_service_address(settings.data_dir)
    if address is None:
        return "or ask the service that runs there, over its API"
    return (
        f"or speak to the service that runs there: export PREFRONTAL_URL={address} "
        "PREFRONTAL_KEY=…, with the key that it showed, or one of: "
        "prefrontal keys create --user ann --role engineer"
    )


@asynccontextmanager
async def open_embedded(settings: Settings) -> AsyncIterator[Executive]:
    """Open an Executive, and finish first what an earlier process left.

    Raises:
        Busy: another process has the folder.
        PackFaults: a pack cannot be loaded.
    """
    async with AsyncExitStack() as stack:
        try:
            executive = await stack.enter_async_context(open_executive(settings))
        except Busy as busy:
            raise Busy(f"{busy}; {_instead(settings)}") from busy
        await executive.approvals.settle_answered()
        await executive.resume_unfinished()
        yield executive


SHORTEST_DIGEST = 12
"""Characters of a digest that a person has to repeat; fewer could be typed by chance."""


async def answer(
    executive: Executive, action_id: str, digest: str, said: PersonAnswer, principal: Principal
) -> tuple[LedgerAction, DecisionRecord]:
    """Answer an approval and tell where the action and its decision stand now.

    Args:
        digest: what the person was shown, whole or its first characters.

    Raises:
        BadInput: the digest is too short, or an edit changes nothing.
        DigestMismatch: it is not the approval's.
        NotFound, Forbidden, Conflict, InvalidArguments: see Executive.answer.
    """
    standing = await executive.approvals.get(action_id, principal.tenant_id)
    arguments = None
    if said.decision == "edit":
        action = executive.governed.action(standing.action)
        changed = {**standing.arguments, **parse_slot_values(action, said.values or {})}
        arguments = {name: value for name, value in changed.items() if value is not None}
    given = ApprovalAnswer(
        decision=said.decision,
        digest=whole_digest(standing, digest),
        arguments=arguments,
        reason=said.reason,
        typed=said.phrase,
        standing=said.refuse,
    )
    settled = await executive.approvals.answer(action_id, given, principal)
    trace = await executive.records.trace(settled.decision_id, principal.tenant_id)
    return settled, trace.record


def whole_digest(action: LedgerAction, given: str) -> str:
    """Complete the start of a digest, when it is that of `action`.

    Raises:
        BadInput: too short to say anything.
        DigestMismatch: another one.
    """
    given = given.strip().lower()
    if len(given) < SHORTEST_DIGEST:
        raise BadInput(
            f"give at least {SHORTEST_DIGEST} characters of the digest that `approvals show` prints"
        )
    if not action.digest.startswith(given):
        raise DigestMismatch(action.action_id)
    return action.digest


async def choose(
    executive: Executive,
    offer_id: str,
    chip_id: str,
    principal: Principal,
    typed: Mapping[str, str],
) -> DecisionRecord:
    """Click a chip for a person; `typed` fills the slots it lacks.

    Raises:
        NotFound, Conflict: see Executive.choose.
        BadInput: a typed value does not fit.
    """
    offers = await executive.offers.list(principal.tenant_id, open_only=False)
    shown = next((offer for offer in offers if offer.offer_id == offer_id), None)
    chip = next((chip for chip in shown.chips if chip.chip_id == chip_id), None) if shown else None
    arguments = parse_slot_values(executive.catalogue.action(chip.action), typed) if chip else {}
    return await executive.offers.choose(offer_id, chip_id, principal, arguments)


class Conversation:
    """An Executive for the time of one conversation.

    Questions are put between the steps and not inside the event loop, which would swallow Ctrl-C.
    """

    def __init__(self, settings: Settings, principal: Principal) -> None:
        self._settings = settings
        self._principal = principal
        self._runner = asyncio.Runner()
        self._stack = AsyncExitStack()

    def __enter__(self) -> Self:
        try:
            self._executive = self._runner.run(
                self._stack.enter_async_context(open_embedded(self._settings))
            )
        except BaseException:
            self._runner.close()
            raise
        self._note_unknown_roles()
        return self

    def _note_unknown_roles(self) -> None:
        """Say which roles mean nothing here: a slip in one looks like a right that is missing."""
        known = self._executive.catalogue.roles
        strange = sorted(set(self._principal.roles) - known)
        if strange and known:
            knows = f"no pack here knows the role {', '.join(strange)}"
            print_note(f"{knows}; known are: {', '.join(sorted(known))}")

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            self._runner.run(self._stack.aclose())
        finally:
            self._runner.close()

    def say(self, event: Event) -> DecisionRecord:
        """Say something and get the record."""
        return self._runner.run(self._executive.submit(event))

    def go_on(self, record: DecisionRecord) -> DecisionRecord:
        """Show an answer and follow it up until nothing more is asked."""
        OUT.print(answer_of(record))
        if record.outcome == "offered" and record.offer_id:
            return self._offered(record, record.offer_id)
        if record.outcome == "awaiting_approval" and record.action_id:
            return self._awaiting(record, record.action_id)
        return record

    def _offered(self, record: DecisionRecord, offer_id: str) -> DecisionRecord:
        offers = self._runner.run(self._executive.offers.list(self._principal.tenant_id))
        offer = next((offer for offer in offers if offer.offer_id == offer_id), None)
        if offer is None:
            return record
        if not is_interactive():
            command = ["prefrontal", "offers", "choose", offer_id, offer.chips[0].chip_id]
            OUT.print(f"to choose: {self._command(*command)}")
            return record
        chip = _pick(offer)
        if chip is None:
            return record
        typed = {slot: typer.prompt(slot.replace("_", " ")) for slot in chip.missing_slots}
        chosen = choose(self._executive, offer_id, chip.chip_id, self._principal, typed)
        return self.go_on(self._runner.run(chosen))

    def _awaiting(self, record: DecisionRecord, action_id: str) -> DecisionRecord:
        action = self._runner.run(
            self._executive.approvals.get(action_id, self._principal.tenant_id)
        )
        drawn = self._executive.approvals.show(action)
        OUT.print(approval_of(drawn))
        if not (is_interactive() and self._may_answer(action)):
            self._print_commands(action)
            return record
        said = typer.prompt(
            "Type yes to approve, no to refuse, or press Enter to leave it open",
            default="",
            show_default=False,
        )
        decision = _decision(said)
        if decision is None:
            OUT.print("it stays open")
            self._print_commands(action)
            return record
        phrase = _typed(drawn.dialog) if decision == "approve" else None
        spoken = PersonAnswer(decision, phrase=phrase)
        answered = answer(self._executive, action_id, action.digest, spoken, self._principal)
        settled, record = self._runner.run(answered)
        if settled.state == "pending":
            OUT.print(f"{settled.approvals} of {settled.quorum} people said yes")
        else:
            OUT.print(answer_of(record))
        return record

    def _may_answer(self, action: LedgerAction) -> bool:
        try:
            demand_approver(action, self._principal)
        except Forbidden:
            return False
        return True

    def _print_commands(self, action: LedgerAction) -> None:
        role = action.approver_roles[0] if action.approver_roles else "ROLE"
        for verb in ("approve", "reject"):
            command = ["prefrontal", "approvals", verb, action.action_id, action.digest[:12]]
            OUT.print(f"to {verb}: {self._command(*command, speaker=f'USER:{role}')}")

    def _command(self, *words: str, speaker: str | None = None) -> str:
        principal, settings = self._principal, self._settings
        whole = [*words, "--as", speaker or _named(principal)]
        if "packs" in settings.model_fields_set:
            whole += [word for name in settings.packs for word in ("--pack", name)]
        if "data_dir" in settings.model_fields_set:
            whole += ["--data-dir", str(settings.data_dir)]
        if principal.tenant_id != "default":
            whole += ["--tenant", principal.tenant_id]
        return shlex.join(whole)


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


def _named(principal: Principal) -> str:
    return ":".join(filter(None, (principal.user, ",".join(principal.roles))))
