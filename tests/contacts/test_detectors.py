from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from footwork.contacts import (
    EstimatedContact,
    SchmittTrigger,
    SchmittTriggerDetector,
    TriggerParameters,
    seconds,
)
from footwork.errors import ContactTimeError, InputError, NotFiniteError
from footwork.spatial import Pose

FOOT = TriggerParameters(
    on_threshold=100.0,
    off_threshold=10.0,
    switch_on_after=seconds(0.2),
    switch_off_after=seconds(0.2),
)


def test_upstreams_own_test_passes() -> None:
    trigger = SchmittTrigger(FOOT)
    on = [trigger.update(120, seconds(t)) for t in (0.1, 0.2, 0.3)]
    assert on == [False, False, True]
    assert trigger.switch_time == seconds(0.3)
    off = [trigger.update(7, seconds(t)) for t in (0.4, 0.5, 0.6)]
    assert off == [True, True, False]
    assert trigger.switch_time == seconds(0.6)


def test_two_spikes_far_apart_are_not_a_contact() -> None:
    # upstream keeps the first edge, and switches on at 5.0 s
    trigger = SchmittTrigger(FOOT)
    trigger.update(120, seconds(0.1))
    for k in range(2, 50):
        assert not trigger.update(5, seconds(k / 10))
    assert not trigger.update(120, seconds(5.0))
    assert trigger.edge_time == seconds(5.0)
    assert not trigger.update(120, seconds(5.1))
    assert trigger.update(120, seconds(5.2))


def test_two_dips_far_apart_are_no_release() -> None:
    trigger = SchmittTrigger(FOOT, is_on=True)
    assert trigger.update(5, seconds(0.1))
    assert trigger.update(120, seconds(0.2))
    assert trigger.update(5, seconds(4.0))
    assert trigger.update(50, seconds(4.1))
    assert trigger.edge_time is None
    assert trigger.update(5, seconds(4.15))
    assert trigger.update(5, seconds(4.3))
    assert not trigger.update(10, seconds(4.35))


def naive(samples: list[tuple[int, float]], p: TriggerParameters) -> list[bool]:
    """State after each sample, looking back over all of them each time."""
    states: list[bool] = []
    is_on, since = False, -1
    for i, (now, _) in enumerate(samples):
        asked = []
        for time, value in reversed(samples[since + 1 : i + 1]):
            if (value <= p.off_threshold) if is_on else (value >= p.on_threshold):
                asked.append(time)
            else:
                break
        delay = p.switch_off_after if is_on else p.switch_on_after
        if asked and now - asked[-1] >= delay:
            is_on, since = not is_on, i
        states.append(is_on)
    return states


@given(
    st.lists(st.tuples(st.integers(0, 3), st.sampled_from([0.0, 1.0, 2.0, 3.0]))),
    st.integers(0, 5),
    st.integers(0, 5),
    st.sampled_from([1.0, 2.0]),
)
def test_a_trigger_switches_exactly_when_the_signal_stayed_long_enough(
    gaps: list[tuple[int, float]], on_after: int, off_after: int, low: float
) -> None:
    now, samples = 0, []
    for gap, value in gaps:
        now += gap
        samples.append((now, value))
    p = TriggerParameters(
        on_threshold=2.0, off_threshold=low, switch_on_after=on_after, switch_off_after=off_after
    )
    trigger = SchmittTrigger(p)
    assert [trigger.update(value, time) for time, value in samples] == naive(samples, p)


def test_time_does_not_go_back_and_signals_are_numbers() -> None:
    trigger = SchmittTrigger(FOOT, time=10)
    with pytest.raises(ContactTimeError, match="expected 10 ns, the last sample, or later, got 9"):
        trigger.update(120, 9)
    with pytest.raises(NotFiniteError, match="value must be finite"):
        trigger.update(float("nan"), 11)
    with pytest.raises(TypeError, match="whole number of nanoseconds"):
        trigger.update(120, 0.5)  # type: ignore[arg-type]
    assert trigger.last_update_time == 10
    assert trigger.edge_time is None


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"off_threshold": 101.0}, r"off_threshold: expected 100 \(the on_threshold\) or less"),
        ({"on_threshold": float("inf")}, "on_threshold must be finite"),
        ({"switch_on_after": -1}, "switch_on_after: expected 0 ns or more"),
    ],
)
def test_parameters_that_make_no_sense_are_refused(change: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        TriggerParameters(**{"on_threshold": 100.0, "off_threshold": 10.0, **change})


def test_many_contacts_are_watched_at_once() -> None:
    detector = SchmittTriggerDetector({"right": FOOT})
    detector.add_contact(
        "left", FOOT, described=EstimatedContact(name="l_sole", pose=Pose([0, 0.1, 0]), index=4)
    )
    for t in (0.7, 0.8, 0.9):
        seen = detector.update({"right": 120, "left": 120}, seconds(t))
    assert list(seen) == list(detector) == ["right", "left"]
    assert all(contact.is_active for contact in seen.values())
    left = detector["left"]
    assert (left.name, left.index, left.pose.y) == ("l_sole", 4, 0.1)
    assert left.contact_details == (True, seconds(0.9))
    assert left.last_update_time == seconds(0.9)

    detector.update({"right": 120}, seconds(1.0))
    assert detector["left"].last_update_time == seconds(0.9)
    detector.reset("right", time=seconds(1.1))
    assert not detector["right"].is_active
    assert detector["left"].is_active
    detector.reset()
    # the triggers are forgotten too: upstream's come back at the next sample
    assert not detector.update({"left": 120}, seconds(1.2))["left"].is_active
    detector.remove_contact("right")
    assert "right" not in detector
    assert len(detector) == 1


def test_a_bad_sample_is_taken_by_no_trigger() -> None:
    detector = SchmittTriggerDetector({"a": FOOT, "b": FOOT})
    for values, words in [
        ({"a": 120.0, "c": 1.0}, "no contact 'c'; there are 'a', 'b'"),
        ({"a": 120.0, "b": float("nan")}, "b: expected a finite signal, got nan"),
        ({"a": 120.0, "b": None}, "b: expected a finite signal, got None"),
    ]:
        with pytest.raises(InputError, match=words):
            detector.update(values, 5)  # type: ignore[arg-type]
    with pytest.raises(ContactTimeError, match="time"):
        detector.update({"a": 1.0}, -1)
    assert all(contact.last_update_time == 0 for contact in detector.contacts.values())
    with pytest.raises(InputError, match="there is a contact 'a' already"):
        detector.add_contact("a", FOOT)
    with pytest.raises(InputError, match="no contact 'z'"):
        detector.remove_contact("z")


def test_a_contact_that_is_active_when_added_stays_so() -> None:
    detector = SchmittTriggerDetector({})
    detector.add_contact("a", FOOT, described=EstimatedContact(is_active=True), time=7)
    assert detector["a"].contact_details == (True, 7)
    assert detector.update({"a": 50.0}, 8)["a"].is_active
