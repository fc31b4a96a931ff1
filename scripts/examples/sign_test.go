// Runs Sign of docs/examples/signed-request.go over the vectors of vectors.json.
package main

import (
	"encoding/json"
	"os"
	"testing"
)

func TestVectors(t *testing.T) {
	text, err := os.ReadFile("vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var vectors struct {
		PrivateKeyPEM string `json:"private_key_pem"`
		Requests      []struct {
			KeyID                                      string `json:"key_id"`
			IdempotencyKey                             string `json:"idempotency_key"`
			Timestamp, Method, Target, Body, Signature string
		}
	}
	if err := json.Unmarshal(text, &vectors); err != nil {
		t.Fatal(err)
	}
	key, err := ReadPrivateKey(vectors.PrivateKeyPEM)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range vectors.Requests {
		if got := Sign(key, c.KeyID, c.Timestamp, c.Method, c.Target, c.IdempotencyKey, []byte(c.Body)); got != c.Signature {
			t.Errorf("%s %s: %s", c.Method, c.Target, got)
		}
	}
}
