"""What goes into the journal in one import, and what came of it."""

from state.journal import Decision, DecisionLink
from state.noun import Noun
from tools.journal.conversation import Read
from tools.journal.keeping.store import Stored


class RecordText(Noun):
    """A decision record as it stands in its file."""

    path: str
    text: str


class Taken(Noun):
    """What an import was taken for."""

    messages: tuple[Read, ...] = ()
    records: tuple[Decision, ...] = ()
    stored: Stored
    links: tuple[DecisionLink, ...] = ()


class Kept(Noun):
    """What was written, and which decisions new ones replace or may replace."""

    stored: Stored
    links: tuple[DecisionLink, ...] = ()
