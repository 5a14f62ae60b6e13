"""Fixed arms of the zoo."""

from footwork.robot.zoo.entry import ZooEntry
from footwork.robot.zoo.humanoids import ERD, MESHES, ROBOTS
from footwork.spatial import Pose


def panda() -> ZooEntry:
    """Franka Emika Panda with its gripper; one finger follows the other.

    Returns:
        The entry.
    """
    return ZooEntry(
        name="panda",
        title="Franka Emika Panda",
        kind="arm",
        package=ERD,
        file=f"{ROBOTS}/panda_description/urdf/panda.urdf",
        mesh_folders=MESHES,
        floating_base=False,
        base="panda_link0",
        frames={"hand": ("panda_hand_tcp", Pose.identity())},
        armature={"panda_joint*": 0.1},
        posture={
            "panda_joint2": -0.785398,
            "panda_joint4": -2.35619,
            "panda_joint6": 1.5707,
            "panda_joint7": 0.785398,
            "panda_finger_joint1": 0.02,
        },
        sources={
            "armature": "the menagerie's franka_emika_panda/panda.xml: 0.1 for every joint",
            "effort_limits": "the URDF",
            "posture": "default of the SRDF; fingers half open",
        },
        licence="Apache-2.0",
    )
