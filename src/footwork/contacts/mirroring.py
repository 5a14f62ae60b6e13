"""Contact lists elsewhere: in another world, and with left and right exchanged."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import overload

from footwork.contacts.contact import PlannedContact, check_kind
from footwork.contacts.contact_list import ContactList
from footwork.contacts.edits import check_lists, on_each, with_defaults_of
from footwork.errors import InputError
from footwork.spatial import Pose

_WORDS = {"left": "right", "Left": "Right", "LEFT": "RIGHT"}
_LETTERS = {"l": "r", "L": "R"}


@on_each
def move(lists: ContactList, T_new_old: Pose) -> ContactList:
    """Express all poses in another world: T_new_foot = T_new_old T_old_foot.

    Args:
        lists: One list, or a dict of lists.
        T_new_old: Placement of the old world in the new one.

    Returns:
        New lists.
    """
    check_kind("T_new_old", T_new_old, Pose, "a Pose")
    return with_defaults_of(lists, [replace(c, pose=T_new_old @ c.pose) for c in lists])


@overload
def mirror(lists: ContactList, names: Mapping[str, str] | None = None) -> ContactList: ...
@overload
def mirror(
    lists: Mapping[str, ContactList], names: Mapping[str, str] | None = None
) -> dict[str, ContactList]: ...
def mirror(
    lists: ContactList | Mapping[str, ContactList], names: Mapping[str, str] | None = None
) -> ContactList | dict[str, ContactList]:
    """Exchange left and right: poses and patches are reflected in the plane y = 0, names swapped.

    A reflected rotation is (−x, y, −z, w). To reflect in another plane, `move` there and back.

    Args:
        lists: One list, or a dict of lists, whose keys are then swapped too.
        names: Name → mirrored name, for keys, contacts, links and defaults, both ways; a name that
            it does not have stays. When not given, the words left and right and the letters l and r
            at an end of a name (``l_sole``, ``foot_r``, ``LF``) are swapped.

    Returns:
        New lists, in the order of the given ones.

    Raises:
        InputError: If two names would become one.

    Example:
        >>> left = ContactList(default_name="l_sole")
        >>> _ = left.add_contact(Pose.from_xy_yaw(0.3, 0.1, 0.2), 0, 5)
        >>> mirrored = mirror({"left": left})
        >>> contact = mirrored["right"][0]
        >>> contact.name, contact.pose.y, round(contact.pose.yaw, 6)
        ('r_sole', -0.1, -0.2)
    """
    if isinstance(lists, ContactList):
        return _mirrored(lists, _renaming(names))
    rename = _renaming(names)
    result: dict[str, ContactList] = {}
    for key, contacts in check_lists(lists).items():
        if rename(key) in result:
            raise InputError(f"mirror: two lists would have the key {rename(key)!r}")
        result[rename(key)] = _mirrored(contacts, rename)
    return result


def _mirrored(contacts: ContactList, rename: Callable[[str], str]) -> ContactList:
    return ContactList(
        [_mirrored_contact(contact, rename) for contact in contacts],
        default_name=rename(contacts.default_name),
        default_index=contacts.default_index,
        default_contact_type=contacts.default_contact_type,
    )


def _mirrored_contact(contact: PlannedContact, rename: Callable[[str], str]) -> PlannedContact:
    x, y, z = contact.pose.translation.tolist()
    qx, qy, qz, qw = contact.pose.quaternion_xyzw.tolist()
    patch = contact.patch
    return replace(
        contact,
        pose=Pose([x, -y, z], [-qx, qy, -qz, qw]),
        name=rename(contact.name),
        # reversed, so that corners which went round counter-clockwise still do
        patch=patch and tuple((px, -py) for px, py in reversed(patch)),
        link=contact.link and rename(contact.link),
    )


def _renaming(names: Mapping[str, str] | None) -> Callable[[str], str]:
    if names is None:
        return _other_side
    check_kind("names", names, Mapping, "a dict of names")
    for name in (*names, *names.values()):
        check_kind("names", name, str, "strings only")
    both = {**{b: a for a, b in names.items()}, **names}
    return lambda name: both.get(name, name)


def _other_side(name: str) -> str:
    """Swap left and right in a name."""
    for words, ends_only in ((_WORDS, False), (_LETTERS, True)):
        both = {**words, **{b: a for a, b in words.items()}}
        for here, there in both.items():
            if not ends_only and here in name:
                return name.replace(here, there)
            if ends_only and _stands_at_an_end(name, here):
                return there + name[1:] if name.startswith(here) else name[:-1] + there
    return name


def _stands_at_an_end(name: str, letter: str) -> bool:
    """Whether a side's letter begins or ends a name, as in l_sole, foot_r, LF, L."""
    if name == letter:
        return True
    if name.startswith(letter):
        return not name[1].isalpha() or (letter.isupper() and name.isupper() and len(name) == 2)
    return name.endswith(letter) and not name[-2].isalpha()
