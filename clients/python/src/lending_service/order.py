"""Decides which event of an inbox comes next. Times are unix milliseconds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class InboxState:
    """What an inbox knows between two events. Numbers are sequences of the tenant's log."""

    #: The webhook that `cursor` belongs to.
    webhook_id: str | None = None
    #: Where the next page of the webhook's replay begins; None: with its first event.
    cursor: str | None = None
    #: Whether the webhook has every event, so that a missing number is a missing event.
    sees_gaps: bool | None = None
    #: Every event of the webhook up to here was received. Unknown before the first page with an event.
    complete_sequence: int | None = None
    #: Every event of the webhook up to here was applied.
    applied_sequence: int = 0
    #: When the replay was last read to its end.
    read_at: int | None = None


@dataclass(frozen=True)
class ReceivedEvent:
    sequence: int
    id: str
    #: Type and id, such as `borrower/bor_…`.
    resource: str
    version: int
    #: The event's JSON text.
    body: str


@dataclass(frozen=True)
class WaitingEvent:
    """An event that is received and not applied."""

    sequence: int
    resource: str
    version: int
    #: The last version of its resource that was applied; 0 for none.
    applied_version: int
    attempts: int = 0
    retry_at: int | None = None


def find_ready(waiting: Sequence[WaitingEvent], state: InboxState, now: int) -> WaitingEvent | None:
    """The event to apply next, if one is ready.

    An event is ready when nothing of its resource can come before it: its version follows the last
    one applied, or every event up to it was received. Of a resource only the first waiting event is
    looked at, so one that fails holds up its resource alone.
    """
    held_up: set[str] = set()
    for event in waiting:
        if event.resource in held_up:
            continue
        held_up.add(event.resource)
        follows = event.version <= event.applied_version + 1
        is_due = event.retry_at is None or event.retry_at <= now
        if is_due and (follows or event.sequence <= (state.complete_sequence or 0)):
            return event
    return None


def find_applied_sequence(waiting: Sequence[WaitingEvent], state: InboxState) -> int:
    """The highest number up to which nothing is missing or waiting. It never falls."""
    complete = state.complete_sequence or 0
    first = next((event.sequence for event in waiting if event.sequence <= complete), None)
    return max(state.applied_sequence, complete if first is None else first - 1)


def retry_after_seconds(attempts: int) -> int:
    """Seconds until an event that has failed so often is tried again: 1, 2, 4, … at most 60."""
    return min(1 << min(attempts - 1, 10), 60)


def find_reason_to_read(
    state: InboxState, missing_since: int | None, gap_seconds: float, read_seconds: float, now: int
) -> Literal["gap", "time"] | None:
    """Why the replay is to be read now.

    `gap` when a number has been missing for `gap_seconds`, `time` when `read_seconds` have passed, or
    when it is not known yet where the log of the webhook begins.
    """
    if state.read_at is None:
        return "time"
    if missing_since is not None and now - state.read_at >= gap_seconds * 1000:
        if state.complete_sequence is None:
            return "time"
        if now - missing_since >= gap_seconds * 1000:
            return "gap"
    return "time" if now - state.read_at >= read_seconds * 1000 else None
