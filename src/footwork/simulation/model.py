"""A MuJoCo model of a robot on its ground, from the same source that Pinocchio reads.

The URDF is read without its geometry, which is then added link by link: so mesh names cannot clash,
COLLADA meshes can be used (their hulls), and the soles are those of the robot's entry.
"""

from pathlib import Path
from typing import Any, Final
from xml.etree import ElementTree

import mujoco
import numpy as np

from footwork.errors import ModelError
from footwork.robot import FootGeometry, RobotModel, ZooEntry
from footwork.simulation.config import SimulationConfig
from footwork.simulation.meshes import read_collada_vertices
from footwork.spatial import Pose
from footwork.typing import Vector

HULL_VERTICES: Final = 64
"""Most vertices of a mesh's convex hull: collision cost grows with them."""
GROUND_GROUP: Final = 1
OBSTACLE_GROUP: Final = 2
SOLE_HEIGHT: Final = 0.02
SOLE_SOFTNESS: Final = 0.005
"""Time constant of a contact under a sole [s]: a hard floor under a few millimetres of rubber.

MuJoCo's own 0.02 s lets a loaded sole creep and rock at some centimetres a second."""
FRICTION_STIFFNESS: Final = 10.0
"""Of friction against normal force, with elliptic cones: keeps loaded soles from creeping."""
COMPILER: Final = {
    "strippath": "false",
    "fusestatic": "false",
    "inertiafromgeom": "false",
    "balanceinertia": "true",
    "discardvisual": "false",
    "boundmass": "1e-6",
    "boundinertia": "1e-9",
}


def build_model(robot: RobotModel, config: SimulationConfig) -> Any:
    """Build and compile the world: robot, ground, obstacles, motors.

    Args:
        robot: A robot of the zoo, or with an entry of the user's own.
        config: The world.

    Returns:
        A ``mujoco.MjModel``.

    Raises:
        ModelError: If the robot has no entry, or a link, joint or mesh is missing.
    """
    entry = robot.entry
    if entry is None or robot.source is None or not entry.is_urdf or not entry.feet:
        raise ModelError(
            f"robot {robot.name!r}: the simulation needs a URDF and a zoo entry with feet"
        )
    bare, geometry = _split_urdf(Path(robot.source))
    spec = _parse(bare, robot.name)
    base = spec.worldbody.bodies[0]
    base.add_freejoint(name="root_joint")
    _add_motors(spec, robot)
    feet = {foot.link for foot in entry.feet}
    for link, elements in geometry.items():
        if link not in feet:
            for i, element in enumerate(elements):
                _add_collision(spec, entry, link, i, element)
    for i, foot in enumerate(entry.feet):
        _add_foot(spec, i, foot, config)
    if config.self_collision:
        for first, second in _touching_links(spec, entry):
            spec.add_exclude(bodyname1=first, bodyname2=second)
    else:
        for geom in spec.geoms:
            geom.contype, geom.conaffinity = 1, 2
    _add_ground(spec, config)
    base.add_site(name="imu", pos=[0.0, 0.0, 0.0])
    imu = mujoco.mjtSensor.mjSENS_ACCELEROMETER
    spec.add_sensor(name="accelerometer", type=imu, objtype=mujoco.mjtObj.mjOBJ_SITE, objname="imu")
    return _finish(spec, entry, config)


def _parse(text: str, name: str) -> Any:
    try:
        return mujoco.MjSpec.from_string(text)
    except ValueError as error:
        raise ModelError(f"robot {name!r}: MuJoCo cannot read it ({error})") from error


def _split_urdf(path: Path) -> tuple[str, dict[str, list[ElementTree.Element]]]:
    """Split a URDF into a text without geometry and the collision elements of each link."""
    try:
        root = ElementTree.parse(path).getroot()
    except (OSError, ElementTree.ParseError) as error:
        raise ModelError(f"{path}: not a readable URDF ({error})") from error
    geometry: dict[str, list[ElementTree.Element]] = {}
    for link in root.findall("link"):
        geometry[link.get("name", "")] = link.findall("collision")
        for element in link.findall("visual") + link.findall("collision"):
            link.remove(element)
    for old in root.findall("mujoco"):
        root.remove(old)
    ElementTree.SubElement(ElementTree.SubElement(root, "mujoco"), "compiler", COMPILER)
    return ElementTree.tostring(root, encoding="unicode"), geometry


