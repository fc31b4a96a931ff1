package lendingservice

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	mathrand "math/rand/v2"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// Problem is a refusal of the service. Decide by Code; Members is the whole problem object.
type Problem struct {
	Status int
	// Code is unexpected_response for an answer of a gateway.
	Code    string
	Detail  string
	Members map[string]any
	// RetryAfter is negative where the answer has none.
	RetryAfter time.Duration
}

func (problem *Problem) Error() string {
	return fmt.Sprintf("%d %s: %s", problem.Status, problem.Code, problem.Detail)
}

// Unreachable means that no usable answer came; it wraps the reason.
type Unreachable struct{ Reason error }

func (unreachable *Unreachable) Error() string {
	return "no usable answer: " + unreachable.Reason.Error()
}

// Unwrap returns the reason.
func (unreachable *Unreachable) Unwrap() error { return unreachable.Reason }

const longestWait = 60 * time.Second

// RetryDelay is at least Retry-After; false where a retry does not help. `chance` is from 0 to 1.
func RetryDelay(err error, failedAttempts int, chance float64) (time.Duration, bool) {
	var problem *Problem
	var unreachable *Unreachable
	switch {
	case errors.As(err, &problem):
		switch problem.Status {
		case 429, 502, 503, 504:
		default:
			if problem.Code != "idempotency_in_progress" {
				return 0, false
			}
		}
		if problem.RetryAfter >= 0 {
			spread := time.Duration(chance * float64(250*time.Millisecond))
			return problem.RetryAfter + spread, problem.RetryAfter <= longestWait
		}
	case !errors.As(err, &unreachable):
		return 0, false
	}
	backoff := min(250*time.Millisecond<<min(failedAttempts-1, 10), 8*time.Second)
	return time.Duration(float64(backoff) * (0.5 + chance/2)), true
}

// Service is one environment of the service, for requests under one key.
type Service struct {
	base        string
	keyID       string
	key         ed25519.PrivateKey
	client      *http.Client
	clockOffset atomic.Int64
	// MaxAttempts of a request; 5 by default.
	MaxAttempts int
}

