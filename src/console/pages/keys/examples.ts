type Given = { origin: string; keyId: string }

type Example = {
  name: string
  file: string
  run: string
  write: (given: Given) => string
}

/** The first signed request in four languages, with nothing but what each comes with. */
export const EXAMPLES: readonly Example[] = [
  {
    name: 'Shell',
    file: 'first-request.sh',
    run: 'sh first-request.sh',
    write: ({ origin, keyId }) => `# curl and OpenSSL 3
base_url=${origin}
key_id=${keyId}
timestamp=$(date +%s)
body_hash=$(printf '' | openssl dgst -sha256 -r | cut -d ' ' -f 1)

printf 'SVC-ED25519-V1\\n%s\\n%s\\nGET\\n/v1/documents\\n\\n%s' \\
  "$key_id" "$timestamp" "$body_hash" > string-to-sign
signature=$(openssl pkeyutl -sign -rawin -inkey "$key_id.pem" -in string-to-sign |
  openssl base64 -A)

curl --silent --show-error "$base_url/v1/documents" \\
  --header "X-SVC-Key-Id: $key_id" \\
  --header "X-SVC-Timestamp: $timestamp" \\
  --header "X-SVC-Signature: $signature"
`,
  },
  {
    name: 'Python',
    file: 'first_request.py',
    run: 'pip install cryptography && python3 first_request.py',
    write: ({ origin, keyId }) => `import base64, hashlib, time, urllib.request
from cryptography.hazmat.primitives.serialization import load_pem_private_key

BASE_URL = "${origin}"
KEY_ID = "${keyId}"

with open(f"{KEY_ID}.pem", "rb") as file:
    private_key = load_pem_private_key(file.read(), password=None)

timestamp = str(int(time.time()))
string_to_sign = "\\n".join([
    "SVC-ED25519-V1", KEY_ID, timestamp, "GET", "/v1/documents",
    "",  # the Idempotency-Key; a GET has none
    hashlib.sha256(b"").hexdigest(),
])
signature = private_key.sign(string_to_sign.encode())

request = urllib.request.Request(BASE_URL + "/v1/documents", headers={
    "X-SVC-Key-Id": KEY_ID,
    "X-SVC-Timestamp": timestamp,
    "X-SVC-Signature": base64.b64encode(signature).decode(),
})
with urllib.request.urlopen(request) as response:
    print(response.status, response.read().decode())
`,
  },
  {
    name: 'TypeScript',
    file: 'first-request.ts',
    run: 'node first-request.ts',
    write: ({ origin, keyId }) => `import { createHash, sign } from 'node:crypto'
import { readFileSync } from 'node:fs'

const baseUrl = '${origin}'
const keyId = '${keyId}'
const privateKey = readFileSync(\`\${keyId}.pem\`, 'utf8')

const timestamp = Math.floor(Date.now() / 1000).toString()
const stringToSign = [
  'SVC-ED25519-V1',
  keyId,
  timestamp,
  'GET',
  '/v1/documents',
  '', // the Idempotency-Key; a GET has none
  createHash('sha256').update('').digest('hex'),
].join('\\n')

const response = await fetch(\`\${baseUrl}/v1/documents\`, {
  headers: {
    'X-SVC-Key-Id': keyId,
    'X-SVC-Timestamp': timestamp,
    'X-SVC-Signature': sign(null, Buffer.from(stringToSign), privateKey).toString('base64'),
  },
})
console.log(response.status, await response.text())
`,
  },
  {
    name: 'Go',
    file: 'first_request.go',
    run: 'go run first_request.go',
    write: ({ origin, keyId }) => `package main

import (
	"crypto/ed25519"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"time"
)

const (
	baseURL = "${origin}"
	keyID   = "${keyId}"
)

func main() {
	text, err := os.ReadFile(keyID + ".pem")
	if err != nil {
		log.Fatal(err)
	}
	block, _ := pem.Decode(text)
	key, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		log.Fatal(err)
	}
	timestamp := fmt.Sprint(time.Now().Unix())
	// The empty line is the Idempotency-Key; a GET has none.
	stringToSign := fmt.Sprintf("SVC-ED25519-V1\\n%s\\n%s\\nGET\\n/v1/documents\\n\\n%x",
		keyID, timestamp, sha256.Sum256(nil))
	signature := ed25519.Sign(key.(ed25519.PrivateKey), []byte(stringToSign))

	request, _ := http.NewRequest("GET", baseURL+"/v1/documents", nil)
	request.Header.Set("X-SVC-Key-Id", keyID)
	request.Header.Set("X-SVC-Timestamp", timestamp)
	request.Header.Set("X-SVC-Signature", base64.StdEncoding.EncodeToString(signature))
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	answer, _ := io.ReadAll(response.Body)
	fmt.Println(response.StatusCode, string(answer))
}
`,
  },
]
