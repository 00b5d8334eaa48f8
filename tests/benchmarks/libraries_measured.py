"""Time and error of pure-ldp and multi-freq-ldpy, as JSON; run by libraries.py where they are installed."""

import json
import sys
import time
from functools import partial

import numpy as np
from multi_freq_ldpy.mdim_freq_est.RSpFD_solution import RSpFD_GRR_Aggregator_MI, RSpFD_GRR_Client
from multi_freq_ldpy.mdim_freq_est.SMP_solution import SMP_GRR_Aggregator_MI, SMP_GRR_Client
from multi_freq_ldpy.mdim_freq_est.SPL_solution import SPL_GRR_Aggregator_MI, SPL_GRR_Client
from multi_freq_ldpy.pure_frequency_oracles.GRR import GRR_Aggregator_MI, GRR_Client
from multi_freq_ldpy.pure_frequency_oracles.SS import SS_Aggregator_MI, SS_Client
from pure_ldp.frequency_oracles.direct_encoding import DEClient, DEServer
from pure_ldp.frequency_oracles.unary_encoding import UEClient, UEServer

RESPONDENTS, REPEATS, TASKS = json.loads(sys.argv[1])
SLOW = 8
"""So many times fewer surveys of what takes a second each."""


def pure_ldp(client_class, server_class, answers, options, epsilon, **settings):
    """One survey by pure-ldp: the estimated shares."""
    client = client_class(epsilon, options, **settings)
    server = server_class(epsilon, options, **settings)
    for answer in answers:
        server.aggregate(client.privatise(int(answer) + 1))  # it counts options from 1
    counts = [server.estimate(option + 1, suppress_warnings=True) for option in range(options)]
    return np.array(counts) / len(answers)


def multi_freq_ldpy(client, aggregator, answers, options, epsilon):
    """One survey by multi-freq-ldpy: the estimated shares."""
    return np.array(
        aggregator([client(int(answer), options, epsilon) for answer in answers], options, epsilon)
    )


def several(client, aggregator, answers, sizes, epsilon):
    """One survey of several questions by multi-freq-ldpy: the estimated shares of yes."""
    reports = [client(each, sizes, len(sizes), epsilon) for each in answers.tolist()]
    return np.array([shares[1] for shares in aggregator(reports, sizes, len(sizes), epsilon)])


ONE = {
    "pure-ldp, direct encoding": partial(pure_ldp, DEClient, DEServer),
    "pure-ldp, optimised unary encoding": partial(pure_ldp, UEClient, UEServer, use_oue=True),
    "multi-freq-ldpy, randomized response": partial(multi_freq_ldpy, GRR_Client, GRR_Aggregator_MI),
    "multi-freq-ldpy, subset selection": partial(multi_freq_ldpy, SS_Client, SS_Aggregator_MI),
}
SEVERAL = {
    "multi-freq-ldpy, split": partial(several, SPL_GRR_Client, SPL_GRR_Aggregator_MI),
    "multi-freq-ldpy, one of them": partial(several, SMP_GRR_Client, SMP_GRR_Aggregator_MI),
    "multi-freq-ldpy, one and fake ones": partial(several, RSpFD_GRR_Client, RSpFD_GRR_Aggregator_MI),
}


def measured(survey, draw, truth, repeats):
    """The seconds and the mean squared error of a survey, over many."""
    survey(draw(100))  # compiles what is compiled
    began = time.perf_counter()
    errors = [((survey(draw(RESPONDENTS)) - truth) ** 2).sum() for _ in range(repeats)]
    return {"seconds": (time.perf_counter() - began) / repeats, "error": float(np.mean(errors))}


def task(truth, epsilon):
    """What each survey needs and misses by: a choice, or yes/no questions if the shares do not sum to 1."""
    rng, truth = np.random.default_rng(1), np.array(truth)
    if abs(truth.sum() - 1) < 1e-9:
        surveys, of = ONE, len(truth)
        draw = partial(rng.choice, len(truth), p=truth)
    else:
        surveys, of = SEVERAL, [2] * len(truth)

        def draw(people):
            return (rng.random((people, len(truth))) < truth).astype(int)

    def repeats(name):
        return REPEATS // SLOW if "unary" in name else REPEATS

    return {
        name: measured(lambda answers, one=one: one(answers, of, epsilon), draw, truth, repeats(name))
        for name, one in surveys.items()
    }


print(json.dumps([task(*each) for each in TASKS]))
