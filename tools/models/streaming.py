"""An answer in a form as a stream: its words are heard while they come."""

from collections.abc import Callable
from typing import Any, TypeVar

from langchain_core.exceptions import OutputParserException
from langchain_core.utils.json import parse_partial_json
from pydantic import BaseModel

from tools.models.calling import Calling

Answer = TypeVar("Answer", bound=BaseModel)
Told = Callable[[str], None]
"""Given the words so far, each time there are more of them."""
LONGEST = 20_000
"""Characters of one streamed answer; no form of ours takes nearly as many."""
_STEP = 12
"""Characters that come before the words are told anew."""


async def streamed(
    model: Any, messages: Any, form: type[Answer], call: Calling, told: Told
) -> Answer:
    """Ask for a stream, and tell of the words in it while they come."""
    text, read = "", 0
    # As a plain field of the request: with the library's own parsing, garbage fails its assertions.
    asked = model.bind(extra_body={"response_format": _schema(form)})
    async for piece in asked.astream(messages):
        call.took(piece.usage_metadata)
        if not isinstance(piece.content, str) or not piece.content:
            continue
        text += piece.content
        if len(text) > LONGEST:
            raise OutputParserException("longer than any answer")
        if len(text) - read >= max(_STEP, len(text) // 20):  # or reading it would be quadratic
            read = len(text)
            if said := _said(text):
                told(said)
    if said := _said(text):
        told(said)
    return form.model_validate_json(text, strict=False)


def _said(text: str) -> str:
    """Read the words in the beginning of an answer, where no action goes with them."""
    try:
        known = parse_partial_json(text)
    except ValueError:
        return ""
    if not isinstance(known, dict) or known.get("action") is not None:
        return ""
    say = known.get("say")
    return say if isinstance(say, str) else ""


def _schema(form: type[BaseModel]) -> dict[str, Any]:  # JSON schema
    from langchain_core.utils.function_calling import convert_to_openai_function

    described = convert_to_openai_function(form, strict=True)
    schema = {"name": form.__name__, "schema": described["parameters"], "strict": True}
    return {"type": "json_schema", "json_schema": schema}
