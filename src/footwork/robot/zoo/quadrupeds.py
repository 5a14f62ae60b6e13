"""Quadrupeds of the zoo."""

from footwork.robot.zoo.entry import FootGeometry, ZooEntry
from footwork.robot.zoo.humanoids import ERD, MESHES, ROBOTS
from footwork.spatial import Pose

LEGS = ("front_left", "front_right", "hind_left", "hind_right")


def go2() -> ZooEntry:
    """Unitree Go2.

    Returns:
        The entry.
    """
    sphere = "foot spheres of the menagerie's Go2: radius 0.022 m, 2 mm behind the foot link"
    return ZooEntry(
        name="go2",
        title="Unitree Go2",
        kind="quadruped",
        package=ERD,
        file=f"{ROBOTS}/go2_description/urdf/go2.urdf",
        mesh_folders=MESHES,
        base="base",
        frames={"torso": ("base", Pose.identity())},
        feet=_points(
            ("FL_foot", "FR_foot", "RL_foot", "RR_foot"), (-0.002, 0.0, 0.0), 0.022, sphere
        ),
        armature={"*": 0.01},
        posture={
            f"{leg}_{joint}_joint": value
            for leg, side in (("FL", 1.0), ("FR", -1.0), ("RL", 1.0), ("RR", -1.0))
            for joint, value in (("hip", 0.068 * side), ("thigh", 0.785), ("calf", -1.44))
        },
        sources={
            "feet": sphere,
            "armature": "the menagerie's Go2",
            "effort_limits": "the URDF",
            "posture": "standing of the SRDF",
        },
        licence="MPL-2.0",
    )


def anymal_c() -> ZooEntry:
    """ANYbotics ANYmal C.

    Returns:
        The entry.
    """
    sphere = "foot spheres of the URDF: radius 0.03 m, 22.5 mm above the foot link"
    return ZooEntry(
        name="anymal_c",
        title="ANYbotics ANYmal C",
        kind="quadruped",
        package=ERD,
        file=f"{ROBOTS}/anymal_c_simple_description/urdf/anymal.urdf",
        mesh_folders=MESHES,
        base="base",
        frames={"torso": ("base", Pose.identity())},
        feet=_points(
            ("LF_FOOT", "RF_FOOT", "LH_FOOT", "RH_FOOT"), (0.0, 0.0, 0.0225), 0.03, sphere
        ),
        posture={
            f"{leg}_{joint}": value
            for leg, haa, bend in (
                ("LF", -0.1, 1.0),
                ("RF", 0.1, 1.0),
                ("LH", -0.1, -1.0),
                ("RH", 0.1, -1.0),
            )
            for joint, value in (("HAA", haa), ("HFE", 0.7 * bend), ("KFE", -1.0 * bend))
        },
        sources={
            "feet": sphere,
            "armature": "none known (the menagerie's ANYmal C has none either); zero",
            "effort_limits": "the URDF",
            "posture": "standing of the SRDF",
        },
        licence="BSD-3-Clause",
    )


def solo12() -> ZooEntry:
    """ODRI Solo12.

    Returns:
        The entry.
    """
    sphere = "foot mesh of the URDF: a disc of radius 0.016 m"
    return ZooEntry(
        name="solo12",
        title="ODRI Solo12",
        kind="quadruped",
        package=ERD,
        file=f"{ROBOTS}/solo_description/robots/solo12.urdf",
        mesh_folders=MESHES,
        base="base_link",
        frames={"torso": ("base_link", Pose.identity())},
        feet=_points(("FL_FOOT", "FR_FOOT", "HL_FOOT", "HR_FOOT"), (0.0, 0.0, 0.0), 0.016, sphere),
        armature={"*": 4.5e-6 * 9.0**2},
        effort_limits={"*": 2.7},
        posture={
            f"{leg}_{joint}": value
            for leg, haa, bend in (
                ("FL", 0.1, 1.0),
                ("FR", -0.1, 1.0),
                ("HL", 0.1, -1.0),
                ("HR", -0.1, -1.0),
            )
            for joint, value in (("HAA", haa), ("HFE", 0.8 * bend), ("KFE", -1.6 * bend))
        },
        sources={
            "feet": sphere,
            "armature": "robot_properties_solo: rotor 4.5e-6 kg m² times the square of the gear, 9",
            "effort_limits": "12 A × 0.025 N m/A × gear 9 (robot_properties_solo; the actuator "
            "module's page measures 2.5 N m at 12 A; grimminger2020solo); the URDF has 1000",
            "posture": "standing of the SRDF",
        },
        licence="BSD-3-Clause",
    )


def _points(
    links: tuple[str, str, str, str],
    centre: tuple[float, float, float],
    radius: float,
    source: str,
) -> tuple[FootGeometry, ...]:
    """Four point feet, in the order of `LEGS`."""
    return tuple(
        FootGeometry(
            name=f"{leg}_foot", link=link, T_link_foot=Pose(centre), radius=radius, source=source
        )
        for leg, link in zip(LEGS, links, strict=True)
    )
