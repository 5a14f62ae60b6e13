"""The world: same robot as the controller's, deterministic, with all its disturbances."""

import mujoco
import numpy as np
import pytest

from footwork.errors import InputError, ModelError
from footwork.robot import RobotModel, load
from footwork.simulation import Box, ImuErrors, Push, SensorNoise, SimulationConfig, Stairs
from footwork.simulation.meshes import read_collada_vertices
from footwork.simulation.world import MujocoWorld


@pytest.fixture(scope="module")
def go2() -> RobotModel:
    return load("go2")


def make(robot: RobotModel, **changes: object) -> MujocoWorld:
    return MujocoWorld(robot, SimulationConfig(**changes), robot.standing_configuration)  # type: ignore[arg-type]


def hold(world: MujocoWorld, robot: RobotModel, seconds: float) -> np.ndarray:
    """Stand by a stiff posture for a while; gives the base's way."""
    q0 = robot.standing_configuration[7:]
    way = []
    for _ in range(round(seconds / world.control_step)):
        reading = world.read()
        way.append(reading.q[:3].copy())
        torques = 80.0 * (q0 - reading.q[7:]) - 2.0 * reading.v[6:]
        world.write(np.clip(torques, -robot.effort_limits, robot.effort_limits))
    return np.array(way)


@pytest.mark.parametrize("name", ["g1", "talos", "jvrc1", "go2", "solo12"])
def test_dynamics_are_those_of_the_controllers_model(name: str) -> None:
    import pinocchio as pin

    robot = load(name)
    world = make(robot)
    reading = world.read()
    pin.crba(robot.pin_model, robot.pin_data, reading.q)
    M = np.triu(robot.pin_data.M) + np.triu(robot.pin_data.M, 1).T
    full = np.zeros((world.model.nv, world.model.nv))
    mujoco.mj_fullM(world.model, world.data, full)
    order = world._v_address
    assert np.abs(full[np.ix_(order, order)] - M[6:, 6:]).max() < 1e-5
    assert world.model.body_mass.sum() == pytest.approx(robot.mass, rel=1e-6)
    joints = [robot.joint_index(n) - 6 for n in robot.joint_names]
    limits = world.model.actuator_ctrlrange[world._motors, 1]
    finite = np.isfinite(robot.effort_limits)
    np.testing.assert_allclose(limits[finite], robot.effort_limits[joints][finite])


def test_links_collide_with_one_another_but_not_at_rest(go2: RobotModel) -> None:
    world = make(go2)
    robot_geoms = [g for g in range(world.model.ngeom) if world.model.geom_bodyid[g] > 0]
    assert len(robot_geoms) > 12
    feet = {int(g) for g in world._foot_geoms}
    assert {int(c.geom2) for c in world.data.contact} <= feet
    folded = go2.standing_configuration
    folded[7:] = np.tile([0.0, 2.5, -2.7], 4)
    folded[2] += 1.0
    self_contacts = MujocoWorld(go2, SimulationConfig(), folded).data.ncon
    assert MujocoWorld(go2, SimulationConfig(self_collision=False), folded).data.ncon == 0
    assert self_contacts >= 0


def test_is_deterministic_to_the_bit_and_reset_is_a_fresh_start(go2: RobotModel) -> None:
    noise = SensorNoise(joint_position=1e-3, joint_velocity=0.05, linear_velocity=0.05)
    world = make(go2, noise=noise, seed=3)
    first = hold(world, go2, 0.2)
    world.reset()
    again = hold(world, go2, 0.2)
    other = hold(make(go2, noise=noise, seed=3), go2, 0.2)
    different = hold(make(go2, noise=noise, seed=4), go2, 0.2)
    assert np.array_equal(first, again)
    assert np.array_equal(first, other)
    assert not np.array_equal(first, different)


def test_forces_on_the_feet_carry_the_weight(go2: RobotModel) -> None:
    world = make(go2)
    hold(world, go2, 2.0)
    total = world.read().foot_wrenches[:, :3].sum(axis=0)
    assert total[2] == pytest.approx(9.81 * go2.mass, rel=0.02)
    assert np.abs(total[:2]).max() < 2.0


def test_push_changes_the_momentum_by_its_impulse(go2: RobotModel) -> None:
    """In flight nothing else acts sideways."""
    q = go2.standing_configuration
    q[2] += 5.0
    push = Push(start=0.02, duration=0.1, force=(30.0, -20.0, 0.0))
    world = MujocoWorld(go2, SimulationConfig(pushes=(push,)), q)
    for _ in range(100):
        world.write(np.zeros(go2.nu))
    state = go2.state(world.read().q, world.read().v)
    assert state.momentum[:2] == pytest.approx([3.0, -2.0], abs=0.01)


def test_delay_holds_torques_back(go2: RobotModel) -> None:
    world = make(go2, delay=0.006)
    torques = np.linspace(1.0, 2.0, go2.nu)
    for k in range(4):
        world.write(torques)
        applied = world.data.ctrl[world._motors]
        assert np.array_equal(applied, torques if k == 3 else np.zeros(go2.nu))


