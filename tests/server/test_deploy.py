"""`candor deploy`: each file can be read by what it is for, and says nothing that Candor does not know.

tests/benchmarks/deploy.py runs them.
"""

import gzip
import json
import re
import shlex
import tarfile
from io import BytesIO

import brotli
import pytest
import yaml
from click.testing import CliRunner

from server.cli import deploy, main
from server.database import location
from server.options import SETTINGS
from server.store.postgresql.order_leaks import LOGGED
from server.web.content_policy import HEADERS
from server.web.files.assets import collected, hash_of
from server.web.files.ready_files import YEAR
from server.web.limits.costs import MOST_BYTES_OF_A_SURVEY

COMPOSED = ["compose", "compose-postgresql"]
PROXIES = ["nginx", "caddy", *COMPOSED]
HOSTED = [*PROXIES, "patroni", "etcd"]
OURS = {setting.envvar for setting in SETTINGS}


def printed(name, *options):
    ended = CliRunner().invoke(main, ["deploy", name, *options])
    assert (ended.exit_code, ended.stderr) == (0, "")
    return ended.stdout


def unit():
    """The unit: section -> its settings, in their order."""
    sections = {}
    for line in printed("systemd").splitlines():
        if line.startswith("["):
            section = sections.setdefault(line.strip("[]"), [])
        elif line and not line.startswith("#"):
            section.append(tuple(line.split("=", 1)))
    return sections


def steps():
    """The instructions of the container's file, in their order."""
    lines = printed("container").splitlines()
    return [tuple(line.split(" ", 1)) for line in lines if line and not line.startswith("#")]


@pytest.mark.parametrize("name", ["systemd", "container"])
def test_what_is_installed_is_what_its_hash_says(name):
    installs = re.findall(r"pip install .*", printed(name))
    assert installs
    by_hash = re.compile(r"--require-hashes -r (requirements\.txt|\$\{REQUIREMENTS\})")
    assert all(by_hash.search(line) for line in installs)


@pytest.mark.parametrize("name", deploy.NAMES)
def test_every_variable_is_one_that_candor_reads(name):
    assert set(re.findall(r"CANDOR_[A-Z_]+", printed(name))) <= OURS


@pytest.mark.parametrize("name", HOSTED)
def test_the_host_is_what_one_says(name):
    assert "survey.example" in printed(name)
    other = printed(name, "--host", "studies.university.test")
    assert "survey.example" not in other
    assert "studies.university.test" in other


@pytest.mark.parametrize("host", ["", "a b", "a;b", "a\nb", "{$X}", "-a", "a..b", "https://a", "a" * 254])
def test_what_is_no_host_is_refused(host):
    ended = CliRunner().invoke(main, ["deploy", "nginx", "--host", host])
    assert ended.exit_code == 2
    assert f"must be the name of a host, such as survey.example, got {host!r}" in ended.stderr


def test_the_unit_starts_a_command_that_exists_and_keeps_its_files_to_itself():
    held = dict(unit()["Service"])
    program, command, *options = shlex.split(held["ExecStart"])
    assert program.endswith("/candor")
    with main.get_command(None, command).make_context(command, options) as context:
        assert context.params["log_format"] == "json"
    assert held["Type"] == "notify"  # gunicorn tells when it is ready
    assert (held["StateDirectoryMode"], held["UMask"], held["LimitCORE"]) == ("0700", "0077", "0")
    variables = dict(value.split("=", 1) for name, value in unit()["Service"] if name == "Environment")
    assert variables["CANDOR_DATABASE"].startswith(f"/var/lib/{held['StateDirectory']}/")


def test_nginx_logs_nothing_of_a_request_and_sets_every_header_that_is_believed():
    text = re.sub(r"#.*", "", printed("nginx"))
    assert all(re.search(r"[;{}]$", line.strip()) for line in text.splitlines() if line.strip())
    assert text.count("{") == text.count("}")
    assert text.count("access_log off;") == text.count("server {") == 2
    for name in ("For", "Proto", "Host", "Prefix"):
        assert f"proxy_set_header X-Forwarded-{name} " in text
    assert "client_body_buffer_size 2m;" in text
    assert text.count("proxy_cache candor;") == 1  # and only for what is the same for everybody
    assert re.search(r"location /static/ \{[^}]*proxy_cache candor;", text)
    assert MOST_BYTES_OF_A_SURVEY == 2 * 2**20


def test_caddy_logs_nothing_of_a_request():
    text = printed("caddy")
    assert text.count("{") == text.count("}")
    assert "exclude http.log.error" in text
    assert "header_up -X-Forwarded-Prefix" in text


