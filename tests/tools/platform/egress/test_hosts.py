"""Sixty ways to make an action call what it must not: no connection is ever made."""

from collections.abc import Generator, Sequence

import httpx
import pytest

from state.errors import AgentError, Unreachable
from tests.tools.gate.handlers.service import Service, action, call
from tools.platform.egress import Egress
from tools.platform.egress_policy import (
    AllowedHosts,
    is_private,
    is_public,
    read_entry,
    read_template,
)

LISTED = "service.example"
HOSTS = """
127.0.0.1 127.0.0.2 127.1 127.0.1 2130706433 0x7f000001 0x7f.0.0.1 0x7f.1 0177.0.0.1 017700000001
00000177.0.0.1 0.0.0.0 0 localhost LOCALHOST localhost. 127.0.0.1. 169.254.169.254 2852039166
0xA9FEA9FE 0251.0376.0251.0376 10.0.0.1 172.16.0.1 192.168.0.1 100.64.0.1 224.0.0.1
255.255.255.255 240.0.0.1 192.0.0.1 198.18.0.1 [::1] [::] [0:0:0:0:0:0:0:1] [::ffff:127.0.0.1]
[::ffff:7f00:1] [::ffff:a9fe:a9fe] [::127.0.0.1] [64:ff9b::7f00:1] [64:ff9b:1::1] [2002:7f00:1::]
[2001:0:7f00:1::] [fe80::1] [fe80::1%25lo] [fe80::1%lo] [fc00::1] [fd00::1] [fec0::1] [ff02::1]
user@127.0.0.1 user:pass@127.0.0.1 service.example@127.0.0.1 service.example:80@127.0.0.1
127.0.0.1#service.example 127.0.0.1\\@service.example service.example%00.127.0.0.1 127。0。0。1
①②⑦.0.0.1 ⓛocalhost 127.0.0.1%2eservice.example {host} service.example. service.example.evil
"""


def _every_entry(host: str, port: int) -> frozenset[str]:
    """Put the host on the list in each form that somebody could have meant."""
    return frozenset({host, host.lower(), f"{host}:{port}", f"{host.lower()}:{port}", LISTED})


@pytest.mark.parametrize("host", HOSTS.split())
async def test_no_form_of_a_host_reaches_our_own_network(service: Service, host: str):
    """Even listed as public it is refused, and what it resolves to is our listener."""

    async def to_loopback(_host: str, _port: int) -> Sequence[str]:
        return ["127.0.0.1"]

    listed = AllowedHosts(public=_every_entry(host, service.port))
    for egress in (Egress(listed), Egress(listed, resolve=to_loopback)):
        url = service.url(host=host)
        with pytest.raises((AgentError, ValueError)):
            await call(egress, action(url, slots={"host": {"type": "text"}}), host="127.0.0.1")
    assert service.connects == 0


def test_sixty_forms_are_tried():
    assert len(set(HOSTS.split())) >= 60


@pytest.mark.parametrize(
    "answers",
    [
        ["127.0.0.1"],
        ["93.184.216.34", "127.0.0.1"],
        ["127.0.0.1", "93.184.216.34"],
        ["::1"],
        ["::ffff:127.0.0.1"],
        ["169.254.169.254"],
        ["fe80::1%1"],
        ["0.0.0.0"],
        ["not an address"],
        [],
    ],
)
async def test_a_listed_name_that_leads_inside_is_refused(service: Service, answers: list[str]):
    async def rebound(_host: str, _port: int) -> Sequence[str]:
        return answers

    listed = AllowedHosts(public=frozenset({f"{LISTED}:{service.port}"}))
    with pytest.raises(Unreachable, match="nothing was sent"):
        await call(Egress(listed, resolve=rebound), action(service.url(host=LISTED)))
    assert service.connects == 0