def _add_motors(spec: Any, robot: RobotModel) -> None:
    """One motor a joint, with the limits and rotor inertias that the controller knows of."""
    known = {joint.name: joint for joint in spec.joints}
    for name in robot.joint_names:
        index = robot.joint_index(name)
        known[name].armature = float(robot.armature[index])
        motor = spec.add_actuator(name=name, target=name, trntype=mujoco.mjtTrn.mjTRN_JOINT)
        motor.set_to_motor()
        limit = float(robot.effort_limits[index - 6])
        if np.isfinite(limit):
            motor.ctrlrange = motor.forcerange = [-limit, limit]
            motor.ctrllimited = motor.forcelimited = True


def _add_collision(
    spec: Any, entry: ZooEntry, link: str, index: int, element: ElementTree.Element
) -> None:
    holder = element.find("geometry")
    shape = holder[0] if holder is not None and len(holder) else None
    if shape is None:
        raise ModelError(f"robot {entry.name!r}: link {link!r} has a collision without geometry")
    origin = element.find("origin")
    xyz = _numbers(origin, "xyz", 3)
    geom: dict[str, Any] = {
        "name": f"{link}_{index}",
        "pos": xyz,
        "quat": _quaternion_wxyz(_numbers(origin, "rpy", 3)),
        "mass": 0.0,
    }
    if shape.tag == "box":
        geom |= {"type": mujoco.mjtGeom.mjGEOM_BOX, "size": 0.5 * _numbers(shape, "size", 3)}
    elif shape.tag == "sphere":
        radius = _numbers(shape, "radius", 1)[0]
        geom |= {"type": mujoco.mjtGeom.mjGEOM_SPHERE, "size": [radius, 0.0, 0.0]}
    elif shape.tag in {"cylinder", "capsule"}:
        kind = mujoco.mjtGeom.mjGEOM_CYLINDER
        if shape.tag == "capsule":
            kind = mujoco.mjtGeom.mjGEOM_CAPSULE
        radius, length = _numbers(shape, "radius", 1)[0], _numbers(shape, "length", 1)[0]
        geom |= {"type": kind, "size": [radius, 0.5 * length, 0.0]}
    else:
        name = f"{link}_{index}_mesh"
        _add_mesh(spec, entry, name, shape)
        geom |= {"type": mujoco.mjtGeom.mjGEOM_MESH, "meshname": name}
    spec.body(link).add_geom(**geom)


def _add_mesh(spec: Any, entry: ZooEntry, name: str, shape: ElementTree.Element) -> None:
    path = _resolve(shape.get("filename", ""), entry)
    scale = _numbers(shape, "scale", 3, default=1.0)
    if path.suffix.lower() == ".dae":
        vertices = read_collada_vertices(path)
        spec.add_mesh(name=name, uservert=vertices.ravel(), scale=scale, maxhullvert=HULL_VERTICES)
    else:
        spec.add_mesh(name=name, file=str(path), scale=scale, maxhullvert=HULL_VERTICES)


def _resolve(filename: str, entry: ZooEntry) -> Path:
    relative = filename.removeprefix("package://").removeprefix("file://").lstrip("/")
    if not filename.startswith("package://"):
        near = entry.path.parent / filename.removeprefix("file://")
        if near.is_file():
            return near
    for folder in entry.package_dirs:
        if (folder / relative).is_file():
            return folder / relative
    looked = ", ".join(str(folder) for folder in entry.package_dirs)
    raise ModelError(f"robot {entry.name!r}: mesh {filename!r} is not below {looked}")


def _add_foot(spec: Any, index: int, foot: FootGeometry, config: SimulationConfig) -> None:
    """The sole as a thin box whose bottom is the foot's plane, or the ball of a point foot."""
    x, y, z, w = foot.T_link_foot.quaternion_xyzw
    geom: dict[str, Any] = {
        "name": f"sole_{index}",
        "quat": [w, x, y, z],
        "mass": 0.0,
        "friction": _friction(config),
        "condim": 3,
        "solref": [SOLE_SOFTNESS, 1.0],
        "priority": 1,
    }
    if foot.is_point:
        size = [max(foot.radius, 1e-3), 0.0, 0.0]
        geom |= {"type": mujoco.mjtGeom.mjGEOM_SPHERE, "size": size}
        geom["pos"] = foot.T_link_foot.translation
    else:
        length = foot.length_front + foot.length_back
        width = foot.width_left + foot.width_right
        size = [0.5 * length, 0.5 * width, 0.5 * SOLE_HEIGHT]
        centre = [length * 0.5 - foot.length_back, width * 0.5 - foot.width_right, size[2]]
        geom |= {"type": mujoco.mjtGeom.mjGEOM_BOX, "size": size}
        geom["pos"] = foot.T_link_foot.act(centre)
    spec.body(foot.link).add_geom(**geom)


