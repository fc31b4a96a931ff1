"""An inbox for the service's events: each is applied once, and in the order of its resource."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, Literal, NamedTuple, Protocol, TypeVar, cast

from .models import Event
from .order import (
    InboxState,
    ReceivedEvent,
    WaitingEvent,
    find_applied_sequence,
    find_ready,
    find_reason_to_read,
    retry_after_seconds,
)
from .store import Above, Failure, InboxStore, OpenInbox
from .verifying import DeliveryRefused, Headers, delivered_body, verify_webhook

Tx = TypeVar("Tx")

_PAGE = 500
_PAUSE_SECONDS = 1.0


@dataclass(frozen=True)
class Incident:
    """What a person should know of. Nothing is lost by any of these but a refused delivery.

    `refused`: a delivery that is not genuine, or not an event; it was answered 400 (`reason`).
    `simulated`: a test event of the sandbox; it was answered 204, and is never applied.
    `failed`: `apply` raised (`error`). The event holds up its resource until it succeeds; the next
    attempt is at `retry_at`, in unix milliseconds.
    `stale`: a version that its resource has left behind; it is not applied.
    `gap`: the numbers from `first` to `last` have not arrived in time, and the replay is read.
    `unavailable`: the store or the service could not be used (`error`). It is tried again.
    """

    kind: Literal["refused", "simulated", "failed", "stale", "gap", "unavailable"]
    event: Event | None = None
    reason: str | None = None
    error: BaseException | None = None
    attempts: int | None = None
    retry_at: int | None = None
    first: int | None = None
    last: int | None = None


class Replay(Protocol):
    """What an inbox reads webhooks by: a Service."""

    def get_webhook(self, webhook_id: str) -> Mapping[str, Any]: ...
    def replay_events(self, webhook_id: str, cursor: str | None, limit: int) -> Mapping[str, Any]: ...


class _Resting(NamedTuple):
    state: InboxState
    missing: Above | None


class Inbox(Generic[Tx]):
    """Verifies and keeps deliveries, and applies their events.

    `name`: under it the store keeps the inbox; it stays when the webhook is replaced.
    `secrets`: every secret that is accepted; two while the secret is replaced.
    `apply(event, tx)`: applies an event. Write with `tx`: it commits together with the record that
    the event was applied. What is raised rolls it back, to be tried again.
    `gap_seconds`: how long a number may be missing before the replay is read.
    `read_seconds`: how often it is read in any case: what no later event shows to be missing.
    """

    def __init__(
        self,
        *,
        name: str,
        webhook_id: str,
        secrets: str | Sequence[str],
        service: Replay,
        store: InboxStore[Tx],
        apply: Callable[[Event, Tx], object],
        report: Callable[[Incident], object] = lambda incident: None,
        gap_seconds: float = 5,
        read_seconds: float = 60,
        tolerance_seconds: float = 300,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._name = name
        self._webhook_id = webhook_id
        self._secrets = secrets
        self._service = service
        self._store = store
        self._apply = apply
        self._report = report
        self._gap_seconds = gap_seconds
        self._read_seconds = read_seconds
        self._tolerance = tolerance_seconds
        self._now = now
        self._woken = threading.Event()
        self._read_not_before = 0

    def receive(self, raw_body: bytes, headers: Headers) -> int:
        """Verifies a delivery and keeps its event. Returns the status to answer.

        204, also for an event that is known, or 400. Raises when the store cannot be used: answer
        503, and the delivery comes again.
        """
        try:
            return self._keep(raw_body, headers)
        except Exception as error:
            self._report(Incident("unavailable", error=error))
            raise

    def _keep(self, raw_body: bytes, headers: Headers) -> int:
        try:
            event = verify_webhook(raw_body, headers, self._secrets, self._now(), self._tolerance)
        except DeliveryRefused as refusal:
            return self._refuse(refusal.reason)
        if event.get("sequence") == 0:
            self._report(Incident("simulated", event=cast(Event, event)))
            return 204
        received = _to_received(event, raw_body.decode())
        if received is None:
            return self._refuse("body_not_an_event")
        self._store.add(self._name, [received], self._now_ms())
        self._woken.set()
        return 204

    def tick(self) -> None:
        """Applies what is ready, and reads the replay if that is due."""
        state, missing = self._apply_ready()
        now = self._now_ms()
        since = missing.since if missing else None
        reason = find_reason_to_read(state, since, self._gap_seconds, self._read_seconds, now)
        is_replaced = state.webhook_id not in (None, self._webhook_id)
        if (reason is None and not is_replaced) or now < self._read_not_before:
            return
        if reason == "gap" and missing and state.sees_gaps and state.complete_sequence is not None:
            first = state.complete_sequence + 1
            self._report(Incident("gap", first=first, last=missing.sequence - 1))
        # After a failed read the next one waits.
        self._read_not_before = now + round(self._gap_seconds * 1000)
        self._read()
        self._read_not_before = 0

    def run(self, stop: threading.Event) -> None:
        """Ticks at each delivery and every second, until `stop` is set. Several processes may run it."""
        while not stop.is_set():
            self._woken.clear()
            try:
                self.tick()
            except Exception as error:
                self._report(Incident("unavailable", error=error))
            self._woken.wait(_PAUSE_SECONDS)

    def applied_sequence(self) -> int:
        """The highest number up to which every event of the webhook is applied."""
        with self._store.transact(self._name) as inbox:
            return inbox.state.applied_sequence

    def _now_ms(self) -> int:
        return round(self._now() * 1000)

    def _refuse(self, reason: str) -> int:
        self._report(Incident("refused", reason=reason))
        return 400

    def _apply_ready(self) -> _Resting:
        while True:
            resting = self._apply_next()
            if resting is not None:
                return resting

    def _apply_next(self) -> _Resting | None:
        """Applies one event, if one is ready; returns what is left otherwise."""
        current: tuple[Event, WaitingEvent] | None = None
        try:
            with self._store.transact(self._name) as inbox:
                state = _advance(inbox)
                waiting = inbox.list_waiting()
                ready = find_ready(waiting, state, self._now_ms())
                if ready:
                    event = json.loads(inbox.read_body(ready.sequence))
                    if ready.version <= ready.applied_version:
                        self._report(Incident("stale", event=event))
                    else:
                        current = (event, ready)
                        self._apply(event, inbox.tx)
                    inbox.mark_applied(ready)
                left = [event for event in waiting if event is not ready]
                moved = replace(state, applied_sequence=find_applied_sequence(left, state))
                if moved != inbox.state:
                    inbox.save(moved)
                if ready:
                    return None
                return _Resting(moved, inbox.find_above(moved.complete_sequence or 0))
        except Exception as error:
            if current is None:
                raise
            self._note_failure(*current, error)
            return None

    def _note_failure(self, event: Event, waiting: WaitingEvent, error: Exception) -> None:
        attempts = waiting.attempts + 1
        retry_at = self._now_ms() + retry_after_seconds(attempts) * 1000
        # PostgreSQL's text takes no NUL.
        text = repr(error).replace("\0", "")[:1000]
        with self._store.transact(self._name) as inbox:
            inbox.note_failure(waiting.sequence, Failure(attempts, retry_at, text))
        self._report(Incident("failed", event=event, error=error, attempts=attempts, retry_at=retry_at))

    def _read(self) -> None:
        """From where the replay was read last up to its end, page by page."""
        while True:
            with self._store.transact(self._name) as inbox:
                state = inbox.state
            reading = state.webhook_id or self._webhook_id
            sees_gaps = state.sees_gaps
            if sees_gaps is None:
                sees_gaps = not self._service.get_webhook(reading)["event_types"]
            page = self._service.replay_events(reading, state.cursor, _PAGE)
            read_from = replace(state, webhook_id=reading, sees_gaps=sees_gaps)
            with self._store.transact(self._name) as inbox:
                is_end = self._keep_page(inbox, read_from, page)
            self._apply_ready()
            if is_end:
                return

    def _keep_page(self, inbox: OpenInbox[Tx], read_from: InboxState, page: Mapping[str, Any]) -> bool:
        """True at the end of the webhook's replay, and when another process has read this page already."""
        state = inbox.state
        if state.webhook_id not in (None, read_from.webhook_id) or state.cursor != read_from.cursor:
            return True
        items, is_last = page["items"], not page["has_more"]
        received = [_to_received(event, delivered_body(event)) for event in items]
        inbox.add([event for event in received if event], self._now_ms())
        complete, applied = state.complete_sequence, state.applied_sequence
        if items and complete is None:
            complete = items[0]["sequence"] - 1
            applied = max(applied, complete)
        if items and complete is not None and not read_from.sees_gaps:
            # Without all types, only the replay shows that there is nothing between two numbers.
            complete = max(complete, items[-1]["sequence"])
        kept = InboxState(
            webhook_id=read_from.webhook_id,
            cursor=page["next_cursor"],
            sees_gaps=read_from.sees_gaps,
            complete_sequence=complete,
            applied_sequence=applied,
            read_at=self._now_ms() if is_last else state.read_at,
        )
        if is_last and read_from.webhook_id != self._webhook_id:
            # The earlier webhook has been read to its end: what follows is in the replay of the new one.
            inbox.save(
                replace(kept, webhook_id=self._webhook_id, cursor=None, sees_gaps=None, read_at=state.read_at)
            )
            return False
        inbox.save(kept)
        return is_last


def _advance(inbox: OpenInbox[Any]) -> InboxState:
    """Counts what has arrived without a gap."""
    state = inbox.state
    if not state.sees_gaps or state.complete_sequence is None:
        return state
    return replace(state, complete_sequence=inbox.find_end_of_run(state.complete_sequence))


def _to_received(event: Mapping[str, Any], body: str) -> ReceivedEvent | None:
    """None for what lacks the members by which an inbox orders."""
    event_id, resource = event.get("id"), event.get("resource")
    sequence, version = event.get("sequence"), event.get("resource_version")
    if not (_is_count(sequence) and _is_count(version)):
        return None
    if not isinstance(event_id, str) or not isinstance(resource, dict):
        return None
    kind, resource_id = resource.get("type"), resource.get("id")
    if not isinstance(kind, str) or not isinstance(resource_id, str):
        return None
    return ReceivedEvent(cast(int, sequence), event_id, f"{kind}/{resource_id}", cast(int, version), body)


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 < value < 2**53
