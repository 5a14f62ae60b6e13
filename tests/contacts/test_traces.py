"""Every recorded operation of upstream, alone: its answer, or the rule by which ours differs."""

from collections import Counter
from typing import Any

import pytest

from footwork.contacts import ContactList, ContactPhaseList, ContactType
from footwork.errors import FootworkError

from . import naive, trace

Rows = list[list[Any]]


def index(answer: int | str | None) -> int:
    return -1 if answer is None or answer == "end" else int(answer)


def ours(contacts: ContactList, op: dict[str, Any]) -> Any:
    """Do one operation; False when it is refused."""
    name = op["op"]
    try:
        match name:
            case "add":
                contacts.add_contact(trace.to_contact(op["c"]))
            case "add_pose":
                activation, deactivation, number = op["c"]
                contacts.add_contact(trace.pose(number), activation, deactivation)
            case "edit":
                at = len(contacts) if op["i"] == "end" else op["i"]
                contacts.edit_contact(at, trace.to_contact(op["c"]))
            case "erase":
                return index(contacts.erase(op["i"]))
            case "remove_last":
                contacts.remove_last_contact()
                return None
            case "keep_only_present":
                contacts.keep_only_present_contact(op["t"])
            case "force_sample_time":
                contacts.force_sample_time(op["dt"])
            case "clear":
                contacts.clear()
                return None
            case _:
                return looked_up(contacts, op)
    except (FootworkError, IndexError):
        return False
    return True


def looked_up(contacts: ContactList, op: dict[str, Any]) -> Any:  # noqa: C901, PLR0911
    time = op.get("t", 0)
    match op["op"]:
        case "active" | "present" | "next" | "previous" as which:
            at = int(getattr(contacts, f"{which}_index")(time))
            contact = getattr(contacts, f"get_{which}_contact")(time)
            assert contact is (None if at < 0 else contacts[at])
            assert getattr(contacts, f"{which}_index")([time]).tolist() == [at]
            return at
        case "are_contacts_sampled":
            return contacts.are_contacts_sampled(op["dt"])
        case "size":
            return len(contacts)
        case "index":
            return trace.to_row(contacts[op["i"]])
        case "first":
            assert contacts.first_contact is not None
            return trace.to_row(contacts.first_contact)
        case "last":
            assert contacts.last_contact is not None
            return trace.to_row(contacts.last_contact)
        case "set_default_name":
            contacts.default_name = op["v"]
            return contacts.default_name
        case "set_default_index":
            contacts.default_index = op["v"]
            return contacts.default_index
        case "set_default_type":
            contacts.default_contact_type = list(ContactType)[op["v"]]
            return list(ContactType).index(contacts.default_contact_type)
        case "is_active":
            return contacts[op["i"]].is_active(time)
        case "equal":
            return contacts[op["i"]] == trace.to_contact(op["c"])
    raise AssertionError(op)


def by_rule(before: Rows, op: dict[str, Any], defaults: list[Any]) -> tuple[Any, Rows] | None:
    """Answer and list of an operation on which our rules may differ from upstream's."""
    twin = trace.to_naive(before)
    answer: Any = True
    try:
        match op["op"]:
            case "add":
                twin.add(naive.Contact(op["c"][0], op["c"][1], op["c"][2:]))
            case "add_pose":
                activation, deactivation, number = op["c"]
                twin.add(naive.Contact(activation, deactivation, [number, *defaults]))
            case "edit" if op["i"] != "end":
                twin.edit(op["i"], naive.Contact(op["c"][0], op["c"][1], op["c"][2:]))
            case "force_sample_time":
                twin.force_sample_time(op["dt"])
            case "previous":
                answer = twin.previous(op["t"])
            case "equal":
                answer = before[op["i"]] == op["c"]
            case _:
                return None
    except naive.Refused:
        return False, before
    return answer, trace.from_naive(twin)


def may_differ(before: Rows, op: dict[str, Any]) -> str:
    """The rule that explains a difference; empty when there is none that could."""
    match op["op"]:
        case "add" | "add_pose" | "edit":
            activation, deactivation = op["c"][:2]
            at = op["i"] if op["op"] == "edit" else None
            others = [row for i, row in enumerate(before) if i != at]
            if activation > deactivation:
                return "an edit to end before it begins is refused" if op["op"] == "edit" else ""
            if any(activation == row[1] or deactivation == row[0] for row in others):
                return "touching is allowed, and an edit loses nothing"
        case "force_sample_time":
            return "floor and ceiling of every time, or nothing"
        case "previous" if any(row[1] == op["t"] for row in before):
            return "at its deactivation a contact is previous"
        case "equal":
            return "the index counts" if before[op["i"]][4] != op["c"][4] else ""
    return ""