def _touching_links(spec: Any, entry: ZooEntry) -> list[tuple[str, str]]:
    """List pairs of links that are not to collide.

    These are pairs that already touch in the standing posture or in the model's zero posture (their
    meshes overlap by design), and pairs with one joint between them at either side (hip links).
    """
    model = spec.compile()
    data = mujoco.MjData(model)
    pairs = set()
    for posture in (entry.posture, {}):
        mujoco.mj_resetData(model, data)
        for name, angle in posture.items():
            data.qpos[model.joint(name).qposadr[0]] = angle
        mujoco.mj_forward(model, data)
        for contact in data.contact:
            first, second = model.geom_bodyid[contact.geom]
            pairs.add((int(min(first, second)), int(max(first, second))))
    for body in range(2, model.nbody):
        up = _moving_parent(model, _moving_parent(model, body))
        pairs |= {
            (min(a, b), max(a, b))
            for a in _welded(model, up)
            for b in _welded(model, int(model.body_weldid[body]))
            if up > 0
        }
    return [(model.body(a).name, model.body(b).name) for a, b in sorted(pairs)]


def _moving_parent(model: Any, body: int) -> int:
    """Find the link that a link's own joint hangs from, as the root of its rigid group."""
    return int(model.body_weldid[model.body_parentid[model.body_weldid[body]]])


def _welded(model: Any, root: int) -> list[int]:
    return [int(i) for i in np.flatnonzero(model.body_weldid == root) if i > 0]


def _add_ground(spec: Any, config: SimulationConfig) -> None:
    shared = {"friction": _friction(config), "condim": 3, "group": GROUND_GROUP}
    if not config.self_collision:
        shared |= {"contype": 2, "conaffinity": 1}
    plane = mujoco.mjtGeom.mjGEOM_PLANE
    floor = [0.0, 0.0, config.terrain.floor]
    spec.worldbody.add_geom(name="floor", type=plane, size=[0, 0, 0.05], pos=floor, **shared)
    ground = [(f"ground_{i}", box) for i, box in enumerate(config.terrain.boxes(config.seed))]
    ground += [(f"wall_{i}", box) for i, box in enumerate(config.walls)]
    for name, box in ground:
        spec.worldbody.add_geom(
            name=name,
            type=mujoco.mjtGeom.mjGEOM_BOX,
            size=list(box.half_size),
            pos=list(box.center),
            quat=[np.cos(0.5 * box.pitch), 0.0, np.sin(0.5 * box.pitch), 0.0],
            **shared,
        )
    for i, (x, y, radius, height) in enumerate(config.obstacles):
        spec.worldbody.add_geom(
            name=f"obstacle_{i}",
            type=mujoco.mjtGeom.mjGEOM_CYLINDER,
            size=[radius, 0.5 * height, 0.0],
            pos=[x, y, 0.5 * height],
            **(shared | {"group": OBSTACLE_GROUP}),
        )


def _finish(spec: Any, entry: ZooEntry, config: SimulationConfig) -> Any:
    try:
        model = spec.compile()
    except ValueError as error:
        raise ModelError(f"robot {entry.name!r}: MuJoCo cannot build it ({error})") from error
    model.opt.timestep = config.step
    model.opt.cone = mujoco.mjtCone.mjCONE_ELLIPTIC
    model.opt.impratio = FRICTION_STIFFNESS
    model.opt.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    if config.mass_factor != 1.0:
        model.body_mass[:] *= config.mass_factor
        model.body_inertia[:] *= config.mass_factor
    if config.payload > 0.0:
        body = model.body(_torso_of(entry)).id
        model.body_mass[body] += config.payload
    mujoco.mj_setConst(model, mujoco.MjData(model))
    return model


def _friction(config: SimulationConfig) -> list[float]:
    return [config.friction, 0.005, 0.0001]


def _numbers(
    element: ElementTree.Element | None, name: str, count: int, *, default: float = 0.0
) -> Vector:
    text = element.get(name) if element is not None else None
    return np.full(count, default) if text is None else np.array(text.split(), dtype=np.float64)


def _quaternion_wxyz(rpy: Vector) -> list[float]:
    x, y, z, w = Pose.from_rpy([0.0, 0.0, 0.0], rpy).quaternion_xyzw
    return [w, x, y, z]


def _torso_of(entry: ZooEntry) -> str:
    return entry.frames["torso"][0] if "torso" in entry.frames else entry.base
