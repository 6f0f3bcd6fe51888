"""Sign what is sent: its receiver knows who sent it, and when. Source: Standard Webhooks 1.0."""

import hmac
from base64 import b64decode, b64encode
from collections.abc import Mapping
from hashlib import sha256

TOLERANCE_SECONDS = 300
"""How old, or how far ahead, a signature may be: an older one is somebody's replay."""
_MOST_DIGITS = 12
_ENCODED = "whsec_"
"""What stands before a secret whose bytes are written in base64."""
ID, TIMESTAMP, SIGNATURE = "webhook-id", "webhook-timestamp", "webhook-signature"


def signed(secret: str, event_id: str, body: bytes, *, at: float) -> dict[str, str]:
    """Write the headers that go with a body.

    Args:
        at: when it is sent, in seconds since 1970; signed, so that nobody can send it later.
    """
    timestamp = str(int(at))
    return {
        ID: event_id,
        TIMESTAMP: timestamp,
        SIGNATURE: f"v1,{_signature(secret, event_id, timestamp, body)}",
    }


def is_genuine(secret: str, headers: Mapping[str, str], body: bytes, *, now: float) -> bool:
    """Tell whether a body comes from who knows the secret, and was sent just now."""
    event_id, timestamp = headers.get(ID, ""), headers.get(TIMESTAMP, "")
    # Whoever sends it may write any number of digits; what no clock shows is not even read.
    if not timestamp.isascii() or not timestamp.isdigit() or len(timestamp) > _MOST_DIGITS:
        return False
    if abs(now - int(timestamp)) > TOLERANCE_SECONDS:
        return False
    wanted = f"v1,{_signature(secret, event_id, timestamp, body)}".encode()
    given = headers.get(SIGNATURE, "").split(" ")
    return any(hmac.compare_digest(wanted, one.encode()) for one in given)


def key_of(secret: str) -> bytes:
    """Give the bytes that sign: behind `whsec_` those that base64 stands for, else the text itself.

    Raises:
        ValueError: what stands behind `whsec_` is no base64.
    """
    if secret.startswith(_ENCODED):
        return b64decode(secret.removeprefix(_ENCODED), validate=True)
    return secret.encode()


def _signature(secret: str, event_id: str, timestamp: str, body: bytes) -> str:
    said = b".".join((event_id.encode(), timestamp.encode(), body))
    return b64encode(hmac.digest(key_of(secret), said, sha256)).decode()
