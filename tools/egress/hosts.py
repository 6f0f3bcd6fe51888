"""Which hosts may be called: the deployment's list, and which addresses a name may lead to."""

import ipaddress
import re
from dataclasses import dataclass

from state.errors import Unreachable

DEFAULT_PORTS = {"http": 80, "https": 443}
_LABEL = r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?"
_NAME = re.compile(rf"{_LABEL}(?:\.{_LABEL})*")
_LOOKS_NUMERIC = re.compile(r"(?:0x[0-9a-f]*|[0-9]+)")
_EMBEDDING = (
    ipaddress.ip_network("64:ff9b::/96"),  # NAT64
    ipaddress.ip_network("::/96"),  # IPv4-compatible, long deprecated
)
_LOCAL_NAT64 = ipaddress.ip_network("64:ff9b:1::/48")

Address = ipaddress.IPv4Address | ipaddress.IPv6Address


@dataclass(frozen=True)
class Place:
    """A host and a port, as a URL names them."""

    host: str
    """In lower case; an IPv6 address without its brackets."""
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


@dataclass(frozen=True)
class AllowedHosts:
    """The hosts of EXECUTIVE_ALLOWED_HOSTS, and those that may lead into our own network.

    An entry is `host` (the scheme's own port) or `host:port`.
    """

    public: frozenset[str] = frozenset()
    private: frozenset[str] = frozenset()

    def check(self, scheme: str, place: Place) -> None:
        """Refuse a host that stands on no list, or is written to look like another one.

        Raises:
            Unreachable: it is not allowed.
        """
        if scheme not in DEFAULT_PORTS or not is_plain_host(place.host):
            raise Unreachable(f"{place} is no plain http(s) host; nothing was sent")
        if not self._names(self.public | self.private, scheme, place):
            raise Unreachable(f"{place} is not in EXECUTIVE_ALLOWED_HOSTS; nothing was sent")

    def check_address(self, scheme: str, place: Place, address: str) -> None:
        """Refuse an address inside our own network, unless the host is known to be there.

        Raises:
            Unreachable: it is not allowed.
        """
        if is_public(address):
            return
        if is_private(address) and self._names(self.private, scheme, place):
            return
        raise Unreachable(f"{place} leads to an address that is not public; nothing was sent")

    def _names(self, entries: frozenset[str], scheme: str, place: Place) -> bool:
        written = str(place)
        bare = written.removesuffix(f":{place.port}")
        return written in entries or (place.port == DEFAULT_PORTS[scheme] and bare in entries)


def read_entry(entry: str) -> str:
    """Read one entry of a list of hosts into the form it is compared in.

    Raises:
        ValueError: it is neither host nor host:port.
    """
    text = entry.strip().lower()
    bracketed = re.fullmatch(r"\[([0-9a-f:.]+)\](?::(\d{1,5}))?", text)
    plain = re.fullmatch(r"([^:\[\]]+)(?::(\d{1,5}))?", text)
    found = bracketed or plain
    if found is None or not is_plain_host(found[1]) or int(found[2] or 1) not in range(1, 65_536):
        raise ValueError(f"{entry!r} is not host or host:port")
    host = str(ipaddress.ip_address(found[1])) if bracketed else found[1]
    port = f":{int(found[2])}" if found[2] else ""
    return f"[{host}]{port}" if bracketed else f"{host}{port}"


def is_plain_host(host: str) -> bool:
    """Tell whether a host is a name, or an address in its one common form.

    2130706433, 0x7f.1 and 0177.0.0.1 are addresses too, to some readers; to us they are nothing.
    """
    if ":" in host:
        return "%" not in host and _address(host) is not None
    if len(host) > 253 or _NAME.fullmatch(host) is None:
        return False
    last = host.rsplit(".", maxsplit=1)[-1]
    return _LOOKS_NUMERIC.fullmatch(last) is None or _address(host) is not None


def is_loopback(host: str) -> bool:
    """Tell whether a name or an address leads to this machine alone."""
    address = _address(host)
    return host == "localhost" if address is None else address.is_loopback


def is_public(address: str) -> bool:
    """Tell whether an address belongs to the public internet, and so does what it embeds."""
    read = _address(address)
    return read is not None and all(
        each.is_global and not _is_special(each) for each in (read, *_embedded(read))
    )


def is_private(address: str) -> bool:
    """Tell whether an address is one of a private network or this machine, and nothing odder."""
    read = _address(address)
    if read is None or _embedded(read) or _is_special(read):
        return False
    return read.is_private or read.is_loopback


def _is_special(address: Address) -> bool:
    is_local = (
        address.is_link_local
        or address.is_multicast
        or address.is_unspecified
        or (address.is_reserved and not address.is_loopback)
    )
    if isinstance(address, ipaddress.IPv4Address):
        return is_local
    return is_local or address.is_site_local or address in _LOCAL_NAT64


def _embedded(address: Address) -> tuple[ipaddress.IPv4Address, ...]:
    if isinstance(address, ipaddress.IPv4Address) or address.is_loopback:
        return ()
    found = [address.ipv4_mapped, address.sixtofour, *(address.teredo or ())]
    if any(address in network for network in _EMBEDDING):
        found.append(ipaddress.IPv4Address(int(address) & 0xFFFF_FFFF))
    return tuple(each for each in found if each is not None)


def _address(text: str) -> Address | None:
    try:
        return ipaddress.ip_address(text)
    except ValueError:
        return None
