"""Give what a pack's error says in words that can be kept, whatever characters it is made of."""

from state.errors import AgentError


def words_of(error: BaseException) -> str:
    """Give an error's words as they can be kept: a file's name may hold half a character."""
    try:
        said = str(error)
    except Exception:  # noqa: BLE001  # the pack's own class
        return "(it cannot say what it is)"
    return _kept(said)


def keepable(refusal: AgentError) -> AgentError:
    """Give a pack's refusal as one of ours, of the same family, in words that can be kept."""
    families = (each for each in type(refusal).__mro__ if issubclass(each, AgentError))
    family = next(each for each in families if each.__module__ == AgentError.__module__)
    kept = family.__new__(family, words_of(refusal))  # not by its __init__, which takes parts
    for name, value in vars(refusal).items():
        vars(kept)[name] = _kept(value) if isinstance(value, str) else value
    return kept


def _kept(text: str) -> str:
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
