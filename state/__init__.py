"""The nouns: what an event, a judgement, an action, an approval and a record are made of."""

import sys


def adopt(path: str) -> None:
    """Give the classes that `path` re-exports this path as their module.

    Clients and packs import these classes from `prefrontal.types`, where no server is installed.
    Checkpoints of all versions name them by their path under `state`.

    Args:
        path: of a module of `state` that re-exports the module of `prefrontal.types` of its name.
    """
    defined = sys.modules[f"prefrontal.types.{path.removeprefix('state.')}"]
    for value in vars(defined).values():
        if isinstance(value, type) and value.__module__ == defined.__name__:
            value.__module__ = path
