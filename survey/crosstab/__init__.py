"""Several questions at once: their joint table, subgroups, comparisons, and a test of independence."""

from survey.crosstab.comparison import (
    Comparison,
    difference_within,
    odds_ratio_within,
    share_within,
)
from survey.crosstab.independence import Independence, independence
from survey.crosstab.joint_table import estimate_joint, joint_radius
from survey.crosstab.permutation import permutation_p_value
from survey.crosstab.pooled_band import pooled_band
from survey.crosstab.strata import difference_of_pools, pool_strata, pooled_radius
from survey.crosstab.waves import difference_of_waves, pooled_interval

__all__ = [
    "Comparison",
    "Independence",
    "difference_of_pools",
    "difference_of_waves",
    "difference_within",
    "estimate_joint",
    "independence",
    "joint_radius",
    "odds_ratio_within",
    "permutation_p_value",
    "pool_strata",
    "pooled_band",
    "pooled_interval",
    "pooled_radius",
    "share_within",
]
