# A webhook receiver with nothing but Python 3.9 or later:
#   WEBHOOK_SECRET=whsec_… python3 docs/examples/webhook-receiver.py
import hashlib
import hmac
import json
import os
import re
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Refused(Exception):
    """Why a delivery was refused. Log it and answer 400; do not show it to the sender."""


def verify(secret, timestamp, signature, raw_body, now):
    """Returns the event of a delivery. The headers may be None; raw_body is what arrived."""
    if not signature:
        raise Refused("missing_signature")
    if not re.fullmatch(r"sha256=[0-9a-fA-F]{64}", signature):
        raise Refused("malformed_signature")
    if not timestamp:
        raise Refused("missing_timestamp")
    if not re.fullmatch(r"[0-9]{1,12}", timestamp):
        raise Refused("malformed_timestamp")
    mac = hmac.new(secret.encode(), timestamp.encode() + b"." + raw_body, hashlib.sha256)
    if not hmac.compare_digest(mac.digest(), bytes.fromhex(signature[len("sha256=") :])):
        raise Refused("signature_mismatch")
    if abs(now - int(timestamp)) > 300:
        raise Refused("timestamp_out_of_tolerance")
    try:
        return json.loads(raw_body.decode())
    except ValueError:
        raise Refused("body_not_json") from None


SEEN = set()  # in production: a table with the event id as its key


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        raw_body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        try:
            event = verify(
                self.server.secret,
                self.headers.get("X-SVC-Webhook-Timestamp"),
                self.headers.get("X-SVC-Webhook-Signature"),
                raw_body,
                time.time(),
            )
        except Refused as reason:
            print("refused:", reason, flush=True)
            self.send_response(400)
            self.end_headers()
            return
        if event["id"] not in SEEN:
            SEEN.add(event["id"])
            # In earnest: put it in a queue.
            print("verified", event["type"], event["resource"]["id"], event["data"], flush=True)
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass


def main():
    port = int(os.environ.get("RECEIVER_PORT", "9000"))
    secret = os.environ.get("WEBHOOK_SECRET")
    if not secret:
        sys.exit("Set WEBHOOK_SECRET to your signing secret.")
    try:
        server = ThreadingHTTPServer(("127.0.0.1", port), Receiver)
    except OSError as error:
        sys.exit(f"Port {port}: {error.strerror}: RECEIVER_PORT names another port.")
    server.secret = secret
    server.serve_forever()


if __name__ == "__main__":
    main()
