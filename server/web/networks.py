"""The networks for which an address is counted: the one that a person is likely to hold, and wider ones."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Network, ip_address

WIDER = {64: 1, 56: 4, 48: 16}
"""Bits of an IPv6 network -> how many times as much as a person it may do. A provider gives a household a /64
or a /56, and an organisation a /48: whoever holds one has thousands of networks of the first kind."""


def networks(address: str) -> dict[str, int]:
    """Return the networks of an address, the narrowest first, and how many times as much each may do.

    Examples
    --------
    >>> networks("192.0.2.7"), networks("::ffff:192.0.2.7"), networks("unknown")
    ({'192.0.2.7': 1}, {'192.0.2.7': 1}, {'unknown': 1})
    >>> networks("2001:db8:1:2ff:3::4")
    {'2001:db8:1:2ff::/64': 1, '2001:db8:1:200::/56': 4, '2001:db8:1::/48': 16}
    """
    try:
        parsed = ip_address(address)
    except ValueError:
        return {address: 1}
    if isinstance(parsed, IPv4Address):
        return {str(parsed): 1}
    if parsed.ipv4_mapped:
        return {str(parsed.ipv4_mapped): 1}
    return {str(IPv6Network((int(parsed), bits), strict=False)): share for bits, share in WIDER.items()}


def without_port(address: str) -> str:
    """Return an address without the port that some proxies write behind it.

    Examples
    --------
    >>> [without_port(text) for text in ("192.0.2.7:4711", "[2001:db8::1]:4711", "2001:db8::1", "")]
    ['192.0.2.7', '2001:db8::1', '2001:db8::1', '']
    """
    if address.startswith("["):
        return address[1:].partition("]")[0]
    return address.partition(":")[0] if address.count(":") == 1 else address
