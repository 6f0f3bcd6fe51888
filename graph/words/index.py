"""How the index of vectors stands, in words."""

from tools.vector_index.comparing import IndexState


def told_index(index: IndexState) -> str:
    """Say what of the index is not as the tables have it, or that all of it is."""
    if index.problem:
        return f"the vector index cannot be asked ({index.problem})"
    if index.is_damaged:
        return f"the vector index is damaged: {index.unfound} of {index.sampled} are not found"
    parts = [
        f"{count} {what}"
        for count, what in (
            (index.missing, "missing"),
            (index.surplus, "of no row"),
            (index.behind, "rows behind"),
        )
        if count
    ]
    differs = f", {', '.join(parts)}" if parts else ", as in the tables"
    return f"{index.vectors} vectors{differs}"