def test_payload_friction_terrain_and_walls_are_in_the_model(go2: RobotModel) -> None:
    wall = Box(center=(1.0, 0.0, 0.5), half_size=(0.1, 0.5, 0.5))
    world = make(
        go2,
        payload=2.0,
        friction=0.4,
        terrain=Stairs(count=3),
        walls=(wall,),
        obstacles=((2.0, 0.0, 0.2, 1.0),),
    )
    names = [world.model.geom(g).name for g in range(world.model.ngeom)]
    assert {"ground_0", "ground_2", "wall_0", "obstacle_0", "floor"} <= set(names)
    assert world.model.body_mass.sum() == pytest.approx(go2.mass + 2.0, rel=1e-6)
    assert world.model.geom("floor").friction[0] == 0.4


def test_torques_that_are_not_numbers_do_not_move_the_world(go2: RobotModel) -> None:
    world = make(go2)
    before = world.data.qpos.copy()
    for bad in (np.full(go2.nu, np.nan), np.zeros(3)):
        with pytest.raises(InputError, match="torques: expected 12 finite numbers"):
            world.write(bad)
    assert np.array_equal(world.data.qpos, before)


def test_a_robot_without_an_entry_is_refused() -> None:
    robot = load("go2")
    robot.entry = None
    with pytest.raises(ModelError, match="needs a URDF and a zoo entry"):
        MujocoWorld(robot, SimulationConfig(), np.zeros(19))


def test_collada_meshes_give_their_vertices(tmp_path: object) -> None:
    from pathlib import Path

    text = """<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema">
      <asset><unit meter="0.01"/></asset>
      <library_geometries><geometry id="g"><mesh>
        <source id="p"><float_array id="a" count="6">0 0 0 100 0 0</float_array></source>
        <vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
      </mesh></geometry></library_geometries>
      <library_visual_scenes><visual_scene id="s"><node>
        <matrix>1 0 0 0 0 1 0 200 0 0 1 0 0 0 0 1</matrix><instance_geometry url="#g"/>
      </node></visual_scene></library_visual_scenes></COLLADA>"""
    path = Path(str(tmp_path)) / "a.dae"
    path.write_text(text)
    assert read_collada_vertices(path).tolist() == [[0.0, 2.0, 0.0], [1.0, 2.0, 0.0]]
    path.write_text(text.replace("<matrix>1", "<translate>0 0 0</translate><matrix>1"))
    with pytest.raises(ModelError, match="<translate>"):
        read_collada_vertices(path)
    path.write_text("no")
    with pytest.raises(ModelError, match="not a readable COLLADA"):
        read_collada_vertices(path)


def test_imu_errs_as_it_is_said_and_the_same_for_a_seed(go2: RobotModel) -> None:
    imu = ImuErrors(gyro=0.01, gyro_bias=0.05, acceleration=0.2, acceleration_bias=0.5)
    world = make(go2, imu=imu, seed=4)
    gyros = np.array([world.read().gyro.copy() for _ in range(500)])
    forces = np.array([world.read().accelerometer.copy() for _ in range(500)])
    assert gyros.std(axis=0) == pytest.approx([0.01] * 3, rel=0.15)
    assert forces.std(axis=0) == pytest.approx([0.2] * 3, rel=0.15)
    exact = make(go2, imu=ImuErrors(gyro=0, gyro_bias=0, acceleration=0, acceleration_bias=0))
    reading = exact.read()
    assert np.array_equal(reading.gyro, reading.v[3:6])
    biases = np.array([make(go2, imu=imu, seed=s)._imu_bias for s in range(8)])
    assert biases[:, :3].std() == pytest.approx(0.05, rel=0.5)
    assert biases[:, 3:].std() == pytest.approx(0.5, rel=0.5)
    assert np.array_equal(make(go2, imu=imu, seed=4)._imu_bias, world._imu_bias)
    with pytest.raises(InputError, match="imu: gyro must be finite"):
        ImuErrors(gyro=-1.0)


def test_accelerometer_tells_the_change_of_velocity_between_readings(go2: RobotModel) -> None:
    """v⁺ = v + (R a + g) dt to within the turning of the base in a control step, impacts too."""
    silent = ImuErrors(gyro=0.0, gyro_bias=0.0, acceleration=0.0, acceleration_bias=0.0)
    q = go2.standing_configuration
    q[2] += 0.02
    world = MujocoWorld(go2, SimulationConfig(imu=silent), q)
    velocity = np.zeros(3)
    for _ in range(100):
        world.write(np.zeros(go2.nu))
        R = world.data.xmat[world._base].reshape(3, 3)
        velocity += (R @ world.read().accelerometer + [0.0, 0.0, -9.81]) * world.control_step
    assert velocity == pytest.approx(world.data.qvel[:3], abs=0.02)


def test_a_loaded_sole_hardly_creeps() -> None:
    robot = load("g1")
    world = MujocoWorld(robot, SimulationConfig(), robot.standing_configuration)
    q0 = robot.standing_configuration[7:]
    world.data.xfrc_applied[world._base, 1] = 25.0
    for _ in range(400):
        reading = world.read()
        torques = 400.0 * (q0 - reading.q[7:]) - 8.0 * reading.v[6:]
        world.write(np.clip(torques, -robot.effort_limits, robot.effort_limits))
        if world.time == pytest.approx(0.2):
            before = world.data.xpos[world._foot_bodies].copy()
    assert np.abs(world.data.xpos[world._foot_bodies] - before)[:, :2].max() < 2e-3
