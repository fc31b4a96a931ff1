"""The client of the lending service: models, signing, verifying and the inbox."""

from .asgi import AsgiReceiver
from .inbox import Inbox, Incident
from .memory import MemoryStore
from .order import InboxState, ReceivedEvent, WaitingEvent
from .postgres import INBOX_TABLES, PostgresStore
from .service import ProblemError, Service, UnreachableError, retry_delay_ms
from .signing import read_private_key, sign_request, string_to_sign
from .store import InboxStore, OpenInbox
from .verifying import (
    ChainBroken,
    ChainEnd,
    DeliveryRefused,
    delivered_body,
    verify_event_chain,
    verify_webhook,
)

__all__ = [
    "INBOX_TABLES",
    "AsgiReceiver",
    "ChainBroken",
    "ChainEnd",
    "DeliveryRefused",
    "Inbox",
    "InboxState",
    "InboxStore",
    "Incident",
    "MemoryStore",
    "OpenInbox",
    "PostgresStore",
    "ProblemError",
    "ReceivedEvent",
    "Service",
    "UnreachableError",
    "WaitingEvent",
    "delivered_body",
    "read_private_key",
    "retry_delay_ms",
    "sign_request",
    "string_to_sign",
    "verify_event_chain",
    "verify_webhook",
]
