"""One signed mutation by the client that openapi-python-client makes."""

import base64
import hashlib
import json
import os
import time
import uuid

import httpx
from cryptography.hazmat.primitives.serialization import load_pem_private_key
from lending_service_client import Client
from lending_service_client.api.onboarding import create_borrower
from lending_service_client.models.create_borrower_body import CreateBorrowerBody
from lending_service_client.models.create_borrower_body_type import CreateBorrowerBodyType

with open(os.path.join(os.environ.get("LOCAL_DIR", ".local"), "sandbox.json")) as file:
    sandbox = json.load(file)
private_key = load_pem_private_key(sandbox["private_key_pem"].encode(), None)


def sign(request: httpx.Request) -> None:
    timestamp = str(int(time.time()))
    string_to_sign = "\n".join(
        [
            "SVC-ED25519-V1",
            sandbox["key_id"],
            timestamp,
            request.method,
            request.url.raw_path.decode(),
            request.headers.get("Idempotency-Key", ""),
            hashlib.sha256(request.read()).hexdigest(),
        ]
    )
    signature = private_key.sign(string_to_sign.encode())
    request.headers["X-SVC-Key-Id"] = sandbox["key_id"]
    request.headers["X-SVC-Timestamp"] = timestamp
    request.headers["X-SVC-Signature"] = base64.b64encode(signature).decode()


client = Client(
    base_url=sandbox["base_url"], httpx_args={"event_hooks": {"request": [sign]}}
)
body = CreateBorrowerBody(
    type_=CreateBorrowerBodyType.INDIVIDUAL, kyc_attested=True, residency_country="DE"
)
answer = create_borrower.sync_detailed(
    client=client, body=body, idempotency_key=str(uuid.uuid4())
)
if answer.status_code != 201 or answer.parsed is None:
    raise SystemExit(f"{answer.status_code} {answer.content!r}")
print(answer.parsed.id)
