// A webhook receiver with Go's standard library:
//
//	WEBHOOK_SECRET=whsec_… go run docs/examples/webhook-receiver.go
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Event is a delivery; see docs/events.md for the data of each type.
type Event struct {
	ID              string                    `json:"id"`
	Type            string                    `json:"type"`
	OccurredAt      time.Time                 `json:"occurred_at"`
	ResourceVersion int64                     `json:"resource_version"`
	Resource        struct{ Type, ID string } `json:"resource"`
	Sequence        int64                     `json:"sequence"`
	Data            json.RawMessage           `json:"data"`
}

var (
	signatureForm = regexp.MustCompile(`^sha256=[0-9a-fA-F]{64}$`)
	timestampForm = regexp.MustCompile(`^[0-9]{1,12}$`)
)

// Verify returns the event of a delivery. An absent header is ""; rawBody is what arrived.
// Log an error and answer 400; do not show it to the sender.
func Verify(secret, timestamp, signature string, rawBody []byte, now time.Time) (*Event, error) {
	switch {
	case signature == "":
		return nil, errors.New("missing_signature")
	case !signatureForm.MatchString(signature):
		return nil, errors.New("malformed_signature")
	case timestamp == "":
		return nil, errors.New("missing_timestamp")
	case !timestampForm.MatchString(timestamp):
		return nil, errors.New("malformed_timestamp")
	}
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(timestamp + "."))
	mac.Write(rawBody)
	claimed, err := hex.DecodeString(strings.TrimPrefix(signature, "sha256="))
	if err != nil || !hmac.Equal(mac.Sum(nil), claimed) {
		return nil, errors.New("signature_mismatch")
	}
	sentAt, err := strconv.ParseInt(timestamp, 10, 64)
	if age := now.Unix() - sentAt; err != nil || age > 300 || age < -300 {
		return nil, errors.New("timestamp_out_of_tolerance")
	}
	var event Event
	if err := json.Unmarshal(rawBody, &event); err != nil {
		return nil, errors.New("body_not_json")
	}
	return &event, nil
}

func main() {
	secret := os.Getenv("WEBHOOK_SECRET")
	if secret == "" {
		log.Fatal("Set WEBHOOK_SECRET to your signing secret.")
	}
	port := os.Getenv("RECEIVER_PORT")
	if port == "" {
		port = "9000"
	}
	var seen sync.Map // in production: a table with the event id as its key
	receive := func(response http.ResponseWriter, request *http.Request) {
		rawBody, err := io.ReadAll(request.Body)
		if err != nil {
			return
		}
		event, err := Verify(
			secret,
			request.Header.Get("X-SVC-Webhook-Timestamp"),
			request.Header.Get("X-SVC-Webhook-Signature"),
			rawBody,
			time.Now(),
		)
		if err != nil {
			fmt.Println("refused:", err)
			response.WriteHeader(http.StatusBadRequest)
			return
		}
		if _, known := seen.LoadOrStore(event.ID, true); !known {
			fmt.Println("verified", event.Type, event.Resource.ID, string(event.Data)) // in production: put it in a queue
		}
		response.WriteHeader(http.StatusNoContent)
	}
	log.Fatal(http.ListenAndServe("127.0.0.1:"+port, http.HandlerFunc(receive)))
}
