"""What an inbox needs of the place where it is kept."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import NamedTuple, Protocol, TypeVar

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
