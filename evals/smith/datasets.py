"""Our datasets at LangSmith: one a name, each case by an id of its own that never changes."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from langsmith import Client
from langsmith.schemas import Example

from evals.dataset import Dataset
from state.noun import Noun

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
