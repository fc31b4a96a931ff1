"""Plays a scenario of the conformance file over a store."""

import hashlib
import hmac
import json
import unittest

from lending_service import Inbox, InboxStore

START = 1795176000.0  # 2026-11-20T12:00:00Z


class Player:
    def __init__(self, test: unittest.TestCase, scenario: dict, secret: str, store: InboxStore) -> None:
        self.test, self.scenario, self.secret, self.store = test, scenario, secret, store
        self.now_ms = round(START * 1000)
        self.log_to: float = float("inf")
        self.failing: list[int] = []
        self.replay_fails: str | None = None
        self.webhook_id = next(iter(scenario["webhooks"]))
        self.forget()
        self.inbox = self.start()

    def forget(self) -> None:
        self.applied: list[int] = []
        self.reads = 0
        self.incidents: list[str] = []

    def start(self) -> Inbox:
        return Inbox(
            name=self.scenario["name"],
            webhook_id=self.webhook_id,
            secrets=self.secret,
            service=self,
            store=self.store,
            apply=self.apply,
            report=lambda incident: self.incidents.append(incident.kind),
            now=lambda: self.now_ms / 1000,
        )

    def apply(self, event: dict, tx: object) -> None:
        if event["sequence"] in self.failing:
            raise RuntimeError("failed, as it should")
        self.applied.append(event["sequence"])

    # What the inbox reads by; a cursor belongs to its webhook.
    def get_webhook(self, webhook_id: str) -> dict:
        return {"event_types": self.scenario["webhooks"][webhook_id]["event_types"]}

    def replay_events(self, webhook_id: str, cursor: str | None, limit: int) -> dict:
        self.reads += 1
        if self.replay_fails is not None:
            raise RuntimeError(self.replay_fails)
        webhook = self.scenario["webhooks"][webhook_id]
        owner, after = cursor.split(":") if cursor else (webhook_id, "0")
        if owner != webhook_id:
            raise RuntimeError("cursor_invalid")
        events = [
            to_event(one)
            for one in self.scenario["log"]
            if max(webhook["from"], int(after) + 1) <= one["sequence"] <= self.log_to
        ]
        types = webhook["event_types"]
        events = [event for event in events if not types or event["type"] in types]
        items = events[: self.scenario["page"]]
        last = items[-1]["sequence"] if items else after
        return {"items": items, "next_cursor": f"{webhook_id}:{last}", "has_more": len(events) > len(items)}

    def post(self, event: dict) -> int:
        body = json.dumps(event, separators=(",", ":")).encode()
        timestamp = str(self.now_ms // 1000)
        signed = hmac.new(self.secret.encode(), timestamp.encode() + b"." + body, hashlib.sha256)
        headers = {
            "x-svc-webhook-timestamp": timestamp,
            "x-svc-webhook-signature": f"sha256={signed.hexdigest()}",
        }
        return self.inbox.receive(body, headers)

    def play(self) -> None:
        for step in self.scenario["steps"]:
            ((kind, value),) = step.items()
            getattr(self, f"on_{kind}")(value)

    def on_deliver(self, sequences: list[int]) -> None:
        for sequence in sequences:
            event = next(one for one in self.scenario["log"] if one["sequence"] == sequence)
            self.test.assertEqual(self.post(to_event(event)), 204)

    def on_post(self, given: dict) -> None:
        self.test.assertEqual(self.post(given["event"]), given["status"])

    def on_tick(self, _: bool) -> None:
        try:
            self.inbox.tick()
        except RuntimeError:
            self.incidents.append("unavailable")

    def on_wait(self, seconds: float) -> None:
        self.now_ms += round(seconds * 1000)

    def on_fail(self, sequences: list[int]) -> None:
        self.failing = sequences

    def on_log_to(self, sequence: int) -> None:
        self.log_to = sequence

    def on_replay_fails(self, code: str | None) -> None:
        self.replay_fails = code

    def on_restart(self, _: bool) -> None:
        self.inbox = self.start()

    def on_webhook(self, webhook_id: str) -> None:
        self.webhook_id = webhook_id
        self.inbox = self.start()

    def on_expect(self, expected: dict) -> None:
        seen = {
            "applied": self.applied,
            "applied_sequence": self.inbox.applied_sequence(),
            "reads": self.reads,
            "incidents": self.incidents,
        }
        self.test.assertEqual(seen, expected)
        self.forget()


def to_event(given: dict) -> dict:
    kind, resource_id = given["resource"].split("/", 1)
    return {
        "id": f"evt_{given['sequence']}",
        "type": given.get("type", "borrower.eligible"),
        "occurred_at": "2026-11-20T12:00:05.000Z",
        "resource_version": given["version"],
        "resource": {"type": kind, "id": resource_id},
        "sequence": given["sequence"],
        "data": {},
    }
