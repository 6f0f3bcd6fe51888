"""A receiver knows who sent a body, and when."""

from tests.tools.notifications.receiving import SECRET
from tools.notifications.webhook_delivery import TOLERANCE_SECONDS, is_genuine, signature_headers


def test_a_signature_is_bound_to_words_time_and_secret() -> None:
    headers = signature_headers(SECRET, "evt_1", b"{}", at=1_000)
    assert is_genuine(SECRET, headers, b"{}", now=1_000 + TOLERANCE_SECONDS)
    assert not is_genuine(SECRET, headers, b"{}", now=1_001 + TOLERANCE_SECONDS)
    assert not is_genuine(SECRET, headers, b"{ }", now=1_000)
    assert not is_genuine(SECRET + "x", headers, b"{}", now=1_000)
    assert not is_genuine(SECRET, headers | {"webhook-timestamp": "1001"}, b"{}", now=1_000)
    assert not is_genuine(SECRET, headers | {"webhook-id": "evt_2"}, b"{}", now=1_000)
    assert not is_genuine(SECRET, {}, b"{}", now=1_000)


def test_a_time_that_no_clock_shows_is_no_signature() -> None:
    headers = signature_headers(SECRET, "evt-1", b"{}", at=4_000_000_000)
    for digits in ("9" * 400, "9" * 5_000):
        forged = {**headers, "webhook-timestamp": digits}
        assert not is_genuine(SECRET, forged, b"{}", now=4_000_000_000)


def test_a_secret_of_the_standard_signs_as_its_libraries_do() -> None:
    # The example of the standard's own libraries.
    headers = signature_headers(
        "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
        "msg_p5jXN8AQM9LWM0D4loKWxJek",
        b'{"test": 2432232314}',
        at=1_614_265_330,
    )
    assert headers["webhook-signature"] == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
