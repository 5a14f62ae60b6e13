"""Putting joints in an order in which every driver comes before its followers.

Pinocchio walks the tree depth first and takes the joints of a link in the order of their names; a
mimic joint must come after the one that it follows. Where names say otherwise, joints get numbers
before their names, which are taken away again once the model is made.
"""

import xml.etree.ElementTree as ET
from collections.abc import Mapping
from typing import Any

from footwork.errors import ModelError


def drivers_first(root: ET.Element, where: str) -> Mapping[str, str]:
    """Rename joints so that drivers come before followers; does nothing when they do already.

    Args:
        root: The <robot> element, changed; mimic chains are resolved.
        where: What is read, for messages.

    Returns:
        New name → name; empty when nothing was renamed.

    Raises:
        ModelError: If a joint follows one that hangs on it, or branches follow each other.
    """
    drivers = {
        joint.get("name", ""): mimic.get("joint", "")
        for joint in root.findall("joint")
        if (mimic := joint.find("mimic")) is not None
    }
    if not drivers:
        return {}
    tree = _Tree(root, drivers, where)
    if _is_fine(tree.walk(in_order_of_names=True), drivers):
        return {}
    order = tree.walk(in_order_of_names=False)
    if not _is_fine(order, drivers):
        follower = next(f for f, d in drivers.items() if order.index(f) < order.index(d))
        raise ModelError(
            f"{where}: joint {follower!r} mimics {drivers[follower]!r}, which hangs on it; "
            "only a joint further up or beside it can be followed"
        )
    new = {name: f"{i:05d} {name}" for i, name in enumerate(order)}
    for joint in root.findall("joint"):
        name = joint.get("name", "")
        joint.set("name", new[name])
        mimic = joint.find("mimic")
        if mimic is not None:
            mimic.set("joint", new[mimic.get("joint", "")])
    return {renamed: name for name, renamed in new.items()}


def _is_fine(order: list[str], drivers: Mapping[str, str]) -> bool:
    place = {name: i for i, name in enumerate(order)}
    return all(place[driver] < place[follower] for follower, driver in drivers.items())


def restore_names(model: Any, names: Mapping[str, str]) -> None:
    """Take away the numbers that `drivers_first` put before the names of joints.

    Args:
        model: Pinocchio's model, changed.
        names: What `drivers_first` returned.
    """
    if not names:
        return
    for i in range(model.njoints):
        model.names[i] = names.get(model.names[i], model.names[i])
    for frame in model.frames:
        frame.name = names.get(frame.name, frame.name)


class _Tree:
    """Joints of a URDF as a tree."""

    def __init__(self, root: ET.Element, drivers: Mapping[str, str], where: str) -> None:
        self._drivers = drivers
        self._where = where
        self._below: dict[str, list[tuple[str, str]]] = {}
        children = set()
        for joint in root.findall("joint"):
            parent, child = joint.find("parent"), joint.find("child")
            if parent is not None and child is not None:
                link = child.get("link", "")
                children.add(link)
                pair = (joint.get("name", ""), link)
                self._below.setdefault(parent.get("link", ""), []).append(pair)
        links = [link.get("name", "") for link in root.findall("link")]
        self._roots = [link for link in links if link not in children]

    def walk(self, *, in_order_of_names: bool) -> list[str]:
        """List joints depth first.

        Args:
            in_order_of_names: As Pinocchio does; else branches with drivers before those that
                follow.

        Returns:
            Names of joints.
        """
        order: list[str] = []
        for link in self._roots:
            self._visit(link, order, in_order_of_names)
        return order

    def _visit(self, link: str, order: list[str], in_order_of_names: bool) -> None:
        branches = sorted(self._below.get(link, []))
        for joint, child in branches if in_order_of_names else self._sorted(branches):
            order.append(joint)
            self._visit(child, order, in_order_of_names)

    def _sorted(self, branches: list[tuple[str, str]]) -> list[tuple[str, str]]:
        inside = {joint: {joint, *self._joints_below(child)} for joint, child in branches}
        waits_for = {
            joint: {
                other
                for other in inside
                if other != joint
                and any(self._drivers.get(name) in inside[other] for name in inside[joint])
            }
            for joint in inside
        }
        done: list[tuple[str, str]] = []
        left = list(branches)
        while left:
            placed = {joint for joint, _ in done}
            ready = next((b for b in left if waits_for[b[0]] <= placed), None)
            if ready is None:
                names = ", ".join(joint for joint, _ in left)
                raise ModelError(f"{self._where}: branches {names} mimic joints of each other")
            done.append(ready)
            left.remove(ready)
        return done

    def _joints_below(self, link: str) -> list[str]:
        order: list[str] = []
        self._visit(link, order, True)
        return order
