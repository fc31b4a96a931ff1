"""Signs the requests of schemathesis, and names what it cannot know of this service.

docs/reliability.md describes the run. The checks that do not apply are left out by `excluded`, each
with its reason; every other failure is a defect of the service or of its OpenAPI document.
"""

import base64
import hashlib
import json
import os
import time
from urllib.parse import urlsplit

import schemathesis
from cryptography.hazmat.primitives.serialization import load_pem_private_key
from requests import PreparedRequest
from requests.auth import AuthBase

with open(os.path.join(os.environ.get("LOCAL_DIR", ".local"), "sandbox.json")) as file:
    SANDBOX = json.load(file)
PRIVATE_KEY = load_pem_private_key(SANDBOX["private_key_pem"].encode(), None)


class Signature(AuthBase):
    """Signs what goes out, byte for byte: target, Idempotency-Key and body as prepared."""

    def __call__(self, request: PreparedRequest) -> PreparedRequest:
        target = request.path_url
        body = request.body or b""
        raw = body.encode() if isinstance(body, str) else body
        key = request.headers.get("Idempotency-Key", "")
        timestamp = str(int(time.time()))
        string_to_sign = "\n".join(
            [
                "SVC-ED25519-V1",
                SANDBOX["key_id"],
                timestamp,
                request.method,
                target,
                key if isinstance(key, str) else key.decode("latin-1"),
                hashlib.sha256(raw).hexdigest(),
            ]
        )
        signature = PRIVATE_KEY.sign(string_to_sign.encode("latin-1"))
        request.headers["X-SVC-Key-Id"] = SANDBOX["key_id"]
        request.headers["X-SVC-Timestamp"] = timestamp
        request.headers["X-SVC-Signature"] = base64.b64encode(signature).decode()
        return request


schemathesis.auth.set_from_requests(Signature())
