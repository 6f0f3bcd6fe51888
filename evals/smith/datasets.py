"""Our datasets at LangSmith."""

from collections.abc import Sequence

from langsmith import Client
from langsmith.schemas import Example

from evals.dataset import Dataset


def uploaded(client: Client, dataset: Dataset) -> Sequence[Example]:
    """Have the dataset at LangSmith, one a version of the file, and read its examples there."""
    examples = dataset.examples()
    name = f"{dataset.name} {dataset.version}"
    if not client.has_dataset(dataset_name=name):
        created = client.create_dataset(name, description=dataset.header.made)
        client.create_examples(
            dataset_id=created.id,
            examples=[
                {
                    "inputs": example.inputs,
                    "outputs": example.outputs,
                    "metadata": example.metadata,
                    "split": (example.metadata or {})["dataset_split"],
                }
                for example in examples
            ],
        )
    order = {case_of(example): number for number, example in enumerate(examples)}
    return sorted(client.list_examples(dataset_name=name), key=lambda one: order[case_of(one)])


def case_of(example: Example) -> str:
    """Name the case that an example was made of."""
    return str((example.metadata or {})["case"])
