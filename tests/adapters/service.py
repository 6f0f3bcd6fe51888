"""A service on loopback in a process of its own, for tests that have no server beside them."""

import asyncio
import json
import logging
import sys
from pathlib import Path

import structlog

from api.app import create_app
from api.mcp import tools
from graph.settings import Settings
from graph.wiring.composition import open_executive
from state.principal import Principal
from tests.serving import serving

HARBOUR = Path(__file__).parents[1] / "harbour"
ROLES = {str(HARBOUR): ("keeper", "master"), "vessel": ("engineer", "chief_engineer")}
"""Of each pack, who asks and who approves."""


def people(pack: str) -> dict[str, Principal]:
    """Return who has a key, by the key's name."""
    asking, approving = ROLES[pack]
    return {
        "agent": Principal(user="tug-agent", tenant_id="default", roles=(asking,), kind="service"),
        "clerk": Principal(user="clerk", tenant_id="default", kind="service"),
        "amir": Principal(user="amir", tenant_id="default", roles=(asking,)),
        "ingrid": Principal(user="ingrid", tenant_id="default", roles=(approving,)),
    }


async def serve(data_dir: Path, pack: str = str(HARBOUR)) -> None:
    """Serve a pack, print the address and a key each, and stop when the input ends."""
    settings = Settings(data_dir=data_dir, packs=(pack,), public_url="http://quay")
    async with open_executive(settings) as executive, serving(create_app(executive)) as url:
        keys = {name: await executive.keys.make(one) for name, one in people(pack).items()}
        print(json.dumps({"url": url, "keys": keys}), flush=True)
        await asyncio.to_thread(sys.stdin.read)


if __name__ == "__main__":
    # The output is ours to be read to its first line; whoever writes on would wait for ever.
    tools.WAIT_SECONDS = 0.5  # a call over MCP waits for a person so long, not twenty
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    asyncio.run(serve(Path(sys.argv[1]), *sys.argv[2:]))
