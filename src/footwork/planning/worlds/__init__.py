"""What is in the robot's way, and the outline of the robot."""

from footwork.planning.worlds.chain import Body as Body
from footwork.planning.worlds.chain import Chain as Chain
from footwork.planning.worlds.footprints import Disc as Disc
from footwork.planning.worlds.footprints import Footprint as Footprint
from footwork.planning.worlds.footprints import Outline as Outline
from footwork.planning.worlds.footprints import Rectangle as Rectangle
from footwork.planning.worlds.grid import OccupancyGrid as OccupancyGrid
from footwork.planning.worlds.plane import Boxes as Boxes
from footwork.planning.worlds.plane import Circles as Circles
from footwork.planning.worlds.plane import OrientedBoxes as OrientedBoxes
from footwork.planning.worlds.plane import Polygons as Polygons
from footwork.planning.worlds.plane import UnionOfWorlds as UnionOfWorlds
from footwork.planning.worlds.plane_world import PlaneWorld as PlaneWorld
from footwork.planning.worlds.protocol import World as World
from footwork.planning.worlds.space import Cuboids as Cuboids
from footwork.planning.worlds.space import SpaceWorld as SpaceWorld
from footwork.planning.worlds.space import Spheres as Spheres
from footwork.planning.worlds.space import UnionOfSpaceWorlds as UnionOfSpaceWorlds
