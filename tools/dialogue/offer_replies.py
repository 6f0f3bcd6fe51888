"""Take the chip that a person names in words, judged by stored rows alone.

Thread state can be written into; so text, speaker and session come from the accepted event, and the
chips from the stored offer.
"""

from dataclasses import dataclass
from typing import NamedTuple

from sqlalchemy import Connection

from state.errors import NotFound
from state.event import Event
from state.offer import Chip, Offer, SaidChoice, SaidStanding
from state.session import OpenOffer
from tools.nlu.replies.yes_no import LAST, PlainAnswer, plain_answer
from tools.storage import Database, read_row
from tools.storage.decision_rows import messages_between
from tools.storage.offers import claim_chip, end_offer, find_request, is_offer_open, read_offer
from tools.storage.sessions import read_session


@dataclass(frozen=True)
class OfferReplies:
    """Takes the chip that a person means by saying so."""

    database: Database

    async def shown(self, event: Event) -> Offer | None:
        """Give the chips that a speaker was shown last in a session, if they can be chosen still.

        None: there are none, or the speaker said something else in between, which may wait for a
        yes that their session has not heard of yet.
        """

        def work(connection: Connection) -> Offer | None:
            last = _last_shown(connection, event)
            is_open = last and is_offer_open(connection, self.database, last.offer)
            return last.offer if last is not None and is_open else None

        return None if event.user is None else await self.database.read(work)

    async def decline(self, shown: Offer) -> None:
        """Let chips run out that their reader does not want."""
        await self.database.write(
            lambda connection: end_offer(connection, self.database, shown), durable=True
        )

    async def take(self, decision_id: str) -> SaidChoice | None:
        """Let a message answer the chips its speaker was shown last; None: it answers none.

        Raises:
            Conflict: the chip takes back what cannot be taken back any more.
        """
        return await self.database.write(
            lambda connection: take_reply(connection, self.database, decision_id), durable=True
        )


def take_reply(connection: Connection, database: Database, decision_id: str) -> SaidChoice | None:
    """Let a message answer the chips its speaker was shown last; None: it answers none.

    It counts as a click where one person, in one session, was shown chips and then said this, and
    nobody anything in between. What others said in between, or we, and what came before the chips
    were there, makes us ask. A decision that is run again finds the click that it made.
    """
    row = read_row(connection, decision_id)
    event = Event.model_validate(row["event"])
    taken = find_request(connection, decision_id)
    if taken is not None and taken.offer_id is not None:
        whole = read_offer(connection, taken.offer_id, event.tenant_id)
        return _said("pressed", whole, _named(whole, taken.chip_id))
    answer = plain_answer(event.text) if event.kind == "message" else None
    last = None if answer is None else _last_shown(connection, event)
    if answer is None or last is None:
        return None
    shown, pointer = last.offer, last.pointer
    if answer.kind == "no":
        return _said("declined", shown) if end_offer(connection, database, shown) else None
    if not is_offer_open(connection, database, shown):
        return _said("gone", shown) if answer.kind == "yes" else None
    meant = _meant(shown, answer, is_asked_again=pointer.decision_id != shown.decision_id)
    if meant is None or last.is_unsure or not _came_after(event, row["accepted_at"], pointer):
        return _said("which", shown)
    if event.relayed or pointer.tainted:
        standing: SaidStanding = "needs_click"
    else:
        standing = _claim(connection, database, last, meant, decision_id)
    return _said(standing, shown, meant)


def _claim(
    connection: Connection, database: Database, last: "_LastShown", meant: Chip, decision_id: str
) -> SaidStanding:
    if meant.missing_slots:
        return "incomplete"
    arguments = dict(meant.arguments)
    is_taken = claim_chip(
        connection, database, last.offer, meant, arguments, by=last.user, decision_id=decision_id
    )
    return "pressed" if is_taken else "gone"


class _LastShown(NamedTuple):
    """The chips a person was shown last, when they have said nothing else in between."""

    user: str
    offer: Offer
    pointer: OpenOffer
    is_unsure: bool
    """Others said something in between, or we did."""


def _last_shown(connection: Connection, event: Event) -> _LastShown | None:
    if event.user is None:
        return None
    session = read_session(connection, event.tenant_id, event.session_id)
    pointer = session.offered.get(event.user)
    shown = None if pointer is None else _shown(connection, event, pointer)
    if pointer is None or shown is None:
        return None
    between = messages_between(connection, event, pointer.decision_id, shown.decision_id)
    spoken_since = bool(session.spoken) and session.spoken[-1].at > pointer.at
    is_unsure = spoken_since or between == "others"
    return None if between == "own" else _LastShown(event.user, shown, pointer, is_unsure)


def _shown(connection: Connection, event: Event, pointer: OpenOffer) -> Offer | None:
    """Read what the pointer names, if it is this session's and was shown to this person."""
    try:
        shown = read_offer(connection, pointer.offer_id, event.tenant_id)
    except NotFound:
        return None
    asked = Event.model_validate(read_row(connection, shown.decision_id)["event"])
    is_theirs = (shown.session_id, asked.user) == (event.session_id, event.user)
    return shown if is_theirs else None


def _came_after(event: Event, accepted_at: float, pointer: OpenOffer) -> bool:
    """Tell whether a text was said and accepted when the chips were there to be answered."""
    if pointer.recorded_at is None or accepted_at <= pointer.recorded_at:
        return False
    return event.occurred_at is None or event.occurred_at.timestamp() >= pointer.at


def _meant(shown: Offer, answer: PlainAnswer, *, is_asked_again: bool) -> Chip | None:
    """Find the chip; behind "Which one?" a yes names none of several any more."""
    if answer.kind == "yes":
        if len(shown.chips) == 1:
            return shown.chips[0]
        return None if is_asked_again else _named(shown, shown.yes_means)
    if answer.place == LAST:
        return shown.chips[-1]
    return shown.chips[answer.place - 1] if 0 < answer.place <= len(shown.chips) else None


def _named(shown: Offer, chip_id: str | None) -> Chip | None:
    return next((chip for chip in shown.chips if chip.chip_id == chip_id), None)


def _said(standing: SaidStanding, shown: Offer, chip: Chip | None = None) -> SaidChoice:
    return SaidChoice(standing=standing, offer=shown, chip=chip)
