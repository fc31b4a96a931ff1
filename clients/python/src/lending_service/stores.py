"""Where an inbox is kept: in memory, or in the tables of the receiver's own PostgreSQL."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta, timezone
from importlib.resources import files
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from .order import InboxState, ReceivedEvent, WaitingEvent

Tx = TypeVar("Tx")


class Failure(NamedTuple):
    attempts: int
    retry_at: int
    error: str


class Above(NamedTuple):
    """The lowest number received above another, and when the first of those arrived."""

    sequence: int
    since: int


class OpenInbox(Protocol[Tx]):
    """An inbox that no other process changes meanwhile."""

    #: What `apply` gets: the transaction in which the inbox records that it ran.
    tx: Tx
    state: InboxState

    def add(self, events: Sequence[ReceivedEvent], received_at: int) -> int: ...
    def list_waiting(self) -> list[WaitingEvent]: ...
    def read_body(self, sequence: int) -> str: ...
    def find_end_of_run(self, sequence: int) -> int: ...
    def find_above(self, sequence: int) -> Above | None: ...
    def mark_applied(self, event: WaitingEvent) -> None: ...
    def note_failure(self, sequence: int, failure: Failure) -> None: ...
    def save(self, state: InboxState) -> None: ...


class InboxStore(Protocol[Tx]):
    """Keeps inboxes by their names. A receiver may implement it over a store of its own."""

    def add(self, inbox: str, events: Sequence[ReceivedEvent], received_at: int) -> int:
        """Keeps events durably, each once, and returns how many were new. Waits for no `transact`."""
        ...

    def transact(self, inbox: str) -> AbstractContextManager[OpenInbox[Tx]]:
        """Alone for this inbox, in one transaction: when its block raises, nothing of it stays."""
        ...


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
            self.state = replace(state)
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


#: The tables of PostgresStore, for a migration of the receiver's.
INBOX_TABLES = files(__package__).joinpath("inbox.sql").read_text("utf-8")

_INSERT = """
INSERT INTO lending_inbox_events
  (inbox, sequence, event_id, resource, resource_version, body, received_at)
SELECT %(inbox)s, e.sequence, e.id, e.resource, e.version, e.body, %(received_at)s
FROM json_to_recordset(%(events)s::json)
  AS e (sequence bigint, id text, resource text, version bigint, body text)
WHERE e.sequence > coalesce(
  (SELECT applied_sequence FROM lending_inboxes WHERE inbox = %(inbox)s), 0)
