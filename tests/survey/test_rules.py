"""What is refused names the rule that it breaks, so that nobody has to read the sentence to know it."""

import pytest

from survey.fields import DefinitionError, Problem
from survey.mechanisms import gaussian, laplace, subset
from survey.paper import warner
from survey.read_definition import from_dict
from survey.rules import Refusal


@pytest.mark.parametrize(
    ("build", "parameter", "rule", "limits"),
    [
        (lambda: laplace(0, 10, 3, 1.0), "step", "step_divides", {"low": 0, "high": 10, "most": 1000}),
        (lambda: laplace(9, 1, 1, 1.0), "low", "low", {"high": 1}),
        (lambda: subset(13, 1.0), "categories", "subset_categories", {"most": 12}),
        (lambda: gaussian(0, 10, 1, 1.0, 2.0), "delta", "delta", {}),
        (lambda: warner("1/2"), "truth", "half", {}),
    ],
)
def test_what_a_mechanism_refuses_carries_its_parameter_the_rule_and_the_limits(
    build, parameter, rule, limits
):
    with pytest.raises(Refusal) as refused:
        build()
    assert (refused.value.parameter, refused.value.rule, refused.value.limits) == (parameter, rule, limits)


def test_a_survey_file_that_a_mechanism_refuses_names_the_same_rule():
    question = {"id": "drinks", "kind": "number", "mechanism": "laplace", "epsilon": 1.0}
    question |= {"low": 0, "high": 10, "step": 3, "wording": {"en": "How many?"}}
    with pytest.raises(DefinitionError) as refused:
        from_dict({"questions": [question]}, "the file")
    limits = {"low": 0, "high": 10, "most": 1000}
    assert Problem("questions[0].step", "step_divides", limits, 3) in refused.value.problems
