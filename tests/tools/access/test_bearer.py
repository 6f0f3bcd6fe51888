"""One reading of the header that carries a key."""

import pytest

from tools.access.credentials import LONGEST_KEY, bearer_credentials, is_plausible_key


@pytest.mark.parametrize("header", ["Bearer pf_k", "bearer pf_k", "BEARER   pf_k "])
def test_a_bearer_is_read_whatever_its_case(header: str) -> None:
    assert bearer_credentials([header]) == "pf_k"


@pytest.mark.parametrize(
    "headers",
    [[], ["Bearer pf_k", "Bearer pf_k"], ["Bearer"], ["Bearer  "], ["Basic pf_k"], ["pf_k"]],
)
def test_none_two_and_another_scheme_are_none(headers: list[str]) -> None:
    assert bearer_credentials(headers) is None


@pytest.mark.parametrize("secret", ["pf_\x1f", "caf\xe9", "pf_\x00", "x" * (LONGEST_KEY + 1)])
def test_what_cannot_be_a_key_is_not_looked_up(secret: str) -> None:
    assert is_plausible_key("x" * LONGEST_KEY)
    assert not is_plausible_key(secret)
