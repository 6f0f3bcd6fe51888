"""Chance that repeats: drawn from the seed, the session and the second, and from nothing else."""

import random
from datetime import datetime

from state.session import Session


def chance_of(session: Session, now: datetime, *, seed: int, name: str) -> random.Random:
    """Make the generator of one session, second and purpose.

    Nothing is carried from tick to tick: a restart, or a tick that was missed, draws the same
    afterwards as if it had not happened.
    """
    second = int(now.timestamp())
    return random.Random(f"{seed}|{session.tenant_id}|{session.session_id}|{second}|{name}")  # noqa: S311 - no secret
