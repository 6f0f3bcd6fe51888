"""The one place where a LangSmith client is made, and where it is decided whether one may be."""

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from io import StringIO
from warnings import catch_warnings, simplefilter

from langsmith import Client
from langsmith._exceptions import (
    LangsmithError as ApiError,
)  # of its generated half; no public name
from langsmith.utils import LangSmithError
from urllib3.util import Retry

from graph.settings import Settings
from state.errors import Unreachable

NOWHERE = "http://127.0.0.1:9"
"""The discard port: what would be sent in spite of everything reaches nobody."""
UPLOAD_SECONDS = 30.0
"""How long what is still to be sent may take at the end."""


_TIMEOUT_MS = (5_000, 20_000)
"""To connect, and to answer."""
RETRY = Retry(
    total=2,
    backoff_factor=0.5,
    status_forcelist=(408, 425, 429, 500, 502, 503, 504),
    allowed_methods=None,
    respect_retry_after_header=False,
    raise_on_redirect=False,
    raise_on_status=False,
)
"""Short: the library's own waits as long as a 429 asks for, an hour, while somebody looks on."""


def is_online() -> bool:
    """Tell whether anything is sent: a key is set, and the switch is not off."""
    return bool(os.environ.get("LANGSMITH_API_KEY")) and Settings().langsmith


def open_client() -> Client:
    """Make a client; offline it asks for no information and keeps no trace of any run."""
    if is_online():
        return Client(timeout_ms=_TIMEOUT_MS, retry_config=RETRY)
    return Client(api_url=NOWHERE, api_key="offline", info={}, tracing_sampling_rate=0.0)


@contextmanager
def quiet() -> Iterator[None]:
    """Keep langsmith's own lines and bar off the terminal; what they say is in the result."""
    # tqdm reads its variable when it is imported, which evaluate does late.
    os.environ.setdefault("TQDM_DISABLE", "1")
    logger = logging.getLogger("langsmith")
    level = logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        with redirect_stdout(StringIO()), catch_warnings():
            simplefilter("ignore")  # that running offline is beta
            yield
    finally:
        logger.setLevel(level)


@contextmanager
def told_plainly() -> Iterator[None]:
    """Say in a sentence what LangSmith answered where it did not do what it was asked.

    Raises:
        Unreachable: it refused, failed half way or did not answer; what it took stays there.
    """
    try:
        yield
    except (LangSmithError, ApiError, OSError) as error:
        said = str(error).partition("\n")[0][:200]
        sentence = f"LangSmith did not do it: {said}. What it took stays; run it again for the rest"
        raise Unreachable(sentence) from error
