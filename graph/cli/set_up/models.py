"""What a look at the set-up finds of the models: none, there, or named and not there."""

import asyncio

from graph.cli.set_up.finding import Finding
from graph.settings import Settings

NONE = (
    "none (EXECUTIVE_MODEL): everything is decided and worded by code, and nothing new is learned"
)


async def models_found(settings: Settings, wait_seconds: float) -> list[Finding]:
    """Ask each server whether it serves its model; one that is set alone serves as both."""
    if settings.model is None and settings.strong_model is None:
        return [Finding("model", "degraded", NONE)]
    where = settings.strong_model_base_url or settings.model_base_url
    named = (
        ("model", settings.model, settings.model_base_url),
        ("strong", settings.strong_model, where),
    )
    asked = [
        _asked(what, model, settings, address, wait_seconds)
        for what, model, address in named
        if model is not None
    ]
    return list(await asyncio.gather(*asked))


async def _asked(
    what: str, name: str, settings: Settings, address: str | None, wait_seconds: float
) -> Finding:
    import openai

    key = settings.openai_api_key.get_secret_value() if settings.openai_api_key else "none"
    where = address or "the public service"
    try:
        async with openai.AsyncOpenAI(
            api_key=key, base_url=address, timeout=wait_seconds, max_retries=0
        ) as client:
            served = [model.id async for model in client.models.list()]
    except (openai.AuthenticationError, openai.PermissionDeniedError):
        return Finding(what, "broken", f"{where} refuses the key (OPENAI_API_KEY)")
    except openai.NotFoundError:
        return Finding(what, "ok", f"{name}: {where} answers, and lists no models")
    except openai.OpenAIError as error:
        return Finding(what, "broken", f"{where} does not answer: {type(error).__name__}")
    if name not in served:
        return Finding(what, "broken", f"{where} serves no {name}")
    return Finding(what, "ok", f"{name} at {where}")
