package lendingservice

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// Refusal is why a delivery is not genuine, or not an event. Log it and answer 400; do not show it to
// the sender.
type Refusal string

func (refusal Refusal) Error() string { return string(refusal) }

var (
	ownForm       = regexp.MustCompile(`^sha256=([0-9a-fA-F]{64})$`)
	standardForm  = regexp.MustCompile(`^v1,([0-9A-Za-z+/]{43}=)$`)
	secretForm    = regexp.MustCompile(`^whsec_([0-9A-Za-z+/]{43}=)$`)
	timestampForm = regexp.MustCompile(`^[0-9]{1,12}$`)
)

// Tolerance is how far a delivery's timestamp may be from the receiver's clock.
const Tolerance = 300 * time.Second

// VerifyWebhook returns the event of a delivery, or a Refusal. X-SVC-Webhook-Signature decides, or
// without it the webhook-signature of Standard Webhooks. The body must be the bytes received; several
// secrets are accepted while one is replaced.
func VerifyWebhook(rawBody []byte, header http.Header, secrets []string, now time.Time, tolerance time.Duration) (*Event, error) {
	if len(secrets) == 0 || slices.Contains(secrets, "") {
		return nil, errors.New("the webhook signing secret is empty")
	}
	read := func(name string) string { return strings.Join(header.Values(name), ", ") }
	own, standard := read("X-SVC-Webhook-Signature"), read("webhook-signature")
	var timestamp string
	var err error
	if own == "" && standard != "" {
		timestamp, err = verifyStandard(rawBody, read, secrets, standard)
	} else {
		timestamp, err = verifyOwn(rawBody, read, secrets, own)
	}
	if err != nil {
		return nil, err
	}
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil {
		return nil, Refusal("malformed_timestamp")
	}
	// As seconds: a duration has no absolute value at its end.
	if math.Abs(now.Sub(time.Unix(seconds, 0)).Seconds()) > tolerance.Seconds() {
		return nil, Refusal("timestamp_out_of_tolerance")
	}
	return readEvent(rawBody)
}

func verifyOwn(rawBody []byte, read func(string) string, secrets []string, signature string) (string, error) {
	if signature == "" {
		return "", Refusal("missing_signature")
	}
	match := ownForm.FindStringSubmatch(signature)
	if match == nil {
		return "", Refusal("malformed_signature")
	}
	timestamp, err := readTimestamp(read("X-SVC-Webhook-Timestamp"))
	if err != nil {
		return "", err
	}
	given, err := hex.DecodeString(match[1])
	if err != nil {
		return "", Refusal("malformed_signature")
	}
	for _, secret := range secrets {
		if hmac.Equal(digest([]byte(secret), timestamp+".", rawBody), given) {
			return timestamp, nil
		}
	}
	return "", Refusal("signature_mismatch")
}

func verifyStandard(rawBody []byte, read func(string) string, secrets []string, signatures string) (string, error) {
	var given [][]byte
	for _, one := range strings.Split(signatures, " ") {
		if match := standardForm.FindStringSubmatch(one); match != nil {
			if bytes, err := base64.StdEncoding.DecodeString(match[1]); err == nil {
				given = append(given, bytes)
			}
		}
	}
	if given == nil {
		return "", Refusal("malformed_signature")
	}
	id := read("webhook-id")
	if id == "" {
		return "", Refusal("missing_id")
	}
	timestamp, err := readTimestamp(read("webhook-timestamp"))
	if err != nil {
		return "", err
	}
	for _, secret := range secrets {
		match := secretForm.FindStringSubmatch(secret)
		if match == nil {
			continue
		}
		key, err := base64.StdEncoding.DecodeString(match[1])
		if err != nil {
			continue
		}
		expected := digest(key, id+"."+timestamp+".", rawBody)
		for _, one := range given {
			if hmac.Equal(expected, one) {
				return timestamp, nil
			}
		}
	}
	return "", Refusal("signature_mismatch")
}