async def test_a_name_is_resolved_once_and_called_by_that_address(service: Service):
    asked = []

    async def rebinding(host: str, _port: int) -> Sequence[str]:
        asked.append(host)
        return ["127.0.0.1"] if len(asked) == 1 else ["169.254.169.254"]

    listed = AllowedHosts(private=frozenset({f"{LISTED}:{service.port}"}))
    await call(Egress(listed, resolve=rebinding), action(service.url(host=LISTED)))
    assert asked == [LISTED]
    assert service.requests[0].headers["host"] == f"{LISTED}:{service.port}"


async def test_a_known_private_host_may_not_become_the_metadata_service(service: Service):
    async def rebound(_host: str, _port: int) -> Sequence[str]:
        return ["169.254.169.254"]

    listed = AllowedHosts(private=frozenset({f"{LISTED}:{service.port}"}))
    with pytest.raises(Unreachable):
        await call(Egress(listed, resolve=rebound), action(service.url(host=LISTED)))


async def test_another_port_of_a_listed_host_is_another_place(service: Service):
    for private in ("127.0.0.1", f"127.0.0.1:{service.port + 1}"):
        egress = Egress(AllowedHosts(private=frozenset({private})))
        with pytest.raises(Unreachable, match="EXECUTIVE_ALLOWED_HOSTS"):
            await call(egress, action(service.url()))
    assert service.connects == 0


async def test_no_list_means_nowhere(service: Service):
    with pytest.raises(Unreachable):
        await call(Egress(), action(service.url()))
    assert service.connects == 0


async def test_no_proxy_of_the_environment_is_used(
    service: Service, monkeypatch: pytest.MonkeyPatch
):
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    await call(service.egress(), action(service.url()))
    assert service.connects == 1


class TwoSteps(httpx.Auth):
    """A sign-in that sends the very request again, as OAuth and digest do."""

    def auth_flow(self, request: httpx.Request) -> Generator[httpx.Request, httpx.Response]:
        """Send it, then with a token."""
        yield request
        request.headers["Authorization"] = "Bearer second"
        yield request


async def test_a_request_that_is_sent_again_goes_where_it_went(service: Service):
    async with service.egress().client(timeout=httpx.Timeout(5), auth=TwoSteps()) as client:
        request = client.build_request("GET", service.url("/whole/path?of=it"))
        await client.send(request)
        await client.send(request)
    assert [one.url.raw_path for one in service.requests] == [b"/whole/path?of=it"] * 4
    assert [one.headers.get("authorization") for one in service.requests[:2]] == [
        None,
        "Bearer second",
    ]


@pytest.mark.parametrize("address", ["8.8.8.8", "2606:4700::1111"])
def test_public_addresses_are_public(address: str):
    assert is_public(address)
    assert not is_private(address)


@pytest.mark.parametrize("address", ["127.0.0.1", "10.1.2.3", "::1", "fd00::1"])
def test_private_addresses_may_be_allowed(address: str):
    assert is_private(address)
    assert not is_public(address)


@pytest.mark.parametrize(
    "entry", ["", "http://a.example", "a.example/x", "a:b", "a:0", "a:70000", "*", "0x7f.1", "u@a"]
)
def test_an_entry_that_is_no_host_is_refused(entry: str):
    with pytest.raises(ValueError, match="host"):
        read_entry(entry)


def test_entries_are_compared_in_one_form():
    assert read_entry(" API.Example ") == "api.example"
    assert read_entry("[0:0:0:0:0:0:0:1]:80") == "[::1]:80"


@pytest.mark.parametrize(
    "url",
    [
        "{scheme}://a.example/",
        "https://{host}/",
        "https://a.{host}/",
        "https://a.example:{port}/",
        "https://{user}@a.example/",
        "https://a.example{path}",
        "ftp://a.example/",
        "//a.example/",
        "https://a.example\\@b.example/",
        "https://a.example/x#{y}",
        "https://a.example/?{name}=1",
        "https://a.example/{x!r}{",
        "https://a.example/\r\nX: 1",
        "https://a.example/ x",
    ],
)
def test_a_slot_never_names_where_to_go(url: str):
    with pytest.raises(ValueError, match=r"."):
        read_template(url)
