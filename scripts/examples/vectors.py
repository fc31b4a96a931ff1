# Signs the requests of vectors with docs/examples/signed-request.py: JSON on standard input, signatures
# on output.
import importlib.util
import json
import sys

from cryptography.hazmat.primitives.serialization import load_pem_private_key

spec = importlib.util.spec_from_file_location("example", "docs/examples/signed-request.py")
signer = importlib.util.module_from_spec(spec)
spec.loader.exec_module(signer)
cases = json.load(sys.stdin)
key = load_pem_private_key(cases["private_key_pem"].encode(), password=None)
signatures = [
    signer.sign(
        key, c["key_id"], c["timestamp"], c["method"], c["target"], c["idempotency_key"], c["body"].encode()
    )
    for c in cases["requests"]
]
print(json.dumps(signatures, separators=(",", ":")))
