# Runs the functions of docs/examples/*.py over vectors: JSON on standard input, results on output.
import importlib.util
import json
import sys

from cryptography.hazmat.primitives.serialization import load_pem_private_key


def load(name):
    spec = importlib.util.spec_from_file_location("example", f"docs/examples/{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def verdict(receiver, case):
    body = case["body"].encode()
    try:
        receiver.verify(case["secret"], case["timestamp"], case["signature"], body, case["now"])
        return "ok"
    except receiver.Refused as reason:
        return str(reason)


cases = json.load(sys.stdin)
signer, receiver = load("signed-request"), load("webhook-receiver")
key = load_pem_private_key(cases["private_key_pem"].encode(), password=None)
json.dump(
    {
        "signatures": [
            signer.sign(
                key, c["key_id"], c["timestamp"], c["method"], c["target"], c["idempotency_key"],
                c["body"].encode(),
            )
            for c in cases["requests"]
        ],
        "verdicts": [verdict(receiver, c) for c in cases["deliveries"]],
    },
    sys.stdout,
)
