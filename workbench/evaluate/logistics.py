"""From the event log of a transport puzzle to intervals of where each package is. Code, no store.

Source of the rules: the domain description that each UnSeenTimeQA item carries. A package that is being loaded or
unloaded is both at the place and in the vehicle, and so is one that is loaded in a vehicle that stands at a place.
Minutes are inclusive: unloading from 01:13 to 01:42 fills `[01:13, 01:43)`. While a vehicle is on the way the package
is in the vehicle only; from the minute of its arrival on it is at that place as well.

Three sorts of log:

* `easy`: start and end of every event are stated;
* `medium`: start and duration, which gives the end;
* `hard` (serial): durations only, and the start of one event, given in the question.

What the stated durations determine (`placed`, `moments`): serial events follow one another, so with one start and all
durations every start follows, if each event begins when the one before it ends. No gap is stated in such a log, so
none is assumed. A question is *determined* if the event whose start it gives occurs exactly once, every duration is
stated, and its own time of day means one moment, or the package is in the same places at all of them. `robust` is
stricter: the answer must stay the same for every common gap of 0 to 7 minutes (logs that state their times have gaps
of 2 to 7).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

DAY: Final = 24 * 60
_CLOCK: Final = r"(\d{2}):(\d{2}) ([AP]M)"
_TIME: Final = re.compile(_CLOCK)
_MINUTES: Final = re.compile(r"(\d+) minutes?")
_PLACE: Final = re.compile(r"\bl\d+_\d+\b")
_PACKAGE: Final = re.compile(r"\bp\d+\b")
_VEHICLE: Final = re.compile(r"\b[at]\d+\b")
_UNLOAD: Final = re.compile(r"\bunload", re.IGNORECASE)
_LOAD: Final = re.compile(r"\bload", re.IGNORECASE)
_INITIAL: Final = re.compile(r"(?:package|truck|airplane) (\w+) is at the location (\w+)")


@dataclass(frozen=True, slots=True)
class Event:
    """One step: a vehicle moves, or loads or unloads a package.

    Attributes:
        action: `load`, `unload` or `move`.
        vehicle, package: which; `package` is "" for a move.
        place: where it happens; for a move, where it ends.
        start, end: minutes since midnight of the log's first day, `end` inclusive; None = not stated.
        length: duration in minutes, or None.
    """

    action: str
    vehicle: str
    package: str
    place: str
    start: int | None = None
    end: int | None = None
    length: int | None = None


@dataclass(frozen=True, slots=True)
class Stay:
    """A package is in this set of places during `[start, end)`, in minutes; `end` None = until the log ends."""

    package: str
    places: frozenset[str]
    start: int
    end: int | None


def minutes(clock: str) -> int:
    """Minutes since midnight of `hh:mm AM/PM`.

    >>> minutes("12:05 AM"), minutes("12:05 PM"), minutes("11:59 PM")
    (5, 725, 1439)
    """
    match = _TIME.search(clock)
    if match is None:
        raise ValueError(f"no time of day in {clock!r}")
    return int(match[1]) % 12 * 60 + int(match[2]) + (12 * 60 if match[3] == "PM" else 0)


def read_event(text: str) -> Event | None:
    """One line of the log as an event, times still within one day; None if it is none."""
    places, vehicles, packages = _PLACE.findall(text), _VEHICLE.findall(text), _PACKAGE.findall(text)
    if not places or not vehicles:
        return None
    times = [minutes(match[0]) for match in _TIME.finditer(text)]
    length = _MINUTES.search(text)
    action = "move" if not packages else "unload" if _UNLOAD.search(text) else "load" if _LOAD.search(text) else ""
    if not action:
        return None
    start, end = times[0] if times else None, times[1] if len(times) > 1 else None
    return Event(action, vehicles[0], packages[0] if packages else "", places[-1], start, end,
                 None if length is None else int(length[1]))


def read_log(lines: Sequence[str]) -> list[Event]:
    """All events of a log in order, with times rolled over midnight and ends computed from durations."""
    events = [event for line in lines if (event := read_event(line)) is not None]
    return list(_unrolled(events))


def _unrolled(events: Sequence[Event]) -> Iterator[Event]:
    """Times in a serial log never run backwards, so an earlier time of day is the next day's."""
    last = 0
    for event in events:
        if event.start is None:
            yield event
            continue
        start = event.start + (last - event.start + DAY - 1) // DAY * DAY if event.start < last else event.start
        if event.end is not None:
            end = event.end + (start - event.end + DAY - 1) // DAY * DAY if event.end < start else event.end
        else:
            end = start + (event.length or 0)
        last = start
        yield replace(event, start=start, end=end)


