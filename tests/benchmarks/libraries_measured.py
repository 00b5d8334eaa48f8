"""Time and error of pure-ldp and multi-freq-ldpy, as JSON; run by libraries.py where they are installed."""

import json
import sys
import time

import numpy as np
from multi_freq_ldpy.pure_frequency_oracles.GRR import GRR_Aggregator_MI, GRR_Client
from multi_freq_ldpy.pure_frequency_oracles.SS import SS_Aggregator_MI, SS_Client
from pure_ldp.frequency_oracles.direct_encoding import DEClient, DEServer
from pure_ldp.frequency_oracles.unary_encoding import UEClient, UEServer

OPTIONS, EPSILON, RESPONDENTS, REPEATS = json.loads(sys.argv[1])


def pure_ldp(client_class, server_class, **settings):
    """One survey by pure-ldp: the estimated shares."""

    def survey(answers):
        client = client_class(EPSILON, OPTIONS, **settings)
        server = server_class(EPSILON, OPTIONS, **settings)
        for answer in answers:
            server.aggregate(client.privatise(int(answer) + 1))  # it counts options from 1
        counts = [server.estimate(option + 1, suppress_warnings=True) for option in range(OPTIONS)]
        return np.array(counts) / len(answers)

    return survey


def multi_freq_ldpy(client, aggregator):
    """One survey by multi-freq-ldpy: the estimated shares."""

    def survey(answers):
        reports = [client(int(answer), OPTIONS, EPSILON) for answer in answers]
        return np.array(aggregator(reports, OPTIONS, EPSILON))

    return survey


SURVEYS = {
    "pure-ldp, direct encoding": pure_ldp(DEClient, DEServer),
    "pure-ldp, optimised unary encoding": pure_ldp(UEClient, UEServer, use_oue=True),
    "multi-freq-ldpy, randomized response": multi_freq_ldpy(GRR_Client, GRR_Aggregator_MI),
    "multi-freq-ldpy, subset selection": multi_freq_ldpy(SS_Client, SS_Aggregator_MI),
}

rng = np.random.default_rng(1)
truth = np.arange(1.0, OPTIONS + 1) / sum(range(1, OPTIONS + 1))
found = {}
for name, survey in SURVEYS.items():
    survey(rng.choice(OPTIONS, 100, p=truth))  # compiles what is compiled
    began = time.perf_counter()
    errors = [
        ((survey(rng.choice(OPTIONS, RESPONDENTS, p=truth)) - truth) ** 2).sum() for _ in range(REPEATS)
    ]
    found[name] = {"seconds": (time.perf_counter() - began) / REPEATS, "error": float(np.mean(errors))}
print(json.dumps(found))
