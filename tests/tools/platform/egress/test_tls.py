"""Over HTTPS the address is pinned and the name is what has to be proved, by whom we trust."""

import asyncio
import ssl
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import pytest
import trustme

from state.errors import BadInput, Unreachable
from tests.tools.gate.handlers.service import Service, action, call
from tools.platform.egress import Egress
from tools.platform.egress_policy import AllowedHosts

NAME = "service.example"
OURS, THEIRS = trustme.CA(), trustme.CA()


@dataclass
class Secure(Service):
    """A service behind TLS that notes which name it was asked for."""

    names: list[str | None] = field(default_factory=list)

    def secure_url(self, host: str = NAME) -> str:
        return f"https://{host}:{self.port}/things"


@asynccontextmanager
async def secured(certificate: trustme.LeafCert) -> AsyncIterator[Secure]:
    service = Secure()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    certificate.configure_cert(context)

    def note(_socket: ssl.SSLObject, name: str | None, _context: ssl.SSLContext) -> None:
        service.names.append(name)

    context.sni_callback = note
    server = await asyncio.start_server(service.serve, "127.0.0.1", 0, ssl=context)
    service.port = server.sockets[0].getsockname()[1]
    try:
        yield service
    finally:
        server.close()
        await server.wait_closed()


@pytest.fixture
def ca_file(tmp_path: Path) -> Path:
    file = tmp_path / "authorities.pem"
    OURS.cert_pem.write_to_path(str(file))
    return file


def egress(service: Secure, ca_file: Path | None, host: str = NAME) -> tuple[Egress, list[str]]:
    """Let actions reach the service by name; what is resolved is written down."""
    asked: list[str] = []

    async def rebinding(wanted: str, _port: int) -> Sequence[str]:
        asked.append(wanted)
        return ["127.0.0.1"] if len(asked) == 1 else ["169.254.169.254"]

    listed = AllowedHosts(private=frozenset({f"{host}:{service.port}"}))
    return Egress(listed, resolve=rebinding, ca_file=ca_file), asked


async def test_a_pinned_address_is_called_in_the_name_that_was_asked_for(ca_file: Path):
    async with secured(OURS.issue_cert(NAME)) as service:
        reaching, asked = egress(service, ca_file)
        result = await call(reaching, action(service.secure_url()))
    assert result.data == {}
    assert (asked, service.names) == ([NAME], [NAME])
    [request] = service.requests
    assert request.headers["host"] == f"{NAME}:{service.port}"


@pytest.mark.parametrize(
    ("authority", "names"),
    [
        pytest.param(OURS, ["evil.example"], id="of another name"),
        pytest.param(OURS, ["127.0.0.1"], id="of the address"),
        pytest.param(OURS, ["localhost"], id="of this machine"),
        pytest.param(OURS, [f"*.{NAME}"], id="of what is below it"),
        pytest.param(THEIRS, [NAME], id="by nobody we trust"),
    ],
)
async def test_whoever_cannot_prove_the_name_is_sent_nothing(ca_file: Path, authority, names):
    async with secured(authority.issue_cert(*names)) as service:
        reaching, _asked = egress(service, ca_file)
        with pytest.raises(Unreachable, match="nothing was sent"):
            await call(reaching, action(service.secure_url()))
    assert service.requests == []


async def test_a_certificate_that_ran_out_proves_nothing(ca_file: Path):
    old = OURS.issue_cert(NAME, not_after=datetime(2020, 1, 1, tzinfo=UTC))
    async with secured(old) as service:
        reaching, _asked = egress(service, ca_file)
        with pytest.raises(Unreachable, match="nothing was sent"):
            await call(reaching, action(service.secure_url()))
    assert service.requests == []


async def test_an_authority_is_trusted_only_when_the_deployment_names_it(
    monkeypatch: pytest.MonkeyPatch, ca_file: Path
):
    monkeypatch.setenv("SSL_CERT_FILE", str(ca_file))
    async with secured(OURS.issue_cert(NAME)) as service:
        reaching, _asked = egress(service, None)
        with pytest.raises(Unreachable, match="nothing was sent"):
            await call(reaching, action(service.secure_url()))
    assert service.requests == []


async def test_an_address_may_prove_itself(ca_file: Path):
    async with secured(OURS.issue_cert("127.0.0.1")) as service:
        reaching, _asked = egress(service, ca_file, "127.0.0.1")
        await call(reaching, action(service.secure_url("127.0.0.1")))
    assert len(service.requests) == 1


async def test_a_name_that_leads_inside_is_refused_before_a_word_of_tls(ca_file: Path):
    async with secured(OURS.issue_cert(NAME)) as service:
        reaching, _asked = egress(service, ca_file)
        public = AllowedHosts(public=frozenset({f"{NAME}:{service.port}"}))
        reaching = Egress(public, resolve=reaching.resolve, ca_file=ca_file)
        with pytest.raises((Unreachable, BadInput), match="nothing was sent"):
            await call(reaching, action(service.secure_url()))
    assert (service.connects, service.names) == (0, [])


async def test_a_name_in_the_wrong_case_is_the_same_name(ca_file: Path):
    async with secured(OURS.issue_cert(NAME)) as service:
        reaching, _asked = egress(service, ca_file)
        await call(reaching, action(service.secure_url(NAME.upper())))
    assert service.names == [NAME]
