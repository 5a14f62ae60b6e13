"""Planners: each grows a tree of motions from the start towards the goal."""

from footwork.planning.planners.est import EST as EST
from footwork.planning.planners.kpiece import KPIECE1 as KPIECE1
from footwork.planning.planners.pdst import PDST as PDST
from footwork.planning.planners.planner import Planner as Planner
from footwork.planning.planners.projection import Projection as Projection
from footwork.planning.planners.projection import make_projection as make_projection
from footwork.planning.planners.rrt import RRT as RRT
from footwork.planning.planners.run import Progress as Progress
from footwork.planning.planners.sst import SST as SST
from footwork.planning.planners.syclop import SyclopEST as SyclopEST
from footwork.planning.planners.syclop import SyclopRRT as SyclopRRT
