// One signed mutation by the client that oapi-codegen makes.
package main

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"
)

type sandboxFile struct {
	BaseURL       string `json:"base_url"`
	KeyID         string `json:"key_id"`
	PrivateKeyPem string `json:"private_key_pem"`
}

func main() {
	folder := os.Getenv("LOCAL_DIR")
	if folder == "" {
		folder = ".local"
	}
	content, err := os.ReadFile(filepath.Join(folder, "sandbox.json"))
	check(err)
	var sandbox sandboxFile
	check(json.Unmarshal(content, &sandbox))
	block, _ := pem.Decode([]byte(sandbox.PrivateKeyPem))
	parsed, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	check(err)
	privateKey := parsed.(ed25519.PrivateKey)

	sign := func(_ context.Context, request *http.Request) error {
		body, err := io.ReadAll(request.Body)
		if err != nil {
			return err
		}
		request.Body = io.NopCloser(bytes.NewReader(body))
		timestamp := fmt.Sprint(time.Now().Unix())
		text := strings.Join([]string{
			"SVC-ED25519-V1", sandbox.KeyID, timestamp, request.Method, request.URL.RequestURI(),
			request.Header.Get("Idempotency-Key"), fmt.Sprintf("%x", sha256.Sum256(body)),
		}, "\n")
		signature := ed25519.Sign(privateKey, []byte(text))
		request.Header.Set("X-SVC-Key-Id", sandbox.KeyID)
		request.Header.Set("X-SVC-Timestamp", timestamp)
		request.Header.Set("X-SVC-Signature", base64.StdEncoding.EncodeToString(signature))
		return nil
	}
	client, err := NewClientWithResponses(sandbox.BaseURL, WithRequestEditorFn(sign))
	check(err)
	raw := make([]byte, 16)
	_, _ = rand.Read(raw)
	key := fmt.Sprintf("%x-%x-%x-%x-%x", raw[:4], raw[4:6], raw[6:8], raw[8:10], raw[10:])
	answer, err := client.CreateBorrowerWithResponse(
		context.Background(),
		&CreateBorrowerParams{IdempotencyKey: key},
		CreateBorrowerJSONRequestBody{
			Type: "individual", KycAttested: true, ResidencyCountry: "DE",
		},
	)
	check(err)
	if answer.JSON201 == nil {
		log.Fatal(answer.Status(), " ", string(answer.Body))
	}
	fmt.Println(answer.JSON201.Id)
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
