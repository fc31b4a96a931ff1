# A webhook receiver with a ready-made verifier: pip install standardwebhooks
#   WEBHOOK_SECRET=whsec_… python3 docs/examples/standard-receiver.py
import os
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from standardwebhooks.webhooks import Webhook, WebhookVerificationError

SEEN = set()  # in production: a table with the event id as its key


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        raw_body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        try:
            event = self.server.webhook.verify(raw_body, dict(self.headers))
        except WebhookVerificationError as error:
            print("refused:", error, flush=True)
            self.send_response(400)
            self.end_headers()
            return
        if event["id"] not in SEEN:
            SEEN.add(event["id"])
            # In production: put it in a queue.
            print("verified", event["type"], event["resource"]["id"], event["data"], flush=True)
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass


def main():
    secret = os.environ.get("WEBHOOK_SECRET")
    if not secret:
        sys.exit("Set WEBHOOK_SECRET to your signing secret.")
    server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("RECEIVER_PORT", "9000"))), Receiver)
    server.webhook = Webhook(secret)
    server.serve_forever()


if __name__ == "__main__":
    main()
