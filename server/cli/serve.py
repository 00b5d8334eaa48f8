"""``candor serve``: run gunicorn with gevent, so that slow clients hold up nobody."""

from __future__ import annotations

import gc
import logging
import signal
import socket
import sys
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from server.cli.serving.listener import address, listen
from server.cli.shared.numbers import examples
from server.config import Config, ConfigError
from server.options import SETTINGS

if TYPE_CHECKING:
    from flask import Flask

    from server.store.engine import Storage

log = logging.getLogger(__name__)

LOGGERS = {"text": "gunicorn.glogging.Logger", "json": f"{__package__}.serving.json_logger.JSONLogger"}
"""Format of the log -> gunicorn's logger that writes it."""


@click.command(params=[*SETTINGS], epilog=examples("candor serve --bind 127.0.0.1:0 --database candor.db"))
@click.option(
    "--workers",
    type=click.IntRange(1, 64),
    default=1,
    show_default=True,
    help="Worker processes; each counts the rate limit itself.",
)
@click.option("--fd", type=click.IntRange(min=0), hidden=True, help="A socket that listens already.")
def serve(workers: int, fd: int | None, **settings: Any) -> None:
    """Run the server.

    The first start creates the database and the first admin. It asks for the admin's name and password
    unless the environment gives them.
    """
    gc.disable()  # until a worker is ready: nothing that is made before becomes garbage
    from gevent import events, monkey

    events.notify_and_call_entry_points = events.notify  # no search of all packages, for each of its patches
    monkey.patch_all()  # before anything of the application, or a library of its, is imported
    # A shell's background job starts with SIGINT ignored, and gunicorn heeds it only once it runs.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        config = Config(**settings)
        if config.log_format == "json":
            use_json()
        config = prepare(config)
    except ConfigError as error:
        raise click.ClickException(str(error)) from error
    listener = socket.socket(fileno=fd) if fd is not None else listen(*host_and_port(config.bind))
    if fd is None:
        door = address(listener)
        tell(config, f"Candor serves {config.database} at {door}. Press Ctrl-C to stop.")
    run(config, listener, workers)


def use_json() -> None:
    """Write the log as lines of JSON; only our own exceptions show their text there."""
    from server.runtime import logs
    from server.store.engine import Unavailable

    logs.use(Unavailable)


def tell(config: Config, text: str, level: int = logging.INFO) -> None:
    """Tell the operator something, in the log if that is JSON, else on the terminal."""
    if config.log_format == "json":
        log.log(level, text)
    else:
        click.echo(text, err=level > logging.INFO)


def prepare(config: Config) -> Config:
    """Create the database or bring it up to date, see that it can be served, and that there is an admin.

    The returned settings hold the key that signs sessions, so that a worker can start while the database is
    away.
    """
    from server.cli.shared.open_database import storage
    from server.store import publication_cache, surveys
    from server.store.staff import accounts, attempts
    from server.store.upkeep.attestation import refuse, unaccepted
    from server.store.upkeep.settings import secret_key

    with storage(config.database, create=True) as opened:
        for publication in opened.write_here(surveys.published):
            publication_cache.read(publication)  # also for the workers, which are forked
        refuse(deviations := opened.deviations())
        for deviation in unaccepted(deviations, config.accept):
            tell(config, f"Warning: {deviation}; accept it by its name with CANDOR_ACCEPT.", logging.WARNING)
        if opened.write_here(accounts.count) == 0:
            make_first_admin(config, opened)
        opened.write_here(attempts.tidy, time.time())
        key = config.secret_key or opened.write_here(secret_key)
        for warning in opened.warnings():
            tell(config, f"Warning: {warning}.", logging.WARNING)
    return replace(config, secret_key=key)


def make_first_admin(config: Config, opened: Storage) -> None:
    """Create the first admin; at a terminal, ask again for a name or password that cannot be used."""
    from server.store.staff import accounts

    while True:
        name, password = first_admin(config)
        try:
            made = opened.write_here(accounts.create_first, name, password)
        except accounts.AccountError as error:
            if config.admin_name:
                variables = "CANDOR_ADMIN_NAME and CANDOR_ADMIN_PASSWORD"
                raise click.ClickException(f"{variables} cannot be used: {error}") from error
            tell(config, f"{error}. Please try again.", logging.WARNING)
        else:
            break
    if made:
        tell(config, f"The first admin is {name}.")


def first_admin(config: Config) -> tuple[str, str]:
    """Take the name and password of the first admin from the environment, or ask for them."""
    if config.admin_name and config.admin_password:
        return config.admin_name, config.admin_password
    if not sys.stdin.isatty():
        raise click.ClickException(
            "the database has no account yet: set CANDOR_ADMIN_NAME and CANDOR_ADMIN_PASSWORD, "
            "or start the server in a terminal"
        )
    click.echo("This database has no account yet. Please choose the first admin.")
    name: str = click.prompt("Name")
    password: str = click.prompt("Password, 12 characters or more", hide_input=True, confirmation_prompt=True)
    return name, password


def host_and_port(bind: str) -> tuple[str, int]:
    """Split ``host:port``."""
    host, _, port = bind.rpartition(":")
    return host.strip("[]"), int(port)


def run(config: Config, listener: socket.socket, workers: int) -> None:
    """Run gunicorn on the socket. This never returns."""
    from gunicorn.app.base import BaseApplication

    # Once for all workers, which share its memory. It opens nothing and starts no thread.
    from server.application import load_rooms

    if workers > 1:  # one alone imports them when they are needed
        load_rooms()

    gc.freeze()

    class Server(BaseApplication):  # type: ignore[misc]
        """Gunicorn with our settings and no configuration file."""

        def load_config(self) -> None:
            """Set what differs from gunicorn's defaults."""
            for name, value in settings(listener, workers, config.log_format).items():
                self.cfg.set(name, value)

        def load(self) -> Any:
            """Make the application, in the worker."""
            app = application(config)
            gc.freeze()
            gc.enable()
            return app

    Server().run()


def application(config: Config) -> Flask:
    """Make the application of a worker, and start the work that a killed server has left to do."""
    from server import create_app
    from server.operations.heads import HeadSender
    from server.runtime.slow_bodies import Prompt

    app = create_app(config, create=False, late=True)
    app.extensions["candor"].finisher.start()
    app.extensions["candor"].scheduler.start()
    if config.heads is not None:
        services = app.extensions["candor"]
        HeadSender(services.storage, config.heads, services.clock).start()
    app.wsgi_app = Prompt(app.wsgi_app)  # type: ignore[method-assign]
    return app


def settings(listener: socket.socket, workers: int, log_format: str = "text") -> dict[str, Any]:
    """Return gunicorn's settings."""
    from server.runtime.slow_bodies import HEAD_SECONDS

    return {
        "logger_class": LOGGERS[log_format],
        "bind": f"fd://{listener.fileno()}",
        "workers": workers,
        "worker_class": f"{__package__}.serving.worker.Worker",
        "worker_connections": 2000,
        "keepalive": HEAD_SECONDS,  # gunicorn bounds by it how long it waits for a head, the first too
        "graceful_timeout": 10,
        "accesslog": None,  # an access log would tie an address and a moment to a submission
        "loglevel": "error",  # below it, gunicorn writes down the addresses of malformed requests
        "forwarded_allow_ips": "",  # only CANDOR_PROXY_HOPS decides which proxy is believed
        "control_socket_disable": True,
        "worker_exit": settle,
    }


def settle(arbiter: object, worker: Any) -> None:
    """Write the page views that still wait when a worker ends."""
    if worker.wsgi is not None:
        worker.wsgi.extensions["candor"].committer.settle()
