"""From a goal to joint torques: base motion, footsteps, contacts, gait, whole-body control."""

from footwork.walking.base_motion import BaseMotion as BaseMotion
from footwork.walking.command import Command as Command
from footwork.walking.config import FeedbackConfig as FeedbackConfig
from footwork.walking.config import GaitConfig as GaitConfig
from footwork.walking.config import StepLimits as StepLimits
from footwork.walking.config import TaskConfig as TaskConfig
from footwork.walking.config import WalkingConfig as WalkingConfig
from footwork.walking.footsteps import Footstep as Footstep
from footwork.walking.footsteps import StepSequence as StepSequence
from footwork.walking.footsteps import plan_footsteps as plan_footsteps
from footwork.walking.footsteps import read_phases as read_phases
from footwork.walking.footsteps import schedule as schedule
from footwork.walking.interface import Driver as Driver
from footwork.walking.interface import Measurement as Measurement
from footwork.walking.pipeline import walk as walk
from footwork.walking.planning import WalkPlan as WalkPlan
from footwork.walking.planning import plan_walk as plan_walk
from footwork.walking.request import WalkRequest as WalkRequest
from footwork.walking.request import read_request as read_request
from footwork.walking.robots import config_for as config_for
from footwork.walking.robots import derive as derive
from footwork.walking.standing import standing_posture as standing_posture
from footwork.walking.verdict import Verdict as Verdict
from footwork.walking.verdict import WalkResult as WalkResult
