#!/usr/bin/env python3
"""Try what `candor deploy` prints, as far as this machine can; as root, on Debian, with the network.

Usage: python tests/benchmarks/deploy.py [systemd] [nginx] [caddy] [container]

- systemd: systemd reads the unit, and its command tells systemd that it is ready.
- nginx, caddy: the proxy takes its file, `candor doctor --url` finds no fault through it, and a style that it
  has sent is sent again once Candor has ended. Each runs in a network of its own, so that the ports of a web
  server are free.
- container: where no engine is at hand, the steps of the Containerfile run in a fresh Debian (debootstrap).
  Its command serves as its user, its health check succeeds, and its signal ends it.

What is missing is installed with apt. The composition is the container and Caddy's file, both tried here;
tests/server/test_deploy.py compares their names.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import chain
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CANDOR = Path(sys.executable).with_name("candor")
ADMIN = {"CANDOR_ADMIN_NAME": "ada", "CANDOR_ADMIN_PASSWORD": "a long enough password"}
LOCAL = "127.0.0.1:8000"
PACKAGES = {
    "systemd": {"systemd-analyze": "systemd"},
    "nginx": {"nginx": "nginx-light", "openssl": "openssl", "ip": "iproute2"},
    "caddy": {"caddy": "caddy", "ip": "iproute2"},
    "container": {"debootstrap": "debootstrap"},
}
SUITE, MIRROR = "bookworm", "http://deb.debian.org/debian"
TRY, WAIT = 0.2, 60.0

Found = list[tuple[str, bool, str]]
"""What was tried, whether it went well, and what it showed."""


def main() -> int:
    """Try the parts that are named, or all."""
    if sys.argv[1:2] == ["--inside"]:
        found = PROXIES[sys.argv[2]](Path(sys.argv[3]))
        print(json.dumps(found))
        return 0
    parts = sys.argv[1:] or list(PACKAGES)
    install([each for part in parts for each in PACKAGES[part].items()])
    well = True
    for part in parts:
        with tempfile.TemporaryDirectory() as folder:
            for name, good, shown in PARTS[part](Path(folder)):
                print(f"{'ok' if good else 'FAULT':<6} {part:<10} {name:<34} {shown}", flush=True)
                well &= good
    return 0 if well else 1


def install(programs: list[tuple[str, str]]) -> None:
    """Install what is missing."""
    lacking = sorted({package for program, package in programs if shutil.which(program) is None})
    if lacking:
        environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
        for command in (["update", "-qq"], ["install", "-y", "-qq", "--no-install-recommends", *lacking]):
            subprocess.run(["apt-get", *command], check=True, stdout=subprocess.DEVNULL, env=environment)


def deployed(name: str, host: str = "localhost") -> str:
    """Return a file as it is printed."""
    return output(CANDOR, "deploy", name, "--host", host)


def output(*command: object) -> str:
    """Return what a command prints."""
    return subprocess.run(list(map(str, command)), check=True, capture_output=True, text=True).stdout


def tried(name: str, *command: object, **more: object) -> tuple[str, bool, str]:
    """Run a command, and say whether it went well."""
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, **more)  # type: ignore[call-overload]
    lines = (done.stdout + done.stderr).strip().splitlines()
    return name, done.returncode == 0, lines[-1][:120] if lines else ""


@contextmanager
def running(*command: object, **more: object) -> Iterator[subprocess.Popen[str]]:
    """Run a command while the block lasts; what it says is in its standard output."""
    kept = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True} | more
    process = subprocess.Popen(list(map(str, command)), **kept)  # type: ignore[call-overload]
    try:
        yield process
    finally:
        process.terminate()
        process.communicate(timeout=WAIT)


def until(asked: Callable[[], bool]) -> bool:
    """Ask again until the answer is yes, or it has taken too long."""
    end = time.monotonic() + WAIT
    while time.monotonic() < end:
        try:
            if asked():
                return True
        except OSError:
            pass
        time.sleep(TRY)
    return False


def ready() -> bool:
    """Return whether a server answers here."""
    with urllib.request.urlopen(f"http://{LOCAL}/readyz") as answer:
        return answer.status == 200


# systemd


def systemd(folder: Path) -> Found:
    """Let systemd read the unit, and wait for its command to say that it is ready, as systemd does."""
    text = deployed("systemd").replace("/opt/candor/bin/candor", str(CANDOR))
    unit = folder / "candor.service"
    unit.write_text(text)
    found = [tried("systemd-analyze verify", "systemd-analyze", "verify", unit)]
    score = output("systemd-analyze", "security", "--offline=true", unit).strip().splitlines()[-1]
    exposure = float(re.search(r"([\d.]+) [A-Z]+", score)[1])
    found.append(("exposure at most 2 of 10", exposure <= 2, f"{exposure}"))
    held = dict(line.split("=", 1) for line in text.splitlines() if re.match(r"[A-Z]\w+=", line))
    place = str(folder / "notify")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as told:
        told.bind(place)
        told.settimeout(WAIT)
        environment = os.environ | ADMIN | {"CANDOR_BIND": "127.0.0.1:0", "NOTIFY_SOCKET": place}
        with running(*shlex.split(held["ExecStart"]), cwd=folder, env=environment):
            said = told.recv(4096).decode()
    found.append(("the service says that it is ready", "READY=1" in said, said.replace("\n", " ")))
    return found


# Proxies, each in a network of its own.


def inside(name: str) -> Callable[[Path], Found]:
    """Return what tries a proxy in a network where nothing else listens."""

    def run(folder: Path) -> Found:
        again = shlex.join([sys.executable, __file__, "--inside", name, str(folder)])
        told = output("unshare", "--net", "sh", "-c", f"ip link set lo up && exec {again}")
        return [(name, good, shown) for name, good, shown in json.loads(told.splitlines()[-1])]

    return run


def looked(folder: Path, *proxy: object, trusts: Path) -> Found:
    """Run Candor and the proxy, and let the doctor look through it."""
    environment = os.environ | ADMIN | {"CANDOR_PROXY_HOPS": "1", "CANDOR_BIND": LOCAL}
    environment |= {"HOME": str(folder), "SSL_CERT_FILE": str(trusts)}
    with running(CANDOR, "serve", cwd=folder, env=environment) as server:
        if not until(ready):
            return [("candor serve", False, "it does not answer")]
        (folder / "candor.db").chmod(0o600)
        with running(*proxy, cwd=folder, env=environment):
            if not until(
                lambda: trusts.exists() and bool(socket.create_connection(("localhost", 443)).close() is None)
            ):
                return [("the proxy answers", False, "it does not")]
            look = [CANDOR, "doctor", "--url", "https://localhost", "--json"]
            done = subprocess.run(look, cwd=folder, env=environment, capture_output=True, text=True)
            compared = tried(
                "client-hash through it",
                CANDOR,
                "client-hash",
                "--compare",
                "https://localhost",
                env=environment,
            )
            with urllib.request.urlopen(f"http://{LOCAL}/") as answer:
                style = re.search(r"/static/\w+/\w+\.css", answer.read().decode())[0]
            fetch = ["curl", "--silent", "--fail", "--cacert", trusts, f"https://localhost{style}"]
            sent = output(*fetch)
            server.terminate()
            server.wait(WAIT)
            again = subprocess.run(list(map(str, fetch)), capture_output=True, text=True).stdout
    checks = json.loads(done.stdout)["checks"]
    through = [each for each in checks if each["name"] in ("server", "proxy", "headers", "TLS", "clock")]
    told = [(f"doctor: {each['name']}", each["state"] == "ok", each["finding"]) for each in through]
    return [*told, compared, ("a style without Candor", again == sent != "", style)]


def nginx(folder: Path) -> Found:
    """Try nginx with a certificate that is made here."""
    key, certificate = folder / "key.pem", folder / "certificate.pem"
    output(
        *("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"),
        *("-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", certificate),
    )
    text = deployed("nginx")
    for name, path in (("fullchain", certificate), ("privkey", key)):
        text = text.replace(f"/etc/letsencrypt/live/localhost/{name}.pem", str(path))
    (folder / "candor.conf").write_text(text)
    whole = folder / "nginx.conf"
    whole.write_text(f"pid {folder}/pid; daemon off; events {{}} http {{ include {folder}/candor.conf; }}")
    valid = tried("nginx -t", "nginx", "-t", "-c", whole)
    return [valid, *looked(folder, "nginx", "-c", whole, trusts=certificate)]


def caddy(folder: Path) -> Found:
    """Try Caddy, which makes a certificate for localhost itself."""
    file = folder / "Caddyfile"
    served = folder / "files"
    served.mkdir()
    packed = subprocess.run([CANDOR, "deploy", "files"], check=True, capture_output=True).stdout
    subprocess.run(["tar", "-x", "-C", served], input=packed, check=True)
    file.write_text(deployed("caddy").replace("/srv/candor", str(served)))
    valid = tried(
        "caddy validate", "caddy", "validate", "--config", file, env=os.environ | {"HOME": str(folder)}
    )
    trusts = folder / ".local/share/caddy/pki/authorities/local/root.crt"
    return [valid, *looked(folder, "caddy", "run", "--config", file, trusts=trusts)]


# The container, without an engine.


def container(folder: Path) -> Found:
    """Run the steps of the Containerfile in a fresh Debian, and then its command, as an engine would."""
    output(ROOT / ".ci/release", folder / "release")
    root = folder / "root"
    # A wheel of NumPy needs no compiler, and Python's own image has neither apt nor one either.
    packages = "python3,python3-venv,ca-certificates"
    begun = time.monotonic()
    made = tried(
        "a fresh Debian", "debootstrap", "--variant=minbase", f"--include={packages}", SUITE, root, MIRROR
    )
    found: Found = [(made[0], made[1], f"{time.monotonic() - begun:.0f} s")]
    if not made[1]:
        return [made]
    reach_the_network(root)
    begun = time.monotonic()
    held: dict[str, str] = {}
    for name, rest in instructions(deployed("container")):
        if name == "COPY":
            *patterns, place = rest.split()
            (root / place.lstrip("/")).mkdir(parents=True, exist_ok=True)
            for file in chain.from_iterable((folder / "release").glob(pattern) for pattern in patterns):
                shutil.copy(file, root / place.lstrip("/"))
        elif name == "RUN":
            step = tried(f"RUN {rest[:28]}", *chroot(root), "sh", "-c", rest, env=clean())
            found.append(step)
            if not step[1]:
                return found
        held[name] = rest
    found.append(
        ("all steps", True, f"{time.monotonic() - begun:.0f} s, {size(root / 'opt/candor') / 2**20:.0f} MB")
    )
    variables = dict(part.split("=", 1) for part in held["ENV"].split()) | ADMIN
    command = [*json.loads(held["ENTRYPOINT"]), *json.loads(held["CMD"])]
    user = chroot(root, held["USER"])
    with running(
        *user, "sh", "-c", f"cd {held['WORKDIR']}; exec {shlex.join(command)}", env=clean() | variables
    ) as server:
        check = json.loads(held["HEALTHCHECK"].partition(" CMD ")[2])
        well = until(
            lambda: subprocess.run([*user, *check], env=clean(), capture_output=True).returncode == 0
        )
        found.append(("its health check succeeds", well, ""))
        server.send_signal(getattr(signal, held["STOPSIGNAL"]))
        server.wait(WAIT)
        found.append(("its signal ends it", server.returncode == 0, f"exit status {server.returncode}"))
    database = (root / "data/candor.db").stat()
    found.append(
        ("the database is its user's", database.st_uid == int(held["USER"]), f"user {database.st_uid}")
    )
    return found


def instructions(text: str) -> Iterator[tuple[str, str]]:
    """Yield the instructions of a Containerfile."""
    for line in text.splitlines():
        if line and not line.startswith("#"):
            name, rest = line.split(" ", 1)
            yield name, rest


def chroot(root: Path, user: str = "0") -> list[str]:
    """Return what comes before a command that runs in a root of its own, as a user."""
    return ["chroot", f"--userspec={user}:{user}", str(root)]


def clean() -> dict[str, str]:
    """Return an environment with nothing of this machine but how its network is reached."""
    kept = re.compile(r"(https?|no)_proxy|PIP_\w+|SSL_CERT_FILE", re.IGNORECASE)
    return {name: value for name, value in os.environ.items() if kept.fullmatch(name)} | {
        "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
    }


def reach_the_network(root: Path) -> None:
    """Give a root what an engine gives a container: names, certificates, and how pip is set up."""
    for path in ("/etc/resolv.conf", "/etc/hosts", "/etc/pip.conf", "/etc/ssl/certs/ca-certificates.crt"):
        if Path(path).exists():
            shutil.copy(path, root / path.lstrip("/"))


def size(folder: Path) -> int:
    """Return the bytes of all files in a folder."""
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file() and not file.is_symlink())


PROXIES = {"nginx": nginx, "caddy": caddy}
PARTS = {"systemd": systemd, "nginx": inside("nginx"), "caddy": inside("caddy"), "container": container}

if __name__ == "__main__":
    sys.exit(main())
