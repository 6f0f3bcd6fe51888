"""Which session a call is about, over the wire."""

from state.noun import Name, Noun


class InSession(Noun):
    """Which session."""

    session_id: Name = "default"
