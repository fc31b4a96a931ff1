// A first signed request with Go's standard library: go run docs/examples/signed-request.go
package main

import (
	"bytes"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// Sandbox is what npm start wrote to .local/sandbox.json.
type Sandbox struct {
	BaseURL       string `json:"base_url"`
	KeyID         string `json:"key_id"`
	PrivateKeyPEM string `json:"private_key_pem"`
}

// Sign makes the X-SVC-Signature of a request; an absent value is an empty string.
func Sign(key ed25519.PrivateKey, keyID, timestamp, method, target, idempotencyKey string, body []byte) string {
	hash := sha256.Sum256(body)
	stringToSign := strings.Join([]string{
		"SVC-ED25519-V1", keyID, timestamp, method, target, idempotencyKey, hex.EncodeToString(hash[:]),
	}, "\n")
	return base64.StdEncoding.EncodeToString(ed25519.Sign(key, []byte(stringToSign)))
}

// ReadPrivateKey reads an Ed25519 key in PKCS#8 PEM.
func ReadPrivateKey(text string) (ed25519.PrivateKey, error) {
	block, _ := pem.Decode([]byte(text))
	if block == nil {
		return nil, errors.New("the private key is no PEM")
	}
	key, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return nil, err
	}
	private, ok := key.(ed25519.PrivateKey)
	if !ok {
		return nil, errors.New("the private key is not an Ed25519 key")
	}
	return private, nil
}

func send(sandbox Sandbox, key ed25519.PrivateKey, method, target string, body []byte) error {
	request, err := http.NewRequest(method, sandbox.BaseURL+target, bytes.NewReader(body))
	if err != nil {
		return err
	}
	timestamp := strconv.FormatInt(time.Now().Unix(), 10)
	idempotencyKey := ""
	if method != http.MethodGet {
		idempotencyKey = newUUID()
		request.Header.Set("Idempotency-Key", idempotencyKey)
	}
	if len(body) > 0 {
		request.Header.Set("Content-Type", "application/json")
	}
	// The target exactly as it is sent.
	sent := request.URL.RequestURI()
	request.Header.Set("X-SVC-Key-Id", sandbox.KeyID)
	request.Header.Set("X-SVC-Timestamp", timestamp)
	request.Header.Set("X-SVC-Signature", Sign(key, sandbox.KeyID, timestamp, method, sent, idempotencyKey, body))

	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	fmt.Println(method, target, response.StatusCode)
	fmt.Println(string(answer))
	return err
}

func newUUID() string {
	id := make([]byte, 16)
	rand.Read(id)
	id[6], id[8] = id[6]&0x0f|0x40, id[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", id[:4], id[4:6], id[6:8], id[8:10], id[10:])
}

func run() error {
	folder := os.Getenv("LOCAL_DIR")
	if folder == "" {
		folder = ".local"
	}
	text, err := os.ReadFile(filepath.Join(folder, "sandbox.json"))
	if err != nil {
		return err
	}
	var sandbox Sandbox
	if err := json.Unmarshal(text, &sandbox); err != nil {
		return err
	}
	key, err := ReadPrivateKey(sandbox.PrivateKeyPEM)
	if err != nil {
		return err
	}
	if err := send(sandbox, key, "GET", "/v1/documents", nil); err != nil {
		return err
	}
	borrower := `{"type":"individual","kyc_attested":true,"residency_country":"US","residency_state":"CA"}`
	return send(sandbox, key, "POST", "/v1/borrowers", []byte(borrower))
}

func main() {
	if err := run(); err != nil {
		log.Fatal(err)
	}
}
