"""Telling from a noisy signal, such as the force under a foot, whether the foot touches."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from footwork.contacts._kernels.schmitt import NO_EDGE, schmitt_step
from footwork.contacts.contact import check_kind
from footwork.contacts.measured import EstimatedContact
from footwork.contacts.nanoseconds import Time, as_time
from footwork.errors import ContactTimeError, InputError
from footwork.typing import as_array


@dataclass(frozen=True, kw_only=True, slots=True)
class TriggerParameters:
    """When a Schmitt trigger switches.

    Attributes:
        on_threshold: It goes on when the signal has been here or above…
        off_threshold: It goes off when the signal has been here or below…
        switch_on_after: … for this long without a break [ns].
        switch_off_after: … for this long without a break [ns].

    Raises:
        InputError: If the thresholds are not finite, or the lower one is the higher.
        ContactTimeError: If a time is negative.
    """

    on_threshold: float
    off_threshold: float
    switch_on_after: int = 0
    switch_off_after: int = 0

    def __post_init__(self) -> None:
        for name in ("on_threshold", "off_threshold"):
            object.__setattr__(self, name, float(as_array(name, getattr(self, name), ())))
        if self.off_threshold > self.on_threshold:
            raise InputError(
                f"off_threshold: expected {self.on_threshold:g} (the on_threshold) or less, "
                f"got {self.off_threshold:g}"
            )
        for name in ("switch_on_after", "switch_off_after"):
            value = as_time(name, getattr(self, name))
            if value < 0:
                raise ContactTimeError(f"{name}: expected 0 ns or more, got {value}", time=value)
            object.__setattr__(self, name, value)


class SchmittTrigger:
    """A switch with two thresholds and a delay that really debounces.

    It goes on when the signal has stayed at or above the upper threshold for the whole delay: a
    single sample below begins the wait anew. It goes off likewise below the lower threshold.

    Args:
        parameters: When it switches.
        is_on: State at first.
        time: Time of that state [ns].

    Example:
        >>> trigger = SchmittTrigger(
        ...     TriggerParameters(on_threshold=100, off_threshold=10, switch_on_after=200)
        ... )
        >>> [trigger.update(force, time) for time, force in [(100, 120), (200, 5), (300, 120)]]
        [False, False, False]
        >>> trigger.update(120, 500), trigger.switch_time
        (True, 500)
    """

    def __init__(
        self, parameters: TriggerParameters, *, is_on: bool = False, time: Time = 0
    ) -> None:
        check_kind("parameters", parameters, TriggerParameters, "TriggerParameters")
        self.parameters = parameters
        self._is_on = False
        self._switch_time = self._last_update_time = 0
        self._edge_time: int | None = None
        self.reset(is_on=is_on, time=time)

    @property
    def is_on(self) -> bool:
        """Whether it is on."""
        return self._is_on

    @property
    def switch_time(self) -> int:
        """Time of the sample at which it last switched, or was reset [ns]."""
        return self._switch_time

    @property
    def edge_time(self) -> int | None:
        """Since when the signal has asked for a switch that is not due yet [ns]; None if not."""
        return self._edge_time

    @property
    def last_update_time(self) -> int:
        """Time of the last sample, or of the reset [ns]."""
        return self._last_update_time

    def update(self, value: float, time: Time) -> bool:
        """Take a sample.

        Args:
            value: The signal.
            time: When it was taken [ns], not before the sample before.

        Returns:
            Whether it is on now.

        Raises:
            InputError: If the signal is no finite number.
            ContactTimeError: If time goes back.
        """
        number, now = self.check(value, time)
        self._last_update_time = now
        p = self.parameters
        edge = NO_EDGE if self._edge_time is None else self._edge_time
        is_on, edge = schmitt_step(
            int(self._is_on),
            edge,
            number,
            now,
            p.on_threshold,
            p.off_threshold,
            p.switch_on_after,
            p.switch_off_after,
        )
        if bool(is_on) is not self._is_on:
            self._is_on, self._switch_time = bool(is_on), now
        self._edge_time = None if edge == NO_EDGE else edge
        return self._is_on

    def check(self, value: float, time: Time) -> tuple[float, int]:
        """Check a sample without taking it.

        Args:
            value: The signal.
            time: When it was taken [ns].

        Returns:
            Both, as Python numbers.

        Raises:
            InputError: If the signal is no finite number.
            ContactTimeError: If time goes back.
        """
        number, now = float(as_array("value", value, ())), as_time("time", time)
        if now < self._last_update_time:
            raise ContactTimeError(
                f"time: expected {self._last_update_time} ns, the last sample, or later, got {now}",
                time=now,
            )
        return number, now

    def reset(self, *, is_on: bool = False, time: Time = 0) -> None:
        """Forget the signal.

        Args:
            is_on: State from now on.
            time: Time of that state [ns].
        """
        self._is_on = bool(is_on)
        self._switch_time = self._last_update_time = as_time("time", time)
        self._edge_time = None


class SchmittTriggerDetector:
    """One Schmitt trigger a contact.

    Args:
        contacts: Name of the contact → when it switches; all of them start off, at time 0.

    Example:
        >>> feet = TriggerParameters(on_threshold=100, off_threshold=10)
        >>> detector = SchmittTriggerDetector({"left": feet, "right": feet})
        >>> seen = detector.update({"left": 300.0, "right": 2.0}, 1000)
        >>> seen["left"].is_active, seen["right"].is_active
        (True, False)
    """

    def __init__(self, contacts: Mapping[str, TriggerParameters]) -> None:
        check_kind("contacts", contacts, Mapping, "a dict of TriggerParameters")
        self._triggers: dict[str, SchmittTrigger] = {}
        self._described: dict[str, EstimatedContact] = {}
        for name, parameters in contacts.items():
            self.add_contact(name, parameters)

    @property
    def contacts(self) -> dict[str, EstimatedContact]:
        """Name → contact as it is seen now."""
        return {name: self[name] for name in self._triggers}

    def update(self, values: Mapping[str, float], time: Time) -> dict[str, EstimatedContact]:
        """Take a sample of some or all contacts; of all or, when one is bad, of none.

        Args:
            values: Name → signal; contacts without one keep their state.
            time: When they were taken [ns].

        Returns:
            Name → contact as it is seen now, of all contacts.

        Raises:
            InputError: If a name is unknown, or a signal is no finite number.
            ContactTimeError: If time goes back.
        """
        check_kind("values", values, Mapping, "a dict of signals")
        for name, value in values.items():
            trigger = self._trigger(name)
            try:
                trigger.check(value, time)
            except InputError as error:
                if isinstance(error, ContactTimeError):
                    raise
                raise InputError(f"{name}: expected a finite signal, got {value!r}") from error
        for name, value in values.items():
            self._triggers[name].update(value, time)
        return self.contacts

    def add_contact(
        self,
        name: str,
        parameters: TriggerParameters,
        *,
        described: EstimatedContact | None = None,
        time: Time = 0,
    ) -> None:
        """Watch one contact more.

        Args:
            name: Its name.
            parameters: When it switches.
            described: Its pose, index, type and state; those of a new contact when not given.
            time: Time of its state [ns].

        Raises:
            InputError: If there is one of that name.
        """
        check_kind("name", name, str, "a string")
        if name in self._triggers:
            raise InputError(f"name: there is a contact {name!r} already")
        contact = EstimatedContact(name=name) if described is None else described
        check_kind("described", contact, EstimatedContact, "an EstimatedContact")
        self._triggers[name] = SchmittTrigger(parameters, is_on=contact.is_active, time=time)
        self._described[name] = contact

    def remove_contact(self, name: str) -> None:
        """Watch a contact no longer.

        Args:
            name: Its name.

        Raises:
            InputError: If there is none.
        """
        self._trigger(name)
        del self._triggers[name], self._described[name]

    def reset(self, name: str | None = None, *, is_active: bool = False, time: Time = 0) -> None:
        """Forget the signals, of one contact or of all.

        Args:
            name: Its name; all when not given.
            is_active: State from now on.
            time: Time of that state [ns].

        Raises:
            InputError: If there is no such contact.
        """
        triggers = list(self._triggers.values()) if name is None else [self._trigger(name)]
        for trigger in triggers:
            trigger.reset(is_on=is_active, time=time)

    def __getitem__(self, name: str) -> EstimatedContact:
        trigger = self._trigger(name)
        return self._described[name].with_contact_state(
            trigger.is_on, trigger.switch_time, trigger.last_update_time
        )

    def __contains__(self, name: object) -> bool:
        return name in self._triggers

    def __iter__(self) -> Iterator[str]:
        return iter(self._triggers)

    def __len__(self) -> int:
        return len(self._triggers)

    def _trigger(self, name: str) -> SchmittTrigger:
        try:
            return self._triggers[name]
        except (KeyError, TypeError) as error:  # the latter of what cannot be hashed
            known = ", ".join(map(repr, self._triggers)) or "none"
            raise InputError(f"name: no contact {name!r}; there are {known}") from error
