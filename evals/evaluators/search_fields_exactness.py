"""Were exactly the right search fields read, and the words of the topic?"""

from evals.evaluators.scoring import Score, scored
from evals.references import Outputs, Reference
from state.policy import SearchPolicy

_ABSENT = SearchPolicy().model_dump(mode="json", exclude={"topic", "query_terms"})
"""What a label does not name. The topic is judged by its words, where the label names them."""


def search_fields_exactness(outputs: Outputs, reference_outputs: Reference) -> Score:
    """Judge all fields as one; null on either side: the text refines no search."""
    given, wanted = outputs.get("search"), reference_outputs["search"]
    if given is None or wanted is None:
        right = "search" in outputs and given == wanted
        return scored("search_fields_exactness", right, f"{given}, wanted {wanted}")
    different = [
        f"{name}: {given.get(name)}, wanted {right}"
        for name, right in {**_ABSENT, **wanted}.items()
        if given.get(name) != right
    ]
    comment = "; ".join(different)
    return scored("search_fields_exactness", not different, comment)
