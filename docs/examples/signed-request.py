# A first signed request with Python 3.9 or later: pip install cryptography
#   python3 docs/examples/signed-request.py
import base64
import hashlib
import json
import os
import sys
import time
import urllib.error
import urllib.request
import uuid

from cryptography.hazmat.primitives.serialization import load_pem_private_key


def sign(private_key, key_id, timestamp, method, target, idempotency_key="", body=b""):
    string_to_sign = "\n".join(
        [
            "SVC-ED25519-V1",
            key_id,
            timestamp,
            method,
            target,
            idempotency_key,
            hashlib.sha256(body).hexdigest(),
        ]
    )
    return base64.b64encode(private_key.sign(string_to_sign.encode())).decode()


def send(sandbox, private_key, method, target, content=None):
    body = b"" if content is None else json.dumps(content).encode()
    timestamp = str(int(time.time()))
    idempotency_key = "" if method == "GET" else str(uuid.uuid4())
    headers = {
        "X-SVC-Key-Id": sandbox["key_id"],
        "X-SVC-Timestamp": timestamp,
        "X-SVC-Signature": sign(
            private_key, sandbox["key_id"], timestamp, method, target, idempotency_key, body
        ),
    }
    if idempotency_key:
        headers["Idempotency-Key"] = idempotency_key
    if body:
        headers["Content-Type"] = "application/json"
    request = urllib.request.Request(
        sandbox["base_url"] + target, data=body or None, headers=headers, method=method
    )
    try:
        response = urllib.request.urlopen(request)
    except urllib.error.HTTPError as refused:  # a problem object, to be read like any answer
        response = refused
    with response:
        print(method, target, response.status)
        print(response.read().decode())


def main():
    with open(os.path.join(os.environ.get("LOCAL_DIR", ".local"), "sandbox.json")) as file:
        sandbox = json.load(file)
    private_key = load_pem_private_key(sandbox["private_key_pem"].encode(), password=None)
    send(sandbox, private_key, "GET", "/v1/documents")
    borrower = {
        "type": "individual",
        "kyc_attested": True,
        "residency_country": "US",
        "residency_state": "CA",
    }
    send(sandbox, private_key, "POST", "/v1/borrowers", borrower)


if __name__ == "__main__":
    try:
        main()
    except OSError as error:  # no credentials, or no answer
        sys.exit(f"{error}. Is the stack running? npm start runs it.")
