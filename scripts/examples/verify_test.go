// Runs Verify of docs/examples/webhook-receiver.go over the vectors of vectors.json.
package main

import (
	"encoding/json"
	"os"
	"testing"
	"time"
)

func TestVectors(t *testing.T) {
	text, err := os.ReadFile("vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var vectors struct {
		Deliveries []struct {
			Case, Secret, Timestamp, Signature, Body, Verdict string
			Now                                               int64
		}
	}
	if err := json.Unmarshal(text, &vectors); err != nil {
		t.Fatal(err)
	}
	for _, c := range vectors.Deliveries {
		got := "ok"
		if _, err := Verify(c.Secret, c.Timestamp, c.Signature, []byte(c.Body), time.Unix(c.Now, 0)); err != nil {
			got = err.Error()
		}
		if got != c.Verdict {
			t.Errorf("%s: %s", c.Case, got)
		}
	}
}
