"""An inbox in the tables of the receiver's own PostgreSQL."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import asdict
from datetime import datetime, timedelta, timezone
from importlib.resources import files
from typing import Any, Generic, TypeVar

from .order import InboxState, ReceivedEvent, WaitingEvent
from .store import Above, Failure, OpenInbox

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
        webhook_id, cursor, sees_gaps, complete, applied, read_at = row
        return InboxState(webhook_id, cursor, sees_gaps, complete, applied, _to_ms(read_at))

    def add(self, events: Sequence[ReceivedEvent], received_at: int) -> int:
        return _insert(self.tx, self._inbox, events, received_at)

    def list_waiting(self) -> list[WaitingEvent]:
        rows = self.tx.execute(_WAITING, (self._inbox, self.state.applied_sequence)).fetchall()
        return [
            WaitingEvent(sequence, resource, version, applied, attempts, _to_ms(retry_at))
            for sequence, resource, version, applied, attempts, retry_at in rows
        ]

    def read_body(self, sequence: int) -> str:
        text = "SELECT body FROM lending_inbox_events WHERE inbox = %s AND sequence = %s"
        return str(self._one(text, sequence)[0])

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
    return int(connection.execute(_INSERT, values).rowcount)


_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
_MS = timedelta(milliseconds=1)


def _to_time(ms: int) -> datetime:
    return _EPOCH + ms * _MS


def _to_ms(time: datetime | None) -> int | None:
    return None if time is None else (time - _EPOCH) // _MS