func readTimestamp(text string) (string, error) {
	if text == "" {
		return "", Refusal("missing_timestamp")
	}
	if !timestampForm.MatchString(text) {
		return "", Refusal("malformed_timestamp")
	}
	return text, nil
}

func digest(key []byte, prefix string, rawBody []byte) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(prefix))
	mac.Write(rawBody)
	return mac.Sum(nil)
}

func readEvent(rawBody []byte) (*Event, error) {
	if !utf8.Valid(rawBody) || !json.Valid(rawBody) {
		return nil, Refusal("body_not_json")
	}
	var event Event
	if err := json.Unmarshal(rawBody, &event); err != nil || event.Type == "" {
		return nil, Refusal("body_not_an_event")
	}
	data := bytes.TrimSpace(event.Data)
	if len(data) == 0 || (data[0] != '{' && data[0] != '[') {
		return nil, Refusal("body_not_an_event")
	}
	return &event, nil
}

// ChainEnd is the last event of a range: keep it, and verify what follows after it.
type ChainEnd struct {
	Sequence int64  `json:"sequence"`
	Hash     string `json:"hash"`
}

// ChainBroken is the first event that is not what it was.
type ChainBroken struct {
	Sequence int64
	Reason   string
}

func (broken ChainBroken) Error() string {
	return fmt.Sprintf("%s at %d", broken.Reason, broken.Sequence)
}

// VerifyEventChain verifies consecutive items of GET /v1/events, read without filters, or returns a
// ChainBroken. `after` is where the last verification ended; without it the first item is the start of
// the range. It returns nil where there is nothing at all.
func VerifyEventChain(items []json.RawMessage, after *ChainEnd) (*ChainEnd, error) {
	end := after
	for _, item := range items {
		var event ChainedEvent
		if err := json.Unmarshal(item, &event); err != nil {
			return nil, err
		}
		before := ChainEnd{event.Sequence - 1, event.PreviousHash}
		if event.Sequence == 1 {
			before.Hash = strings.Repeat("0", 64)
		}
		if end != nil {
			before = *end
		}
		hash, err := hashOf(item, event)
		switch {
		case event.Sequence != before.Sequence+1:
			return nil, ChainBroken{event.Sequence, "sequence_broken"}
		case event.PreviousHash != before.Hash:
			return nil, ChainBroken{event.Sequence, "previous_hash_mismatch"}
		case err != nil || event.Hash != hash:
			return nil, ChainBroken{event.Sequence, "hash_mismatch"}
		}
		end = &ChainEnd{event.Sequence, event.Hash}
	}
	return end, nil
}

func hashOf(item []byte, event ChainedEvent) (string, error) {
	body, err := DeliveredBody(item)
	if err != nil {
		return "", err
	}
	previous, err := hex.DecodeString(event.PreviousHash)
	if err != nil {
		return "", err
	}
	bodyHash := sha256.Sum256(body)
	chained := binary.BigEndian.AppendUint64(previous, uint64(event.Sequence))
	hash := sha256.Sum256(append(chained, bodyHash[:]...))
	return hex.EncodeToString(hash[:]), nil
}

// DeliveredBody returns what is delivered of an event of the log, byte for byte.
func DeliveredBody(item []byte) ([]byte, error) {
	decoder := json.NewDecoder(bytes.NewReader(item))
	if _, err := decoder.Token(); err != nil {
		return nil, err
	}
	var members [][]byte
	for decoder.More() {
		start := decoder.InputOffset()
		name, err := decoder.Token()
		if err != nil {
			return nil, err
		}
		var value json.RawMessage
		if err := decoder.Decode(&value); err != nil {
			return nil, err
		}
		if name != "previous_hash" && name != "hash" && name != "deliveries" {
			members = append(members, bytes.TrimLeft(item[start:decoder.InputOffset()], ", \n"))
		}
	}
	return slices.Concat([]byte("{"), bytes.Join(members, []byte(",")), []byte("}")), nil
}
