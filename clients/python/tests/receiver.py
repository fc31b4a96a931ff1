"""A receiver for the seeds: it writes down what it applies, in the order in which it does."""

import os
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import psycopg

from lending_service import Inbox, PostgresStore, Service, delivered_body

env = os.environ
failed: set[int] = set()


def apply(event: dict, connection: psycopg.Connection) -> None:
    resource = f"{event['resource']['type']}/{event['resource']['id']}"
    connection.execute(
        """INSERT INTO applied (inbox, sequence, event_id, resource, version, body)
        VALUES (%s, %s, %s, %s, %s, %s)""",
        (
            env["INBOX"],
            event["sequence"],
            event["id"],
            resource,
            event["resource_version"],
            delivered_body(event),
        ),
    )
    # What it has written must not stay.
    if event["sequence"] % 11 == 0 and event["sequence"] not in failed:
        failed.add(event["sequence"])
        raise RuntimeError("failed once")


inbox = Inbox(
    name=env["INBOX"],
    webhook_id=env["WEBHOOK_ID"],
    secrets=env["SECRET"],
    service=Service(env["SERVICE_URL"], env["KEY_ID"], env["PRIVATE_KEY"]),
    store=PostgresStore(lambda: psycopg.connect(env["DATABASE_URL"])),
    apply=apply,
    gap_seconds=0.1,
    read_seconds=0.5,
)


class Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        raw_body = self.rfile.read(int(self.headers["Content-Length"]))
        try:
            status = inbox.receive(raw_body, self.headers.items())
        except psycopg.Error:
            status = 503
        self.send_response(status)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
print(f"listening {server.server_port}", flush=True)
inbox.run(threading.Event())
