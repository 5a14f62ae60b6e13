"""Frames of a robot by name: aliases of the zoo's entry, links, joints, sites."""

from typing import TYPE_CHECKING, Any

import numpy as np

from footwork.errors import AmbiguousFrameError, UnknownFrameError
from footwork.robot.frames import Frame, did_you_mean, near_names
from footwork.robot.joints import Joints
from footwork.typing import Matrix, Vector, frozen

if TYPE_CHECKING:
    from footwork.robot.zoo import ZooEntry


class FrameIndex:
    """Finds frames; each is made once."""

    def __init__(self, robot: str, model: Any, joints: Joints, entry: "ZooEntry | None") -> None:
        self._robot, self._model, self._joints = robot, model, joints
        kinds = {"BODY": "body", "JOINT": "joint", "FIXED_JOINT": "joint"}
        self._by_name: dict[str, list[tuple[int, str]]] = {}
        for index, frame in enumerate(model.frames):
            kind = kinds.get(str(frame.type).rsplit(".", maxsplit=1)[-1], "site")
            self._by_name.setdefault(frame.name, []).append((index, kind))
        if "world" not in self._by_name:
            self._by_name["world"] = [(0, "body")]
        self._aliases: dict[str, tuple[tuple[str, str | None], Any]] = (
            {} if entry is None else entry.aliases()
        )
        self._frames: dict[tuple[str, str | None], Frame] = {}

    @property
    def names(self) -> tuple[str, ...]:
        """Every name that `find` takes: aliases first, then those of the description."""
        return tuple(dict.fromkeys((*self._aliases, *self._by_name)))

    def find(self, name: str, kind: str | None) -> Frame:
        """Find a frame by name.

        Args:
            name: Alias, link, joint or site.
            kind: "alias", "body", "joint" or "site"; None for whichever has the name.

        Returns:
            The frame.

        Raises:
            UnknownFrameError: If there is none; names the near ones.
            AmbiguousFrameError: If a link and a joint share the name and no kind was given.
        """
        found = self._frames.get((name, kind))
        if found is None:
            found = self._look_up(name, kind)
            self._frames[name, kind] = found
        return found

    def _look_up(self, name: str, kind: str | None) -> Frame:
        if name in self._aliases and kind in {None, "alias"}:
            parent, T = self._aliases[name]
            body = self._look_up(*parent)
            R, t = np.array(T.rotation), np.array(T.translation)
            return self._make(
                name, "alias", body.joint, body.rotation @ R, body.rotation @ t + body.translation
            )
        candidates = self._by_name.get(name, ())
        chosen = [c for c in candidates if kind in {None, c[1]}]
        if not chosen:
            raise UnknownFrameError(
                f"robot {self._robot!r} has no frame {name!r}"
                + (f" of kind {kind!r}" if kind else "")
                + f"; {did_you_mean(name, self.names)}",
                name=name,
                near=near_names(name, self.names),
            )
        if len(chosen) > 1:
            kinds = " and a ".join(sorted({c[1] for c in chosen}))
            raise AmbiguousFrameError(
                f"robot {self._robot!r}: {name!r} is a {kinds}; say which with kind=…",
                name=name,
                near=tuple(c[1] for c in chosen),
            )
        index, found_kind = chosen[0]
        pin_frame = self._model.frames[index]
        M = pin_frame.placement
        return self._make(name, found_kind, int(pin_frame.parentJoint), M.rotation, M.translation)

    def _make(self, name: str, kind: str, joint: int, R: Matrix, t: Vector) -> Frame:
        return Frame(
            name=name,
            kind=kind,
            joint=joint,
            rotation=frozen(np.array(R, dtype=np.float64, order="C")),
            translation=frozen(np.array(t, dtype=np.float64)),
            support=self._joints.support_of(joint),
        )