// NewService takes the address of a service without /v1, and a key in PKCS#8 PEM form.
func NewService(baseURL, keyID, privateKeyPEM string) (*Service, error) {
	key, err := ReadPrivateKey(privateKeyPEM)
	if err != nil {
		return nil, err
	}
	if !strings.HasPrefix(baseURL, "http://") && !strings.HasPrefix(baseURL, "https://") {
		return nil, fmt.Errorf("not the address of a service: %q", baseURL)
	}
	client := &http.Client{
		Timeout: 30 * time.Second,
		// A redirected request would carry a signature for another target.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return &Service{base: strings.TrimRight(baseURL, "/"), keyID: keyID, key: key, client: client, MaxAttempts: 5}, nil
}

// Request is one call of the service.
type Request struct {
	Method string
	Path   string
	Query  url.Values
	// Body is sent as JSON; nil for none.
	Body any
	// IdempotencyKey is made for everything but GET where it is empty, and kept across retries.
	IdempotencyKey string
}

// Do sends a request and decodes the answer into `answer`, unless that is nil. It returns a *Problem
// for a refusal and an *Unreachable without an answer.
func (service *Service) Do(ctx context.Context, request Request, answer any) error {
	target := request.Path
	if len(request.Query) > 0 {
		target += "?" + request.Query.Encode()
	}
	var body []byte
	if request.Body != nil {
		encoded, err := json.Marshal(request.Body)
		if err != nil {
			return err
		}
		body = encoded
	}
	if request.IdempotencyKey == "" && request.Method != http.MethodGet {
		request.IdempotencyKey = newUUID()
	}
	corrected := false
	for failed := 1; ; failed++ {
		err := service.attempt(ctx, request, target, body, answer)
		if err == nil || ctx.Err() != nil {
			return err
		}
		if !corrected && service.correctClock(err) {
			corrected = true
			failed--
			continue
		}
		delay, helps := RetryDelay(err, failed, mathrand.Float64())
		if !helps || failed >= service.MaxAttempts {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(delay):
		}
	}
}

// EventTypes returns those that a webhook subscribes to; none for all.
func (service *Service) EventTypes(ctx context.Context, webhookID string) ([]string, error) {
	var webhook Webhook
	err := service.Do(ctx, Request{Method: "GET", Path: "/v1/webhooks/" + url.PathEscape(webhookID)}, &webhook)
	return webhook.EventTypes, err
}

// ReplayPage is a page of a webhook's events, each as its text.
type ReplayPage struct {
	Items      []json.RawMessage `json:"items"`
	NextCursor string            `json:"next_cursor"`
	HasMore    bool              `json:"has_more"`
}

// ReplayEvents returns a webhook's events from a cursor on; from the first where it is empty.
func (service *Service) ReplayEvents(ctx context.Context, webhookID, cursor string, limit int) (ReplayPage, error) {
	query := url.Values{"limit": {strconv.Itoa(limit)}}
	if cursor != "" {
		query.Set("from", cursor)
	}
	var page ReplayPage
	path := "/v1/webhooks/" + url.PathEscape(webhookID) + "/events"
	err := service.Do(ctx, Request{Method: "GET", Path: path, Query: query}, &page)
	return page, err
}

func (service *Service) attempt(ctx context.Context, given Request, target string, body []byte, answer any) error {
	request, err := http.NewRequestWithContext(ctx, given.Method, service.base+target, bytes.NewReader(body))
	if err != nil {
		return err
	}
	now := time.Now().Add(time.Duration(service.clockOffset.Load()))
	parts := SignedParts{
		KeyID:          service.keyID,
		Timestamp:      strconv.FormatInt(now.Unix(), 10),
		Method:         given.Method,
		Target:         request.URL.RequestURI(),
		IdempotencyKey: given.IdempotencyKey,
		Body:           body,
	}
	request.Header.Set("X-SVC-Key-Id", parts.KeyID)
	request.Header.Set("X-SVC-Timestamp", parts.Timestamp)
	request.Header.Set("X-SVC-Signature", Sign(service.key, parts))
	if given.IdempotencyKey != "" {
		request.Header.Set("Idempotency-Key", given.IdempotencyKey)
	}
	if len(body) > 0 {
		request.Header.Set("Content-Type", "application/json")
	}
	response, err := service.client.Do(request)
	if err != nil {
		return &Unreachable{err}
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return &Unreachable{err}
	}
	if response.StatusCode < 200 || response.StatusCode > 299 {
		return readProblem(response, text)
	}
	if answer == nil || len(text) == 0 {
		return nil
	}
	if err := json.Unmarshal(text, answer); err != nil {
		return &Unreachable{err}
	}
	return nil
}

func readProblem(response *http.Response, text []byte) error {
	problem := &Problem{Status: response.StatusCode, Code: "unexpected_response", RetryAfter: -1}
	problem.Detail = "The answer was not a problem object."
	if json.Unmarshal(text, &problem.Members) == nil {
		if code, ok := problem.Members["code"].(string); ok {
			problem.Code = code
		}
		if detail, ok := problem.Members["detail"].(string); ok {
			problem.Detail = detail
		}
	}
	if seconds, err := strconv.ParseUint(response.Header.Get("Retry-After"), 10, 31); err == nil {
		problem.RetryAfter = time.Duration(seconds) * time.Second
	}
	return problem
}

func (service *Service) correctClock(err error) bool {
	var problem *Problem
	if !errors.As(err, &problem) || problem.Code != "timestamp_out_of_range" {
		return false
	}
	text, _ := problem.Members["server_time"].(string)
	server, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return false
	}
	service.clockOffset.Store(int64(time.Until(server)))
	return true
}

func newUUID() string {
	id := make([]byte, 16)
	// It never fails: without randomness the process ends.
	_, _ = rand.Read(id)
	id[6], id[8] = id[6]&0x0f|0x40, id[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", id[:4], id[4:6], id[6:8], id[8:10], id[10:])
}
