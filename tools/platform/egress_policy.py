"""What may be called: allowed hosts and address ranges.

And URL templates that slots cannot redirect.
"""

import ipaddress
import re
import string
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from state.errors import BadInput, Unreachable

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


_START = re.compile(
    r"(?P<origin>https?://(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?)(?=/|\?|$)"
)
_LITERAL = re.compile(r"[A-Za-z0-9._~!$&'()*+,;=:@/%?-]*")


@dataclass(frozen=True)
class UrlTemplate:
    """A URL in its parts: the fixed origin, the path, and the pairs of the query."""

    origin: str
    path: str
    query: tuple[tuple[str, str], ...]
    """Names, which are fixed, and the templates of their values."""

    @property
    def slots(self) -> frozenset[str]:
        """Name every slot that it takes."""
        return self.path_slots | frozenset(
            name for _, value in self.query for name in _names(value)
        )

    @property
    def path_slots(self) -> frozenset[str]:
        """Name the slots of the path; all of them are needed."""
        return frozenset(_names(self.path))


def read_template(url: str) -> UrlTemplate:
    """Take a template apart.

    Raises:
        ValueError: a slot could name the host, or it is no http(s) URL.
    """
    start = _START.match(url)
    if start is None:
        raise ValueError("must begin with http(s)://host/ in plain words: no slot, no user in it")
    rest = url[start.end() :]
    literal = "".join(text for text, *_ in string.Formatter().parse(rest))
    if not _LITERAL.fullmatch(literal) or "{{" in rest or "}}" in rest:
        raise ValueError("holds a character that a URL cannot hold as it is; write it as %XX")
    path, _, query = rest.partition("?")
    pairs = tuple(_pair(pair) for pair in query.split("&")) if query else ()
    return UrlTemplate(start["origin"], path or "/", pairs)


def fill_template(template: UrlTemplate, arguments: Mapping[str, Any]) -> str:  # by slot type
    """Fill a template, every value percent-encoded; an absent slot takes its pair with it.

    Raises:
        BadInput: a value would change the path that was meant, or is missing in it.
    """
    for name in template.path_slots:
        _check_segment(name, arguments.get(name))
    path = _filled(template.path, arguments)
    if any(part in (".", "..") for part in path.split("/")):
        raise BadInput("the values would lead to another path than the action's")
    pairs = []
    for name, value in template.query:
        slots = _names(value)
        if any(arguments.get(slot) is None for slot in slots):
            continue
        one = arguments[slots[0]] if len(slots) == 1 and value == f"{{{slots[0]}}}" else None
        many = one if isinstance(one, (list, tuple)) else None
        if many is None:
            pairs.append(f"{name}={_filled(value, arguments)}")
        else:
            pairs += [f"{name}={quote(_written(item), safe='')}" for item in many]
    return template.origin + path + ("?" + "&".join(pairs) if pairs else "")


def _pair(text: str) -> tuple[str, str]:
    name, _, value = text.partition("=")
    if "{" in name:
        raise ValueError("a slot cannot be the name of a query parameter")
    return name, value


def _names(template: str) -> tuple[str, ...]:
    return tuple(name for _, name, _, _ in string.Formatter().parse(template) if name)


def _filled(template: str, arguments: Mapping[str, Any]) -> str:
    return "".join(
        literal + (quote(_written(arguments[name]), safe="") if name else "")
        for literal, name, _, _ in string.Formatter().parse(template)
    )


def _check_segment(name: str, value: Any) -> None:  # by slot type
    text = "" if value is None else _written(value)
    if not text or any(part in (".", "..") for part in re.split(r"[/\\]", text)):
        raise BadInput(f"{name} cannot stand in the address of the service: {text[:60]!r}")


def _written(value: Any) -> str:  # by slot type
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return ",".join(map(_written, value))
    return str(value)
