"""Sends signed requests, and retries them where that is safe."""

from __future__ import annotations

import json
import random
import time
import urllib.error
import urllib.request
import uuid
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any
from urllib.parse import quote, urlencode

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from .signing import read_private_key, sign_request

_LONGEST_WAIT_SECONDS = 60
_TRANSIENT = {429, 502, 503, 504}


class ProblemError(Exception):
    """A refusal of the service. Decide by `code`; `members` is the whole problem object."""

    def __init__(self, status: int, members: Mapping[str, Any], retry_after: int | None = None) -> None:
        self.status = status
        self.code = str(members.get("code", "unexpected_response"))
        self.detail = str(members.get("detail", "The answer was not a problem object."))
        self.members = members
        self.retry_after_seconds = retry_after
        super().__init__(f"{status} {self.code}: {self.detail}")


class UnreachableError(Exception):
    """No usable answer came; `__cause__` is the reason."""


def retry_delay_ms(error: Exception, failed_attempts: int, chance: float) -> float | None:
    """At least `Retry-After`; None where a retry does not help. `chance` is from 0 to 1."""
    if isinstance(error, ProblemError):
        if error.status not in _TRANSIENT and error.code != "idempotency_in_progress":
            return None
        seconds = error.retry_after_seconds
        if seconds is not None:
            return None if seconds > _LONGEST_WAIT_SECONDS else seconds * 1000 + 250 * chance
    elif not isinstance(error, UnreachableError):
        return None
    return min(250 << min(failed_attempts - 1, 10), 8_000) * (0.5 + chance / 2)


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A redirected request would carry a signature for another target."""

    def redirect_request(self, *_: Any) -> None:
        return None


class Service:
    """One environment of the service. `base_url` is without `/v1`."""

    def __init__(
        self,
        base_url: str,
        key_id: str,
        private_key: str | bytes | Ed25519PrivateKey,
        *,
        max_attempts: int = 5,
        timeout_seconds: float = 30,
        sleep: Callable[[float], object] = time.sleep,
    ) -> None:
        if not base_url.startswith(("http://", "https://")):
            raise ValueError(f"base_url is not the address of a service: {base_url!r}.")
        self._base = base_url.rstrip("/")
        self._key_id = key_id
        self._key = read_private_key(private_key)
        self._max_attempts = max_attempts
        self._timeout = timeout_seconds
        self._sleep = sleep
        self._clock_offset = 0.0
        self._opener = urllib.request.build_opener(_NoRedirects)

    def request(
        self,
        method: str,
        path: str,
        body: object = None,
        *,
        query: Mapping[str, str | int] | None = None,
        idempotency_key: str | None = None,
    ) -> Any:
        """Returns the answer's JSON, or None. Retries keep the idempotency key.

        Raises ProblemError for a refusal and UnreachableError without an answer.
        """
        target = path + (f"?{urlencode(query, quote_via=quote)}" if query else "")
        key = idempotency_key or ("" if method == "GET" else str(uuid.uuid4()))
        payload = b"" if body is None else json.dumps(body).encode()
        corrected = False
        failed = 0
        while True:
            try:
                return self._attempt(method, target, key, payload)
            except (ProblemError, UnreachableError) as error:
                if not corrected and self._correct_clock(error):
                    corrected = True
                    continue
                failed += 1
                delay = retry_delay_ms(error, failed, random.random())
                if delay is None or failed >= self._max_attempts:
                    raise
                self._sleep(delay / 1000)

    def get_webhook(self, webhook_id: str) -> dict[str, Any]:
        webhook: dict[str, Any] = self.request("GET", f"/v1/webhooks/{quote(webhook_id, safe='')}")
        return webhook

    def replay_events(self, webhook_id: str, cursor: str | None, limit: int) -> dict[str, Any]:
        """A page of the webhook's events from `cursor` on; None: from the first."""
        query: dict[str, str | int] = {"limit": limit}
        if cursor is not None:
            query["from"] = cursor
        path = f"/v1/webhooks/{quote(webhook_id, safe='')}/events"
        page: dict[str, Any] = self.request("GET", path, query=query)
        return page

    def _attempt(self, method: str, target: str, idempotency_key: str, body: bytes) -> Any:
        timestamp = str(int(time.time() + self._clock_offset))
        headers = sign_request(
            self._key, self._key_id, timestamp, method, target, idempotency_key=idempotency_key, body=body
        )
        if body:
            headers["Content-Type"] = "application/json"
        request = urllib.request.Request(self._base + target, body or None, headers, method=method)
        try:
            with self._opener.open(request, timeout=self._timeout) as response:
                text = response.read()
                return json.loads(text) if text else None
        except urllib.error.HTTPError as refusal:
            with refusal:
                raise _read_problem(refusal) from None
        except (OSError, ValueError) as reason:
            raise UnreachableError(f"No usable answer from {self._base}.") from reason

    def _correct_clock(self, error: Exception) -> bool:
        if not isinstance(error, ProblemError) or error.code != "timestamp_out_of_range":
            return False
        try:
            server = datetime.fromisoformat(str(error.members.get("server_time")))
        except ValueError:
            return False
        self._clock_offset = server.timestamp() - time.time()
        return True


def _read_problem(refusal: urllib.error.HTTPError) -> ProblemError:
    try:
        members = json.loads(refusal.read())
    except (OSError, ValueError):
        members = {}
    after = refusal.headers.get("Retry-After", "")
    seconds = int(after) if after.isascii() and after.isdigit() else None
    return ProblemError(refusal.code, members if isinstance(members, dict) else {}, seconds)