ON CONFLICT DO NOTHING"""

_STATE = """
SELECT webhook_id, cursor, sees_gaps, complete_sequence, applied_sequence, read_at
FROM lending_inboxes WHERE inbox = %s FOR UPDATE"""

_WAITING = """
SELECT e.sequence, e.resource, e.resource_version, coalesce(r.version, 0), e.attempts, e.retry_at
FROM lending_inbox_events e
LEFT JOIN lending_inbox_resources r ON r.inbox = e.inbox AND r.resource = e.resource
WHERE e.inbox = %s AND NOT e.is_applied AND e.sequence > %s ORDER BY e.sequence"""

_END_OF_RUN = """
SELECT max(sequence) FROM (
  SELECT sequence, row_number() OVER (ORDER BY sequence) AS place
  FROM lending_inbox_events WHERE inbox = %(inbox)s AND sequence > %(sequence)s
  ORDER BY sequence LIMIT 1000
) above WHERE sequence = %(sequence)s + place"""


class _PostgresInbox:
    def __init__(self, connection: Any, inbox: str) -> None:
        self.tx = connection
        self._inbox = inbox
        self.state = self._lock()

    def _one(self, text: str, *values: object) -> Any:
        return self.tx.execute(text, (self._inbox, *values)).fetchone()

    def _lock(self) -> InboxState:
        row = self._one(_STATE)
        if row is None:
            self.tx.execute(
                "INSERT INTO lending_inboxes (inbox) VALUES (%s) ON CONFLICT DO NOTHING", (self._inbox,)
            )
            return self._lock()
        return InboxState(*row[:5], _to_ms(row[5]))

    def add(self, events: Sequence[ReceivedEvent], received_at: int) -> int:
        return _insert(self.tx, self._inbox, events, received_at)

    def list_waiting(self) -> list[WaitingEvent]:
        rows = self.tx.execute(_WAITING, (self._inbox, self.state.applied_sequence)).fetchall()
        return [WaitingEvent(*row[:5], _to_ms(row[5])) for row in rows]

    def read_body(self, sequence: int) -> str:
        return self._one("SELECT body FROM lending_inbox_events WHERE inbox = %s AND sequence = %s", sequence)[0]

    def find_end_of_run(self, sequence: int) -> int:
        found = self.tx.execute(_END_OF_RUN, {"inbox": self._inbox, "sequence": sequence}).fetchone()
        return sequence if found[0] is None else found[0]

    def find_above(self, sequence: int) -> Above | None:
        lowest, since = self._one(
            "SELECT min(sequence), min(received_at) FROM lending_inbox_events WHERE inbox = %s AND sequence > %s",
            sequence,
        )
        since_ms = _to_ms(since)
        return None if since_ms is None else Above(lowest, since_ms)

    def mark_applied(self, event: WaitingEvent) -> None:
        self.tx.execute(
            "UPDATE lending_inbox_events SET is_applied = true WHERE inbox = %s AND sequence = %s",
            (self._inbox, event.sequence),
        )
        self.tx.execute(
            """INSERT INTO lending_inbox_resources AS r (inbox, resource, version) VALUES (%s, %s, %s)
            ON CONFLICT (inbox, resource) DO UPDATE SET version = greatest(r.version, excluded.version)""",
            (self._inbox, event.resource, event.version),
        )

    def note_failure(self, sequence: int, failure: Failure) -> None:
        self.tx.execute(
            """UPDATE lending_inbox_events SET attempts = %s, retry_at = %s, error = %s
            WHERE inbox = %s AND sequence = %s AND NOT is_applied""",
            (failure.attempts, _to_time(failure.retry_at), failure.error, self._inbox, sequence),
        )

    def save(self, state: InboxState) -> None:
        self.tx.execute(
            """UPDATE lending_inboxes SET webhook_id = %s, cursor = %s, sees_gaps = %s,
            complete_sequence = %s, applied_sequence = %s, read_at = %s WHERE inbox = %s""",
            (
                state.webhook_id,
                state.cursor,
                state.sees_gaps,
                state.complete_sequence,
                state.applied_sequence,
                None if state.read_at is None else _to_time(state.read_at),
                self._inbox,
            ),
        )
        self.tx.execute(
            "DELETE FROM lending_inbox_events WHERE inbox = %s AND sequence <= %s",
            (self._inbox, state.applied_sequence),
        )


Connection = TypeVar("Connection")


class PostgresStore(Generic[Connection]):
    """Keeps inboxes in the tables of INBOX_TABLES, in the receiver's own database.

    `connect` opens a connection of psycopg for a `with` block: `pool.connection` of psycopg_pool, or
    `lambda: psycopg.connect(url)`. `apply` gets the connection whose transaction records the event as
    applied: what it writes there is committed with it. Rows must be tuples, as they are by default.
    """

    def __init__(self, connect: Callable[[], AbstractContextManager[Connection]]) -> None:
        self._connect = connect

    def add(self, inbox: str, events: Sequence[ReceivedEvent], received_at: int) -> int:
        with self._connect() as connection, connection.transaction():  # type: ignore[attr-defined]
            return _insert(connection, inbox, events, received_at)

    @contextmanager
    def transact(self, inbox: str) -> Iterator[OpenInbox[Connection]]:
        with self._connect() as connection, connection.transaction():  # type: ignore[attr-defined]
            yield _PostgresInbox(connection, inbox)


def _insert(connection: Any, inbox: str, events: Sequence[ReceivedEvent], received_at: int) -> int:
    given = json.dumps([asdict(event) for event in events])
    values = {"inbox": inbox, "events": given, "received_at": _to_time(received_at)}
    return connection.execute(_INSERT, values).rowcount


_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
_MS = timedelta(milliseconds=1)


def _to_time(ms: int) -> datetime:
    return _EPOCH + ms * _MS


def _to_ms(time: datetime | None) -> int | None:
    return None if time is None else (time - _EPOCH) // _MS
