"""An inbox in memory."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from .order import InboxState, ReceivedEvent, WaitingEvent
from .store import Above, Failure, OpenInbox


@dataclass
class _Kept:
    event: ReceivedEvent
    received_at: int
    is_applied: bool = False
    failure: Failure | None = None


class _MemoryInbox:
    def __init__(self) -> None:
        self.tx = None
        self.state = InboxState()
        self.events: dict[int, _Kept] = {}
        self.versions: dict[str, int] = {}
        self.turn = threading.Lock()
        self.data = threading.Lock()

    def add(self, events: Sequence[ReceivedEvent], received_at: int) -> int:
        with self.data:
            ids = {kept.event.id for kept in self.events.values()}
            new = [
                event
                for event in events
                if event.sequence > self.state.applied_sequence
                and event.sequence not in self.events
                and event.id not in ids
            ]
            self.events.update((event.sequence, _Kept(event, received_at)) for event in new)
            return len(new)

    def _above(self, sequence: int) -> list[_Kept]:
        with self.data:
            found = [kept for kept in self.events.values() if kept.event.sequence > sequence]
        return sorted(found, key=lambda kept: kept.event.sequence)

    def list_waiting(self) -> list[WaitingEvent]:
        return [
            WaitingEvent(
                kept.event.sequence,
                kept.event.resource,
                kept.event.version,
                self.versions.get(kept.event.resource, 0),
                kept.failure.attempts if kept.failure else 0,
                kept.failure.retry_at if kept.failure else None,
            )
            for kept in self._above(self.state.applied_sequence)
            if not kept.is_applied
        ]

    def read_body(self, sequence: int) -> str:
        return self.events[sequence].event.body

    def find_end_of_run(self, sequence: int) -> int:
        while sequence + 1 in self.events:
            sequence += 1
        return sequence

    def find_above(self, sequence: int) -> Above | None:
        found = self._above(sequence)
        if not found:
            return None
        return Above(found[0].event.sequence, min(kept.received_at for kept in found))

    def mark_applied(self, event: WaitingEvent) -> None:
        self.events[event.sequence].is_applied = True
        self.versions[event.resource] = max(event.version, self.versions.get(event.resource, 0))

    def note_failure(self, sequence: int, failure: Failure) -> None:
        if sequence in self.events:
            self.events[sequence].failure = failure

    def save(self, state: InboxState) -> None:
        with self.data:
            self.state = state
            for sequence in [one for one in self.events if one <= state.applied_sequence]:
                del self.events[sequence]


class MemoryStore:
    """Forgets everything when the process ends: the inbox then applies the whole replay again.

    For tests, and for receivers that keep what they apply in memory too.
    """

    def __init__(self) -> None:
        self._inboxes: dict[str, _MemoryInbox] = {}

    def add(self, inbox: str, events: Sequence[ReceivedEvent], received_at: int) -> int:
        return self._find(inbox).add(events, received_at)

    @contextmanager
    def transact(self, inbox: str) -> Iterator[OpenInbox[None]]:
        found = self._find(inbox)
        with found.turn:
            yield found

    def _find(self, inbox: str) -> _MemoryInbox:
        return self._inboxes.setdefault(inbox, _MemoryInbox())
