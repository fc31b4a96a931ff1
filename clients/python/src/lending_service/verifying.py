"""Verifies deliveries, and the hash chain of the event log."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

Headers = Mapping[str, str] | Iterable[tuple[str, str]]

_OWN = re.compile(r"sha256=([0-9a-fA-F]{64})", re.ASCII)
_STANDARD = re.compile(r"v1,([0-9A-Za-z+/]{43}=)", re.ASCII)
_SECRET = re.compile(r"whsec_([0-9A-Za-z+/]{43}=)", re.ASCII)
_TIMESTAMP = re.compile(r"[0-9]{1,12}", re.ASCII)


class DeliveryRefused(Exception):
    """A delivery that is not genuine, or not an event. Log `reason` and answer 400; do not show it to the sender."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def verify_webhook(
    raw_body: bytes,
    headers: Headers,
    secrets: str | Sequence[str],
    now: float,
    tolerance_seconds: float = 300,
) -> dict[str, Any]:
    """Returns the event of a delivery, or raises DeliveryRefused.

    `X-SVC-Webhook-Signature` decides, or without it the `webhook-signature` of Standard Webhooks.
    `raw_body` must be the bytes received; `now` is in unix seconds; several secrets are accepted
    while one is replaced. Raises ValueError without a secret.
    """
    known = [secrets] if isinstance(secrets, str) else list(secrets)
    if not known or "" in known:
        raise ValueError("The webhook signing secret is empty.")
    found = _read_headers(headers)
    own, standard = found.get("x-svc-webhook-signature"), found.get("webhook-signature")
    if not own and standard:
        timestamp = _verify_standard(raw_body, found, known, standard)
    else:
        timestamp = _verify_own(raw_body, found, known, own)
    # In this form a clock that is not a number is refused too.
    if not abs(now - int(timestamp)) <= tolerance_seconds:
        raise DeliveryRefused("timestamp_out_of_tolerance")
    try:
        event = json.loads(raw_body.decode())
    except ValueError:
        raise DeliveryRefused("body_not_json") from None
    if not (isinstance(event, dict) and isinstance(event.get("type"), str)):
        raise DeliveryRefused("body_not_an_event")
    if not isinstance(event.get("data"), (dict, list)):
        raise DeliveryRefused("body_not_an_event")
    return event


def _read_headers(headers: Headers) -> dict[str, str]:
    pairs = headers.items() if isinstance(headers, Mapping) else headers
    found: dict[str, str] = {}
    for name, value in pairs:
        key = name.lower()
        found[key] = f"{found[key]}, {value}" if key in found else value
    return found


def _verify_own(raw_body: bytes, headers: dict[str, str], secrets: list[str], signature: str | None) -> str:
    if not signature:
        raise DeliveryRefused("missing_signature")
    match = _OWN.fullmatch(signature)
    if not match:
        raise DeliveryRefused("malformed_signature")
    timestamp = _read_timestamp(headers.get("x-svc-webhook-timestamp"))
    given = bytes.fromhex(match[1])
    signed = timestamp.encode() + b"." + raw_body
    return _require([secret.encode() for secret in secrets], signed, [given], timestamp)


def _verify_standard(raw_body: bytes, headers: dict[str, str], secrets: list[str], signatures: str) -> str:
    matches = [_STANDARD.fullmatch(one) for one in signatures.split(" ")]
    given = [base64.b64decode(match[1]) for match in matches if match]
    if not given:
        raise DeliveryRefused("malformed_signature")
    event_id = headers.get("webhook-id")
    if not event_id:
        raise DeliveryRefused("missing_id")
    timestamp = _read_timestamp(headers.get("webhook-timestamp"))
    keys = [base64.b64decode(match[1]) for match in map(_SECRET.fullmatch, secrets) if match]
    signed = f"{event_id}.{timestamp}.".encode() + raw_body
    return _require(keys, signed, given, timestamp)


def _read_timestamp(text: str | None) -> str:
    if not text:
        raise DeliveryRefused("missing_timestamp")
    if not _TIMESTAMP.fullmatch(text):
        raise DeliveryRefused("malformed_timestamp")
    return text


def _require(keys: list[bytes], signed: bytes, given: list[bytes], timestamp: str) -> str:
    for key in keys:
        expected = hmac.digest(key, signed, "sha256")
        if any(hmac.compare_digest(expected, one) for one in given):
            return timestamp
    raise DeliveryRefused("signature_mismatch")


class ChainEnd(NamedTuple):
    """The last event of a range: keep it, and verify what follows after it."""

    sequence: int
    hash: str


class ChainBroken(Exception):
    """The first event that is not what it was: `sequence`, and `reason`."""

    def __init__(self, sequence: int, reason: str) -> None:
        super().__init__(f"{reason} at {sequence}")
        self.sequence = sequence
        self.reason = reason


def verify_event_chain(events: Iterable[Mapping[str, Any]], after: ChainEnd | None = None) -> ChainEnd | None:
    """Verifies consecutive items of `GET /v1/events`, read without filters. Raises ChainBroken.

    `after` is where the last verification ended; without it the first event is the start of the range.
    """
    end = after
    for event in events:
        sequence, previous = event["sequence"], event["previous_hash"]
        before = end or ChainEnd(sequence - 1, "0" * 64 if sequence == 1 else previous)
        if sequence != before.sequence + 1:
            raise ChainBroken(sequence, "sequence_broken")
        if previous != before.hash:
            raise ChainBroken(sequence, "previous_hash_mismatch")
        if event["hash"] != _hash_of(event):
            raise ChainBroken(sequence, "hash_mismatch")
        end = ChainEnd(sequence, event["hash"])
    return end


def delivered_body(event: Mapping[str, Any]) -> str:
    """What is delivered of an event of the log, byte for byte."""
    body = {name: value for name, value in event.items() if name not in _NOT_DELIVERED}
    text = json.dumps(body, separators=(",", ":"), ensure_ascii=False)
    # Half a surrogate pair has no UTF-8: it stays escaped.
    return re.sub("[\ud800-\udfff]", lambda half: f"\\u{ord(half[0]):04x}", text)


_NOT_DELIVERED = {"previous_hash", "hash", "deliveries"}


def _hash_of(event: Mapping[str, Any]) -> str:
    body = hashlib.sha256(delivered_body(event).encode()).digest()
    chained = bytes.fromhex(event["previous_hash"]) + event["sequence"].to_bytes(8, "big") + body
    return hashlib.sha256(chained).hexdigest()
