"""The cases of clients/conformance.json, and what Python alone has: models and the ASGI application.

DATABASE_URL: a database of PostgreSQL in which the tables of an inbox may be created.
"""

import asyncio
import base64
import json
import os
import unittest
from pathlib import Path

import psycopg
from scenario import Player

from lending_service import (
    INBOX_TABLES,
    AsgiReceiver,
    ChainBroken,
    ChainEnd,
    DeliveryRefused,
    MemoryStore,
    PostgresStore,
    ProblemError,
    UnreachableError,
    models,
    read_private_key,
    retry_delay_ms,
    sign_request,
    string_to_sign,
    verify_event_chain,
    verify_webhook,
)

CASES = json.loads((Path(__file__).parents[2] / "conformance.json").read_text("utf-8"))
DATABASE_URL = os.environ["DATABASE_URL"]


class Signing(unittest.TestCase):
    def test_each_request_is_signed_as_documented(self) -> None:
        keys = [CASES["key"]["pkcs8_pem"], bytes.fromhex(CASES["key"]["seed_hex"])]
        for key in map(read_private_key, keys):
            for case in CASES["signing"]:
                with self.subTest(case["name"]):
                    given = (CASES["key"]["id"], case["timestamp"], case["method"], case["target"])
                    rest = {
                        "idempotency_key": case.get("idempotency_key", ""),
                        "body": case.get("body", "").encode(),
                    }
                    self.assertEqual(string_to_sign(*given, **rest), case["string_to_sign"])
                    self.assertEqual(sign_request(key, *given, **rest)["X-SVC-Signature"], case["signature"])


class Verifying(unittest.TestCase):
    def test_each_delivery_gets_its_verdict(self) -> None:
        for case in CASES["verifying"]:
            with self.subTest(case["name"]):
                encoded = case.get("body_base64")
                body = case["body"].encode() if encoded is None else base64.b64decode(encoded)
                try:
                    verify_webhook(body, case["headers"], case["secrets"], case["now"])
                    verdict = "ok"
                except DeliveryRefused as refusal:
                    verdict = refusal.reason
                self.assertEqual(verdict, case["verdict"])

    def test_no_secret_is_a_mistake_of_the_receiver(self) -> None:
        for secrets in ("", [], ["whsec_x", ""]):
            with self.assertRaises(ValueError):
                verify_webhook(b"", {}, secrets, 0)

    def test_each_chain_gets_its_verdict(self) -> None:
        for case in CASES["chains"]:
            with self.subTest(case["name"]):
                after = ChainEnd(**case["after"]) if "after" in case else None
                items = [json.loads(item) for item in case["items"]]
                try:
                    end = verify_event_chain(items, after)
                    verdict: dict = {"ok": True, **({"end": end._asdict()} if end else {})}
                except ChainBroken as broken:
                    verdict = {"ok": False, "sequence": broken.sequence, "reason": broken.reason}
                self.assertEqual(verdict, case["verdict"])


class Retries(unittest.TestCase):
    def test_each_failure_is_retried_as_documented(self) -> None:
        for case in CASES["retries"]:
            with self.subTest(case["name"]):
                error: Exception = UnreachableError("no answer")
                if case["status"] != 0:
                    members = {"code": case["code"]} if "code" in case else {}
                    error = ProblemError(case["status"], members, case.get("retry_after"))
                self.assertEqual(retry_delay_ms(error, case["failed_attempts"], case["random"]), case["delay_ms"])


class Inboxes(unittest.TestCase):
    def test_each_scenario_in_memory(self) -> None:
        for scenario in CASES["inbox"]:
            with self.subTest(scenario["name"]):
                Player(self, scenario, CASES["secret"], MemoryStore()).play()

    def test_each_scenario_in_postgresql(self) -> None:
        with psycopg.connect(DATABASE_URL) as connection:
            connection.execute(INBOX_TABLES)
            connection.execute("TRUNCATE lending_inboxes, lending_inbox_events, lending_inbox_resources")
        # One connection for all: opening one costs more than a scenario.
        connection = psycopg.connect(DATABASE_URL, autocommit=True)
        self.addCleanup(connection.close)
        store = PostgresStore(lambda: _Borrowed(connection))
        for scenario in CASES["inbox"]:
            with self.subTest(scenario["name"]):
                Player(self, scenario, CASES["secret"], store).play()


class _Borrowed:
    """A connection that stays open, as one of a pool does."""

    def __init__(self, connection: psycopg.Connection) -> None:
        self._connection = connection

    def __enter__(self) -> psycopg.Connection:
        return self._connection

    def __exit__(self, *_: object) -> None:
        return None


class Asgi(unittest.TestCase):
    def post(self, answer: object, chunks: list[bytes], method: str = "POST") -> tuple[int, list]:
        received: list = []

        class Recorder:
            def receive(self, body: bytes, headers: list) -> int:
                received.append((body, headers))
                if isinstance(answer, Exception):
                    raise answer
                return int(str(answer))

        sent: list = []
        messages = [
            {"type": "http.request", "body": chunk, "more_body": at < len(chunks) - 1}
            for at, chunk in enumerate(chunks)
        ]

        async def receive() -> dict:
            return messages.pop(0)

        async def send(message: dict) -> None:
            sent.append(message)

        scope = {"type": "http", "method": method, "headers": [(b"x-a", b"1")]}
        asyncio.run(AsgiReceiver(Recorder())(scope, receive, send))  # type: ignore[arg-type]
        return sent[0]["status"], received

    def test_the_bytes_are_passed_on_as_they_arrived_and_the_inbox_decides(self) -> None:
        self.assertEqual(self.post(204, [b'{ "a"', b" : 1 }\xff"]), (204, [(b'{ "a" : 1 }\xff', [("x-a", "1")])]))
        self.assertEqual(self.post(400, [b""])[0], 400)
        self.assertEqual(self.post(OSError("no store"), [b""])[0], 503)
        self.assertEqual(self.post(204, [b"x" * 1_048_577]), (413, []))
        self.assertEqual(self.post(204, [b""], "GET"), (405, []))


class Models(unittest.TestCase):
    def test_every_type_of_event_has_a_model(self) -> None:
        self.assertEqual(set(models.EVENT_DATA), set(models.EventType.__args__))
        self.assertIn("cure_amount", models.EVENT_DATA["margin_warning.raised"].__annotations__)


if __name__ == "__main__":
    unittest.main()