@pytest.mark.parametrize("name", ["contactlist_trace", "contactlist_inverted_edit_trace"])
def test_every_operation_answers_as_upstream_or_as_the_rule_says(name: str) -> None:
    differences: Counter[str] = Counter()
    operations = 0
    for case in trace.lines(name):
        before: Rows = []
        defaults: list[Any] = ["ContactList", -1, 0]
        for op in case["ops"]:
            operations += 1
            contacts = ContactList(
                (trace.to_contact(row) for row in before),
                default_name=defaults[0],
                default_index=defaults[1],
                default_contact_type=list(ContactType)[defaults[2]],
            )
            upstream = op["r"]
            if op["op"] in {"active", "present", "next", "previous", "erase"}:
                upstream = index(upstream)
            expected = (upstream, op.get("after", before))
            rule = by_rule(before, op, defaults)
            if rule is not None and rule != expected:
                reason = may_differ(before, op)
                assert reason, (case["id"], op, rule)
                differences[reason] += 1
                expected = rule
            got = (ours(contacts, op), trace.to_rows(contacts))
            assert got == expected, (case["id"], op, before)
            if op["op"].startswith("set_default"):
                defaults[["name", "index", "type"].index(op["op"].rpartition("_")[2])] = op["v"]
            before = op.get("after", before)
            if op.get("formal_ub"):
                break
    assert operations > 1000
    assert set(differences) >= {
        "touching is allowed, and an edit loses nothing",
        "floor and ceiling of every time, or nothing",
        "at its deactivation a contact is previous",
        "the index counts",
    }


def rows_of(phases: ContactPhaseList, lists: dict[str, Rows]) -> list[Any]:
    result = []
    for i, phase in enumerate(phases):
        held = {
            key: int(k) for key, k in zip(phases.keys, phases.membership[i], strict=True) if k >= 0
        }
        assert {k: trace.to_row(c) for k, c in phase.active_contacts.items()} == {
            key: lists[key][k] for key, k in held.items()
        }
        assert all(phase.is_list_included(key) == (key in held) for key in lists)
        result.append([phase.begin_time, phase.end_time, held])
    return result


def make_lists(lists: dict[str, Rows]) -> dict[str, ContactList]:
    return {
        key: ContactList(map(trace.to_contact, rows), default_name=key)
        for key, rows in lists.items()
    }


def test_phases_are_those_of_the_plain_definition() -> None:
    differing = 0
    for case in trace.lines("contactphase_trace"):
        lists = make_lists(case["lists"])
        phases = ContactPhaseList.from_lists(lists)
        expected = case.get("ideal", case.get("phases"))
        differing += expected != case.get("phases")
        assert rows_of(phases, case["lists"]) == expected, case["id"]
        assert phases.keys == tuple(lists)
        assert phases.lists == lists
        for time, at in case.get("present", []):
            check_present(phases, time, expected, at if "ideal" not in case else None)
        if "set_by_default_name" in case and not case["set_by_default_name"]["duplicate"]:
            assert ContactPhaseList.from_lists(lists.values()) == phases
    assert differing > 100


def check_present(
    phases: ContactPhaseList, time: int, rows: list[Any], upstream: int | str | None
) -> None:
    begun = [i for i, row in enumerate(rows) if row[0] <= time]
    at = begun[-1] if begun else -1
    assert upstream is None or index(upstream) == at
    assert phases.present_index(time) == phases.present_index([time])[0] == at
    phase = phases.get_present_phase(time)
    assert phase is None if at < 0 else phase == phases[at]
    inside = phases.phase_at(time)
    assert inside == (phases[at] if at >= 0 and time < rows[at][1] else None)
    assert phases.phase_index([time])[0] == phases.phase_index(time) == (at if inside else -1)


def test_resampled_phases_are_those_of_the_resampled_lists_or_an_error() -> None:
    outcomes: Counter[bool] = Counter()
    for case in trace.lines("contactphase_trace"):
        if "force_sample_time" not in case:
            continue
        dt = case["force_sample_time"]["dt"]
        lists = make_lists(case["lists"])
        phases = ContactPhaseList.from_lists(lists)
        twins = {key: trace.to_naive(rows) for key, rows in case["lists"].items()}
        try:
            for twin in twins.values():
                twin.force_sample_time(dt)
        except naive.Refused:
            with pytest.raises(FootworkError):
                phases.force_sample_time(dt)
            outcomes[False] += 1
        else:
            rounded = phases.force_sample_time(dt)
            contacts = {key: twin.contacts for key, twin in twins.items()}
            found = [(p.begin_time, p.end_time) for p in rounded]
            expected = naive.phases(contacts)
            assert found == [(begin, end) for begin, end, _ in expected]
            assert [set(p.active_contacts) for p in rounded] == [set(p[2]) for p in expected]
            assert rounded.are_contacts_sampled(dt)
            outcomes[True] += 1
        assert phases == ContactPhaseList.from_lists(lists)
    assert min(outcomes[True], outcomes[False]) > 50


def test_two_lists_of_one_default_name_need_keys() -> None:
    lists = [ContactList(default_name="foot"), ContactList(default_name="foot")]
    with pytest.raises(ValueError, match=r"two have the default name 'foot'; give a dict"):
        ContactPhaseList.from_lists(lists)
