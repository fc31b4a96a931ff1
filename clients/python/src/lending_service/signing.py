"""Signs requests to the service with Ed25519."""

from __future__ import annotations

import base64
import hashlib

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import load_pem_private_key


def read_private_key(key: str | bytes | Ed25519PrivateKey) -> Ed25519PrivateKey:
    """Takes a PKCS#8 PEM, the 32 secret bytes, or a key. Raises ValueError for other keys."""
    if isinstance(key, Ed25519PrivateKey):
        return key
    if isinstance(key, bytes) and len(key) == 32:
        return Ed25519PrivateKey.from_private_bytes(key)
    pem = key.encode() if isinstance(key, str) else key
    loaded = load_pem_private_key(pem, password=None)
    if not isinstance(loaded, Ed25519PrivateKey):
        raise ValueError("The private key is not an Ed25519 key in PKCS#8 PEM form.")
    return loaded


def string_to_sign(
    key_id: str, timestamp: str, method: str, target: str, *, idempotency_key: str = "", body: bytes = b""
) -> str:
    """Seven lines without a trailing newline. `target` is path and query exactly as sent."""
    digest = hashlib.sha256(body).hexdigest()
    lines = ["SVC-ED25519-V1", key_id, timestamp, method.upper(), target, idempotency_key, digest]
    return "\n".join(lines)


def sign_request(
    key: Ed25519PrivateKey,
    key_id: str,
    timestamp: str,
    method: str,
    target: str,
    *,
    idempotency_key: str = "",
    body: bytes = b"",
) -> dict[str, str]:
    """Returns the headers of a signed request."""
    text = string_to_sign(key_id, timestamp, method, target, idempotency_key=idempotency_key, body=body)
    headers = {
        "X-SVC-Key-Id": key_id,
        "X-SVC-Timestamp": timestamp,
        "X-SVC-Signature": base64.b64encode(key.sign(text.encode())).decode(),
    }
    if idempotency_key:
        headers["Idempotency-Key"] = idempotency_key
    return headers
