"""Humanoids of the zoo."""

from math import pi

from footwork.robot.zoo.entry import FootGeometry, ZooEntry
from footwork.spatial import Pose

ERD = "example-robot-data"
SHARE = "cmeel.prefix/share"
ROBOTS = f"{SHARE}/example-robot-data/robots"
MESHES = (SHARE, ROBOTS)


def g1() -> ZooEntry:
    """Unitree G1 with 29 joints, hands fixed.

    Returns:
        The entry.
    """
    sole = "collision spheres of the URDF: centres x −0.05…0.12, y ±0.025 m, bottoms z −0.035 m"
    return ZooEntry(
        name="g1",
        title="Unitree G1, 29 joints",
        kind="humanoid",
        package=ERD,
        file=f"{ROBOTS}/g1_description/urdf/g1_29dof_rev_1_0.urdf",
        mesh_folders=MESHES,
        base="pelvis",
        frames={
            "torso": ("torso_link", Pose.identity()),
            "head": ("head_link", Pose.identity()),
            "left_hand": ("left_rubber_hand", Pose.identity()),
            "right_hand": ("right_rubber_hand", Pose.identity()),
        },
        feet=tuple(
            _flat(side, f"{side}_ankle_roll_link", (0.035, 0.0, -0.035), (0.085, 0.025), sole)
            for side in ("left", "right")
        ),
        # Reflected inertias of the motors 7520-14, 7520-22, 5020 and 4010; two 5020 work in
        # parallel in the ankles and in the waist's roll and pitch.
        armature={
            "*_hip_pitch_joint": 0.010177520,
            "*_hip_yaw_joint": 0.010177520,
            "waist_yaw_joint": 0.010177520,
            "*_hip_roll_joint": 0.025101925,
            "*_knee_joint": 0.025101925,
            "*_ankle_*_joint": 2 * 0.003609725,
            "waist_*_joint": 2 * 0.003609725,
            "*_wrist_pitch_joint": 0.00425,
            "*_wrist_yaw_joint": 0.00425,
            "*": 0.003609725,
        },
        posture=_both(
            {
                "{side}_hip_pitch_joint": -0.35,
                "{side}_knee_joint": 0.7,
                "{side}_ankle_pitch_joint": -0.35,
                "{side}_shoulder_pitch_joint": 0.2,
                "{side}_elbow_joint": 0.6,
            },
            ("left", "right"),
        )
        | {"left_shoulder_roll_joint": 0.2, "right_shoulder_roll_joint": -0.2},
        sources={
            "feet": sole,
            "armature": "reflected inertias of Unitree's motors, as in mjlab and the menagerie",
            "effort_limits": "the URDF: 35 N m at the ankles, where newer MJCF files have 50",
            "posture": "ours: knees bent by 0.7 rad, soles level",
        },
        licence="BSD-3-Clause",
    )


def talos() -> ZooEntry:
    """PAL Robotics TALOS, grippers reduced to one joint.

    Returns:
        The entry.
    """
    sole = "flat part of the foot's collision mesh, x −0.111…0.100, y ±0.062 m, rounded inwards"
    return ZooEntry(
        name="talos",
        title="PAL Robotics TALOS (reduced)",
        kind="humanoid",
        package=ERD,
        file=f"{ROBOTS}/talos_data/robots/talos_reduced.urdf",
        mesh_folders=MESHES,
        base="base_link",
        frames={
            "torso": ("torso_2_link", Pose.identity()),
            "head": ("head_2_link", Pose.identity()),
            "left_hand": ("gripper_left_base_link", Pose.identity()),
            "right_hand": ("gripper_right_base_link", Pose.identity()),
        },
        feet=tuple(
            _flat(side, f"leg_{side}_6_link", (0.0, 0.0, -0.107), (0.10, 0.06), sole)
            for side in ("left", "right")
        ),
        armature={"leg_*": 0.1, "arm_*": 0.1, "head_*": 0.1},
        posture=_both(
            {
                "leg_{side}_3_joint": -0.411354,
                "leg_{side}_4_joint": 0.859395,
                "leg_{side}_5_joint": -0.448041,
                "arm_{side}_4_joint": -0.525366,
                "arm_{side}_7_joint": 0.1,
                "gripper_{side}_joint": -0.5,
            },
            ("left", "right"),
        )
        | {
            "arm_left_1_joint": 0.25847,
            "arm_left_2_joint": 0.173046,
            "arm_right_1_joint": -0.25847,
            "arm_right_2_joint": -0.173046,
            "torso_2_joint": 0.006761,
        },
        sources={
            "feet": sole,
            "armature": "SRDF: rotor 1e-5 kg m² times the square of the gear, 100",
            "effort_limits": "the URDF",
            "posture": "half_sitting of the SRDF; ankles' roll 0 so that the soles are level",
        },
        licence="Apache-2.0",
    )


