#!/bin/sh
# A first signed request with OpenSSL 3 and curl: sh docs/examples/signed-request.sh
# Node only reads the credentials and makes the UUID.
set -eu

credentials=${LOCAL_DIR:-.local}/sandbox.json
if ! [ -r "$credentials" ]; then
  echo "$credentials cannot be read. Is the stack running? npm start runs it." >&2
  exit 1
fi
credential() {
  node -p 'JSON.parse(fs.readFileSync(process.argv[1], "utf8"))[process.argv[2]]' "$credentials" "$1"
}

umask 077 # only this user may read the private key
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

base_url=$(credential base_url)
key_id=$(credential key_id)
credential private_key_pem >"$work/key.pem"

# send METHOD TARGET [BODY]
send() {
  method=$1 target=$2 body=${3-}
  timestamp=$(date +%s)
  idempotency_key=
  [ "$method" = GET ] || idempotency_key=$(node -p 'crypto.randomUUID()')
  body_hash=$(printf %s "$body" | openssl dgst -sha256 -r | cut -d ' ' -f 1)

  printf 'SVC-ED25519-V1\n%s\n%s\n%s\n%s\n%s\n%s' "$key_id" "$timestamp" "$method" "$target" \
    "$idempotency_key" "$body_hash" >"$work/string-to-sign"
  signature=$(openssl pkeyutl -sign -rawin -inkey "$work/key.pem" -in "$work/string-to-sign" |
    openssl base64 -A)

  set -- --silent --show-error --globoff --path-as-is --request "$method" "$base_url$target" \
    --write-out '\n%{http_code}\n' \
    --header "X-SVC-Key-Id: $key_id" \
    --header "X-SVC-Timestamp: $timestamp" \
    --header "X-SVC-Signature: $signature"
  [ -z "$idempotency_key" ] || set -- "$@" --header "Idempotency-Key: $idempotency_key"
  [ -z "$body" ] || set -- "$@" --header 'Content-Type: application/json' --data-binary "$body"
  curl "$@"
}

send GET /v1/documents
send POST /v1/borrowers \
  '{"type":"individual","kyc_attested":true,"residency_country":"US","residency_state":"CA"}'
