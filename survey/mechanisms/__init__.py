"""The mechanisms: each is a function from a question's settings to a channel of integers."""

from survey.mechanisms.cyclic_sets import cyclic
from survey.mechanisms.designed import designed, designed_number
from survey.mechanisms.exponential_mechanism import ExponentialChannel, exponential
from survey.mechanisms.forced_response import spinner_coin
from survey.mechanisms.gaussian_mechanism import GaussianChannel, gaussian
from survey.mechanisms.hybrid_mechanism import hybrid
from survey.mechanisms.independent_boxes import BoxChannel, per_box
from survey.mechanisms.k_ary_response import wheel
from survey.mechanisms.laplace_mechanism import laplace
from survey.mechanisms.number import NumberChannel, NumberClasses, classes_of, grid_points
from survey.mechanisms.one_bit_mean import one_bit
from survey.mechanisms.sampled_boxes import sampled_box
from survey.mechanisms.subset_selection import subset
from survey.mechanisms.two_coins import coin
from survey.mechanisms.warner import spinner

__all__ = [
    "BoxChannel",
    "ExponentialChannel",
    "GaussianChannel",
    "NumberChannel",
    "NumberClasses",
    "classes_of",
    "coin",
    "cyclic",
    "designed",
    "designed_number",
    "exponential",
    "gaussian",
    "grid_points",
    "hybrid",
    "laplace",
    "one_bit",
    "per_box",
    "sampled_box",
    "spinner",
    "spinner_coin",
    "subset",
    "wheel",
]
