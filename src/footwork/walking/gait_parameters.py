"""A configuration as the numbers that the kernels of the gait read."""

from math import sqrt
from typing import Final

from footwork.robot import ZooEntry
from footwork.walking._kernels.layout import GaitParameters
from footwork.walking.config import GRAVITY, WalkingConfig

RELEASE: Final = 0.5
"""Part of the touch-down force below which a foot is off the ground again."""
RESIDUAL_WEIGHT: Final = 30.0
"""Of what no step makes up for, in the search for the time of landing; a shift sideways has 1."""
TIME_WEIGHT: Final = 0.1
"""Of landing earlier than planned, in the same search [m²/s²]."""
SPEED_WEIGHT: Final = 0.05
"""Of swinging a foot too fast, in the same search [s²]."""


def parameters_of(config: WalkingConfig, entry: ZooEntry) -> GaitParameters:
    """Flatten a configuration for the kernels.

    Args:
        config: Of the walk.
        entry: Gives the feet.

    Returns:
        The numbers.
    """
    gait, limits, feedback = config.gait, config.limits, config.feedback
    foot = entry.feet[0]
    part = feedback.sole_fraction
    return GaitParameters(
        omega=sqrt(GRAVITY / gait.com_height),
        com_height=gait.com_height,
        dcm_gain=feedback.dcm_gain,
        smoothing=feedback.smoothing,
        height_stiffness=feedback.height_stiffness,
        height_damping=feedback.height_damping,
        half_length=part * 0.5 * (foot.length_front + foot.length_back),
        half_width=part * 0.5 * (foot.width_left + foot.width_right),
        cop_forward=gait.cop_forward,
        cop_inward=gait.cop_inward,
        forward_margin=feedback.margin[0],
        lateral_margin=feedback.margin[1],
        push_memory=feedback.push_memory,
        least_push=feedback.least_push,
        freeze_time=feedback.freeze_time,
        late_error=feedback.late_error,
        min_swing=feedback.min_swing,
        min_remaining=feedback.min_remaining,
        max_forward=limits.forward,
        min_lateral=limits.recovery_width[0],
        max_lateral=limits.recovery_width[1],
        max_shift=feedback.max_shift,
        correction_forward=feedback.correction[0],
        correction_lateral=feedback.correction[1],
        correction_yaw=feedback.correction[2],
        swing_height=gait.swing_height,
        apex_fraction=gait.apex_fraction,
        landing_velocity=gait.landing_velocity,
        early_fraction=feedback.early_fraction,
        late_time=feedback.late_time,
        touchdown_force=feedback.touchdown_force,
        release_force=RELEASE * feedback.touchdown_force,
        residual_weight=RESIDUAL_WEIGHT,
        time_weight=TIME_WEIGHT,
        speed_weight=SPEED_WEIGHT,
        max_swing_speed=feedback.max_swing_speed,
        is_biped=float(len(entry.feet) == 2),
        adjusts_steps=float(feedback.adjusts_steps),
        adjusts_timing=float(feedback.adjusts_timing),
    )
