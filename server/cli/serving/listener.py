"""The socket on which a server listens, opened before the server starts so that errors show at once."""

from __future__ import annotations

import socket

import click


def listen(host: str, port: int) -> socket.socket:
    """Open a listening socket.

    Parameters
    ----------
    host : str
        A name or an address.
    port : int
        0 for any free one.

    Raises
    ------
    click.ClickException
        If there is no such host, or the port is in use or not ours to open.
    """
    from gevent import monkey

    getaddrinfo = monkey.get_original("socket", "getaddrinfo")  # gevent's starts a thread before the fork
    try:
        family = getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((host, port), family=family, backlog=2048)
    except socket.gaierror as error:
        raise click.ClickException(f"cannot listen on {host}:{port}: {error.strerror}") from error
    except OSError as error:
        raise click.ClickException(
            f"cannot listen on {host}:{port}: {error.strerror}. Choose another port, or 0 for any free one."
        ) from error


def address(listener: socket.socket) -> str:
    """Return the address to open in a browser."""
    host, port = listener.getsockname()[:2]
    shown = f"[{host}]" if ":" in host else host
    return f"http://{shown}:{port}"