def initial_places(lines: Sequence[str]) -> dict[str, str]:
    """Where every package and vehicle is before the log begins."""
    return {match[1]: match[2] for line in lines if (match := _INITIAL.search(line))}


def stays(initial: dict[str, str], events: Sequence[Event], begin: int = 0) -> list[Stay]:
    """Where each package is, as gapless intervals from `begin` on; events need start and end, in order of start."""
    at, inside = dict(initial), {}
    log: dict[str, list[tuple[int, frozenset[str]]]] = {
        name: [(begin, frozenset({place}))] for name, place in initial.items() if _PACKAGE.fullmatch(name)}
    for event in events:
        assert event.start is not None and event.end is not None
        if event.action == "load":
            inside[event.package] = event.vehicle
            log[event.package].append((event.start, frozenset({event.place, event.vehicle})))
        elif event.action == "unload":
            inside.pop(event.package, None)
            log[event.package].append((event.start, frozenset({event.place, event.vehicle})))
            log[event.package].append((event.end + 1, frozenset({event.place})))
        else:
            at[event.vehicle] = event.place
            for package in [name for name, vehicle in inside.items() if vehicle == event.vehicle]:
                log[package].append((event.start, frozenset({event.vehicle})))
                log[package].append((event.end, frozenset({event.vehicle, event.place})))
    return [stay for package, changes in log.items() for stay in _stays_of(package, changes)]


def _stays_of(package: str, changes: Sequence[tuple[int, frozenset[str]]]) -> Iterator[Stay]:
    """Changes come in the order of their events: a later one takes over at its start, whatever is still pending."""
    for (start, places), later in zip(changes, [changes[k + 1:] for k in range(len(changes))], strict=True):
        end = min((change[0] for change in later), default=None)
        if end is None or end > start:
            yield Stay(package, places, start, end)


def placed(events: Sequence[Event], known: Event, start: int, gap: int = 0) -> list[Event] | None:
    """The events of a serial log with times, if the one like `known` starts at minute `start`.

    Args:
        events: in order, all with a length.
        known: action, vehicle, package and place of the event whose start is given.
        start: minutes since midnight.
        gap: minutes between the end of an event and the start of the next.

    Returns:
        None if the event is not there exactly once, or a duration is missing.
    """
    places = [place for place, event in enumerate(events) if _same(event, known)]
    if len(places) != 1 or any(event.length is None for event in events):
        return None
    lengths = [(event.length or 0) + gap for event in events]
    first = start - sum(lengths[:places[0]])
    starts = [first + sum(lengths[:place]) for place in range(len(events))]
    return [replace(event, start=at, end=at + (event.length or 0)) for event, at in zip(events, starts, strict=True)]


def _same(event: Event, other: Event) -> bool:
    return (event.action, event.vehicle, event.package, event.place) == (
        other.action, other.vehicle, other.package, other.place)


def moments(events: Sequence[Event], time_of_day: int) -> list[int]:
    """The minutes within the log at which a clock shows `time_of_day` (which may lie beyond one day).

    The log lasts from the start of its first event to the end of its last. If the clock never shows that time within
    it, the first such minute after its start is given.
    """
    begin, last = events[0].start or 0, max(event.end or 0 for event in events)
    first = begin + (time_of_day - begin) % DAY
    return list(range(first, max(last, first) + 1, DAY))


def where(whereabouts: Sequence[Stay], package: str, minute: int) -> frozenset[str]:
    """The places that a package is in at one minute."""
    return frozenset(place for stay in whereabouts if stay.package == package and stay.start <= minute
                     and (stay.end is None or minute < stay.end) for place in stay.places)