def jvrc1() -> ZooEntry:
    """JVRC-1, the virtual humanoid of the Japan Virtual Robotics Challenge.

    Returns:
        The entry.
    """
    sole = "flat part of the foot's mesh, x −0.075…0.150, y ±0.042, z −0.1077 m"
    side_posture = {
        "{side}_HIP_P": -0.4,
        "{side}_KNEE": 0.8,
        "{side}_ANKLE_P": -0.4,
        "{side}_ELBOW_P": -0.5,
    }
    return ZooEntry(
        name="jvrc1",
        title="JVRC-1",
        kind="humanoid",
        package="jvrc-description",
        file="jvrc_description/urdf/jvrc1.urdf",
        mesh_folders=(".",),
        mimic=False,
        base="PELVIS_S",
        frames={
            "torso": ("WAIST_R_S", Pose.identity()),
            "head": ("NECK_P_S", Pose.identity()),
            "left_hand": ("l_wrist", Pose.identity()),
            "right_hand": ("r_wrist", Pose.identity()),
        },
        feet=tuple(
            _flat(side, link, (0.0375, 0.0, -0.1077), (0.1125, 0.042), sole)
            for side, link in (("left", "L_ANKLE_P_S"), ("right", "R_ANKLE_P_S"))
        ),
        posture=_both(side_posture, ("L", "R")) | {"L_SHOULDER_R": 0.2, "R_SHOULDER_R": -0.2},
        sources={
            "feet": sole,
            "armature": "zero; jvrc_mj_description has 0.05 to 0.19 kg m² for legs, waist and arms",
            "effort_limits": "the URDF, 100 N m everywhere",
            "posture": "ours: knees bent by 0.8 rad, soles level",
        },
        licence="Apache-2.0",
    )


def icub() -> ZooEntry:
    """IIT iCub, neck fixed. Its first link looks backwards; the alias "base" looks forward.

    Returns:
        The entry.
    """
    sole = "foot mesh of the URDF, its y-up axes applied: x −0.025…0.127, y ±0.028 m from l_sole"
    side_posture = {
        "{side}_hip_pitch": 0.5,
        "{side}_knee": -0.8,
        "{side}_ankle_pitch": -0.3,
        "{side}_shoulder_roll": 0.35,
        "{side}_shoulder_yaw": 0.5,
        "{side}_elbow": 0.5,
    }
    return ZooEntry(
        name="icub",
        title="IIT iCub (reduced)",
        kind="humanoid",
        package=ERD,
        file=f"{ROBOTS}/icub_description/robots/icub_reduced.urdf",
        mesh_folders=MESHES,
        base="root_link",
        base_quaternion_xyzw=(0.0, 0.0, 1.0, 0.0),
        frames={
            "torso": ("chest", Pose.from_rpy([0.0, 0.0, 0.0], [-pi / 2, 0.0, 0.0])),
            "head": ("head", Pose.identity()),
            "left_hand": ("l_hand", Pose.identity()),
            "right_hand": ("r_hand", Pose.identity()),
        },
        feet=tuple(
            _flat(side, link, (0.051, 0.0, 0.0), (0.076, 0.028), sole)
            for side, link in (("left", "l_sole"), ("right", "r_sole"))
        ),
        posture=_both(side_posture, ("l", "r")),
        sources={
            "feet": sole,
            "armature": "none known; zero",
            "effort_limits": "the URDF",
            "posture": "arms of the SRDF's half_sitting; knees bent by 0.8 rad, soles level (ours)",
        },
        licence="CC-BY-SA-4.0",
    )


def _flat(
    side: str,
    link: str,
    centre: tuple[float, float, float],
    half: tuple[float, float],
    source: str,
) -> FootGeometry:
    """A rectangular sole around its centre."""
    return FootGeometry(
        name=f"{side}_foot",
        link=link,
        T_link_foot=Pose(centre),
        length_front=half[0],
        length_back=half[0],
        width_left=half[1],
        width_right=half[1],
        source=source,
    )


def _both(posture: dict[str, float], sides: tuple[str, str]) -> dict[str, float]:
    """The same positions on both sides."""
    return {name.format(side=side): value for side in sides for name, value in posture.items()}
