"""A network that drops, repeats and delays, in front of two servers on one database.

A state machine of hypothesis: respondents send, and what they send or what they are answered may be lost,
come twice, or come long after they have tried again at the other server.
"""

from __future__ import annotations

import random
import re
import time
from contextlib import ExitStack
from itertools import count

from engines import PATIENCE, Engine, installed, prepared
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, initialize, rule, run_state_machine_as_test
from ledger import SLUG, Ledger, draw, faults, other, sizes_of

from server import create_app
from server.config import Config
from server.database import location
from server.store import surveys
from server.store.engine import Storage

KEY = "k" * 32
SERVERS = st.integers(0, 1)

SHOWN_SECONDS = 1.0
"""How long after a survey was closed a server may still show its page; it takes no more reports at all."""


class Network(RuleBasedStateMachine):
    """Two servers, one survey, and every request that is under way.

    The model is the ledger: a receipt that arrived while the survey was open is stored with the reports that
    came first, and is answered accordingly for ever, by both servers.
    """

    cluster: Engine
    numbers = count()
    drawn = Bundle("drawn")

    @initialize(seed=st.integers(0, 2**32))
    def begin(self, seed: int) -> None:
        """Start two servers on a new database."""
        self.stack = ExitStack()
        name = f"network_{next(self.numbers)}"
        self.installation = self.stack.enter_context(self.cluster.another(name))
        self.survey = prepared(self.installation)
        self.storage = patient(self.installation.storage())
        self.is_open, self.closed = True, 0.0
        self.chance = random.Random(seed)
        self.ledger = Ledger()
        self.late: list[str] = []
        self.apps = [self.started() for _ in range(2)]

    def started(self):
        """Start a server."""
        config = Config(database=location(self.installation.address), rate_limit=0, secret_key=KEY)
        app = create_app(config, create=False)
        patient(app.extensions["candor"].storage)
        return app

    def stopped(self, app) -> None:
        """Stop a server in order."""
        app.extensions["candor"].committer.settle()
        app.extensions["candor"].storage.close()

    def arrives(self, receipt: str, server: int, *, changed: bool = False) -> None:
        """Let a submission arrive; its answer follows from what arrived before."""
        codes = self.ledger.sent[receipt]
        columns = zip(
            self.survey.publication.columns.items(), other(codes) if changed else codes, strict=True
        )
        fields = {name: f"{code:0{len(str(column.codes - 1))}}" for (name, column), code in columns}
        body = {"fingerprint": self.survey.publication.fingerprint, "receipt": receipt, **fields}
        headers = {"Sec-Fetch-Site": "same-origin"}
        answer = self.apps[server].test_client().post(f"/s/{SLUG}", data=body, headers=headers)
        if receipt in self.ledger.acknowledged:
            expected = "different" if changed else "stored"
        else:
            expected = "stored" if self.is_open else "closed"
        assert re.search(r'data-outcome="(\w+)"', answer.text)[1] == expected
        if expected == "stored":
            self.ledger.acknowledged.add(receipt)

    @rule(target=drawn)
    def draws(self) -> str:
        """Somebody draws a receipt and reports; the request may be lost, for nothing may ever follow."""
        receipt, codes = draw(sizes_of(self.survey), self.chance)
        self.ledger.sent[receipt] = codes
        return receipt

    @rule(receipt=drawn, server=SERVERS)
    def is_sent(self, receipt: str, server: int) -> None:
        """A submission arrives. If its answer is lost, this comes again, here or at the other server."""
        self.arrives(receipt, server)

    @rule(receipt=drawn)
    def comes_twice(self, receipt: str) -> None:
        """A submission arrives at both servers."""
        self.arrives(receipt, 0)
        self.arrives(receipt, 1)

    @rule(receipt=drawn)
    def stalls(self, receipt: str) -> None:
        """A submission is under way for long."""
        self.late.append(receipt)

    @rule(server=SERVERS)
    def late_ones_arrive(self, server: int) -> None:
        """All that stalled arrives, the last first."""
        while self.late:
            self.arrives(self.late.pop(), server)

    @rule(receipt=drawn, server=SERVERS)
    def comes_changed(self, receipt: str, server: int) -> None:
        """Other reports come under a receipt that is stored."""
        if receipt in self.ledger.acknowledged:
            self.arrives(receipt, server, changed=True)

    @rule(server=SERVERS)
    def restarts(self, server: int) -> None:
        """A server is replaced by a new one."""
        self.stopped(self.apps[server])
        self.apps[server] = self.started()

    @rule(server=SERVERS)
    def page_is_opened(self, server: int) -> None:
        """Somebody opens the page. A server shows it from memory for up to a second after it was closed."""
        expected = 200 if self.is_open else 410
        client = self.apps[server].test_client()
        while client.get(f"/s/{SLUG}").status_code != expected:
            assert time.monotonic() < self.closed + SHOWN_SECONDS
            time.sleep(0.05)

    @rule(often=st.integers(0, 9))
    def closes(self, often: int) -> None:
        """The survey is closed, in a tenth of the cases."""
        if often == 0 and self.is_open:
            self.storage.write(surveys.close_survey, self.survey.id)
            self.is_open, self.closed = False, time.monotonic()

    def teardown(self) -> None:
        """Look whether the database holds what it must."""
        if hasattr(self, "apps"):
            for app in self.apps:
                self.stopped(app)
            assert faults(self.storage, self.ledger) == []
            self.storage.close()
            self.stack.close()


def patient(storage: Storage) -> Storage:
    """Let a busy machine be no fault."""
    object.__setattr__(storage, "busy_seconds", PATIENCE)
    return storage


def run(engine: str, examples: int, steps: int = 30) -> None:
    """Run the machine; raises what it finds."""
    chosen = settings(
        max_examples=examples,
        stateful_step_count=steps,
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=[HealthCheck.too_slow],
    )
    with installed(engine) as (cluster, _):
        machine = type("NetworkOfEngine", (Network,), {"cluster": cluster})
        run_state_machine_as_test(machine, settings=chosen)


def table(engine: str, examples: int = 300) -> bool:
    """Say what came of it; the machine raises what it finds."""
    run(engine, examples)
    print(f"{examples} networks of up to 30 steps over two servers: nothing wrong")
    return True