def test_what_caddy_serves_itself_has_the_headers_and_the_bytes_of_candor():
    told = dict(re.findall(r'^\t\theader ([\w-]+) "?([^"\n]+)"?$', printed("caddy"), re.MULTILINE))
    assert told.pop("Cache-Control") == f"public, immutable, max-age={YEAR}"
    assert told == HEADERS["page"]
    ended = CliRunner().invoke(main, ["deploy", "files"])
    with tarfile.open(fileobj=BytesIO(ended.stdout_bytes)) as tar:
        packed = {member.name: tar.extractfile(member).read() for member in tar}
    served = collected()
    for path, content in served.items():
        name = f"static/{hash_of(served)}/{path}"
        assert packed.pop(name) == content
        if not path.endswith((".png", ".woff2")):
            assert brotli.decompress(packed.pop(f"{name}.br")) == content
            assert gzip.decompress(packed.pop(f"{name}.gz")) == content
    assert not packed


def test_the_container_runs_as_a_user_without_rights_and_serves():
    assert next(name for name, _ in steps()) == "FROM"
    held = dict(steps())
    assert held["USER"] == "10001"
    assert json.loads(held["ENTRYPOINT"]) == ["/opt/candor/bin/candor"]
    command = json.loads(held["CMD"])
    assert command[0] in main.list_commands(None)
    variables = dict(part.split("=", 1) for part in held["ENV"].split())
    assert variables["CANDOR_DATABASE"].startswith(held["VOLUME"] + "/")
    assert variables["CANDOR_BIND"].endswith(f":{held['EXPOSE']}")
    json.loads(held["HEALTHCHECK"].partition(" CMD ")[2])


@pytest.mark.parametrize("name", COMPOSED)
def test_what_a_composition_names_is_there(name):
    held = yaml.safe_load(printed(name))
    for service in held["services"].values():
        assert set(service.get("depends_on", {})) <= held["services"].keys()
        assert {each["source"] for each in service.get("configs", [])} <= held["configs"].keys()
        assert {each.split(":")[0] for each in service.get("volumes", [])} <= held["volumes"].keys()
        assert ("build" in service) != ("image" in service)
    candor = held["services"]["candor"]
    assert (candor["read_only"], candor["cap_drop"]) == (True, ["ALL"])
    assert candor["build"]["dockerfile"] == "Containerfile"
    assert "ports" not in candor  # only the proxy is reached from outside


def test_only_postgresql_is_shared_by_servers():
    alone, several = (yaml.safe_load(printed(name))["services"]["candor"] for name in COMPOSED)
    assert alone.get("deploy", {}).get("replicas", 1) == 1
    assert several["deploy"]["replicas"] == 2
    assert several["environment"]["CANDOR_DATABASE"].startswith("postgresql://")


@pytest.mark.parametrize("name", COMPOSED)
def test_the_proxy_of_a_composition_is_the_one_that_stands_alone(name):
    """But for where the server is."""

    def words(text):
        text = re.sub(r"#.*", "", text)
        return re.sub(
            r"reverse_proxy [\w.:]+ \{|reverse_proxy \{\s+dynamic a candor 8000", "reverse_proxy {", text
        ).split()

    held = yaml.safe_load(printed(name))["configs"]["caddyfile"]["content"]
    assert words(held) == words(printed("caddy"))


def test_a_leader_acknowledges_nothing_that_no_other_host_has():
    rules = yaml.safe_load(printed("patroni"))["bootstrap"]["dcs"]
    assert rules["synchronous_mode"] is rules["synchronous_mode_strict"] is True
    assert rules["loop_wait"] + 2 * rules["retry_timeout"] <= rules["ttl"]  # as Patroni demands
    parameters = rules["postgresql"]["parameters"]
    assert {parameters[name] for name in ("fsync", "full_page_writes", "synchronous_commit")} == {"on"}
    assert {"log_statement", "log_min_duration_statement"} <= parameters.keys()
    assert all(str(parameters.get(name, harmless[0])) in harmless for name, harmless in LOGGED.items())


def test_etcd_and_patroni_and_candor_name_the_same_hosts():
    told = dict(re.findall(r"^(ETCD_\w+)=(.+)$", printed("etcd"), re.MULTILINE))
    names = ["db1", "db2", "db3"]
    held = yaml.safe_load(printed("patroni"))
    assert told["ETCD_INITIAL_CLUSTER"] == ",".join(f"{n}=http://{n}.survey.example:2380" for n in names)
    assert held["etcd"]["hosts"] == [f"{name}.survey.example:2379" for name in names]
    assert told["ETCD_ENABLE_V2"] == "true"
    assert held["name"] == told["ETCD_NAME"] == "dbN"  # which sed replaces
    for own in (told["ETCD_ADVERTISE_CLIENT_URLS"], held["postgresql"]["connect_address"]):
        assert "dbN.survey.example:" in own
    url = location(re.search(r"CANDOR_DATABASE=(\S+)", printed("patroni"))[1])
    assert str(url) == f"postgresql://{','.join(f'{name}.survey.example' for name in names)}/candor"
