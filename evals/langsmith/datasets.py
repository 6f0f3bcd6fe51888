"""Open a LangSmith client where one is allowed, and sync datasets.

One a name, each case by a stable id.
"""

import logging
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout
from io import StringIO
from typing import Any
from warnings import catch_warnings, simplefilter

from langsmith import Client
from langsmith._exceptions import LangsmithError as ApiError
from langsmith.schemas import Example
from langsmith.utils import LangSmithError
from urllib3.util import Retry

from evals.runner.datasets import Dataset
from graph.settings import Settings
from state.errors import Unreachable
from state.noun import Noun

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
def plain_errors() -> Iterator[None]:
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


_OURS = {"case", "fingerprint"}
"""What the metadata of every example has that we sent; those of others are left alone."""
AT_ONCE = 100
"""Examples sent in one request."""


class Synced(Noun):
    """What a sync came to."""

    dataset: str
    created: int
    changed: int
    removed: int
    same: int


def sync(client: Client, dataset: Dataset) -> Synced:
    """Make LangSmith's examples those of the file: ids and splits as here, nothing twice.

    An example is known by its id alone, which follows from the names of dataset and case; it is
    sent again when its fingerprint, split or any other metadata differs.
    """
    wanted = {str(one.id): one for one in dataset.examples()}
    if client.has_dataset(dataset_name=dataset.name):
        at = client.read_dataset(dataset_name=dataset.name)
    else:
        at = client.create_dataset(dataset.name, description=dataset.header.made)
    there = {str(one.id): one for one in client.list_examples(dataset_id=at.id)}
    new = [one for key, one in wanted.items() if key not in there]
    changed = [
        one
        for key, one in wanted.items()
        if key in there and _metadata(there[key]) != _metadata(one)
    ]
    gone = [key for key, one in there.items() if key not in wanted and {*_metadata(one)} >= _OURS]
    for part in _parts(new):
        client.create_examples(
            dataset_id=at.id, examples=[_sent(one, "reference_outputs") for one in part]
        )
    for part in _parts(changed):
        # The client has another word for what is right where an example is there already.
        client.update_examples(dataset_id=at.id, updates=[_sent(one, "outputs") for one in part])
    for some in _parts(gone):
        client.delete_examples(some)
    return Synced(
        dataset=dataset.name,
        created=len(new),
        changed=len(changed),
        removed=len(gone),
        same=len(wanted) - len(new) - len(changed),
    )


def uploaded(client: Client, dataset: Dataset) -> Sequence[Example]:
    """Sync a dataset and read its examples there, in the order of the file; no others."""
    sync(client, dataset)
    order = {str(one.id): number for number, one in enumerate(dataset.examples())}
    found = [one for one in client.list_examples(dataset_name=dataset.name) if str(one.id) in order]
    return sorted(found, key=lambda one: order[str(one.id)])


def case_of(example: Example) -> str:
    """Name the case that an example was made of."""
    return str((example.metadata or {})["case"])


def _sent(example: Example, right: str) -> dict[str, Any]:  # as the client's own models read it
    return {
        "id": example.id,
        "inputs": example.inputs,
        right: example.outputs,
        "metadata": example.metadata,
        "split": (example.metadata or {})["dataset_split"],
    }


def _metadata(example: Example) -> Mapping[str, Any]:  # JSON
    return dict(example.metadata or {})


def _parts(several: Sequence[Any]) -> Iterable[Sequence[Any]]:  # of one kind
    return (several[start : start + AT_ONCE] for start in range(0, len(several), AT_ONCE))
