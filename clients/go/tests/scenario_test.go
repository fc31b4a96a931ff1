package tests

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	lending "lendingservice.example/client"
)

type logEvent struct {
	Sequence, Version int64
	Resource, Type    string
}

type scenario struct {
	Name     string
	Webhooks map[string]struct {
		EventTypes []string `json:"event_types"`
		From       int64
	}
	Page  int
	Log   []logEvent
	Steps []map[string]json.RawMessage
}

type seen struct {
	Applied         []int64  `json:"applied"`
	AppliedSequence int64    `json:"applied_sequence"`
	Reads           int      `json:"reads"`
	Incidents       []string `json:"incidents"`
}

// player plays a scenario of the conformance file over a store.
type player[Tx any] struct {
	t           *testing.T
	scenario    scenario
	secret      string
	store       lending.Store[Tx]
	now         time.Time
	logTo       int64
	failing     []int64
	replayFails string
	webhookID   string
	seen        seen
	inbox       *lending.Inbox[Tx]
}

func play[Tx any](t *testing.T, given scenario, secret string, store lending.Store[Tx]) {
	p := &player[Tx]{t: t, scenario: given, secret: secret, store: store, logTo: math.MaxInt64}
	p.now = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	// The first webhook of the file is the one that the inbox begins with.
	p.webhookID = "whk_1"
	p.forget()
	p.start()
	for _, step := range given.Steps {
		for kind, value := range step {
			p.step(kind, value)
		}
	}
}

func (p *player[Tx]) forget() { p.seen = seen{Applied: []int64{}, Incidents: []string{}} }

func (p *player[Tx]) start() {
	p.inbox = lending.NewInbox(lending.InboxOptions[Tx]{
		Name: p.scenario.Name, WebhookID: p.webhookID, Secrets: []string{p.secret}, Service: p, Store: p.store,
		Apply: func(_ context.Context, _ Tx, event lending.Event) error {
			if slices.Contains(p.failing, event.Sequence) {
				return errors.New("failed, as it should")
			}
			p.seen.Applied = append(p.seen.Applied, event.Sequence)
			return nil
		},
		Report: func(incident lending.Incident) { p.seen.Incidents = append(p.seen.Incidents, incident.Kind) },
		Now:    func() time.Time { return p.now },
	})
}

func (p *player[Tx]) EventTypes(_ context.Context, webhookID string) ([]string, error) {
	return p.scenario.Webhooks[webhookID].EventTypes, nil
}

// ReplayEvents pages as the service does: a cursor belongs to its webhook.
func (p *player[Tx]) ReplayEvents(_ context.Context, webhookID, cursor string, _ int) (lending.ReplayPage, error) {
	p.seen.Reads++
	if p.replayFails != "" {
		return lending.ReplayPage{}, errors.New(p.replayFails)
	}
	webhook := p.scenario.Webhooks[webhookID]
	owner, after, _ := strings.Cut(cursor, ":")
	if cursor != "" && owner != webhookID {
		return lending.ReplayPage{}, errors.New("cursor_invalid")
	}
	last, _ := strconv.ParseInt(after, 10, 64)
	page := lending.ReplayPage{}
	for _, event := range p.scenario.Log {
		isOf := len(webhook.EventTypes) == 0 || slices.Contains(webhook.EventTypes, typeOf(event))
		if !isOf || event.Sequence < webhook.From || event.Sequence > p.logTo || event.Sequence <= last {
			continue
		}
		if len(page.Items) == p.scenario.Page {
			page.HasMore = true
			break
		}
		page.Items = append(page.Items, toBody(event))
		last = event.Sequence
	}
	page.NextCursor = fmt.Sprintf("%s:%d", webhookID, last)
	return page, nil
}

func (p *player[Tx]) post(body []byte, expected int) {
	timestamp := strconv.FormatInt(p.now.Unix(), 10)
	header := http.Header{}
	header.Set("X-SVC-Webhook-Timestamp", timestamp)
	header.Set("X-SVC-Webhook-Signature", sign(p.secret, timestamp, string(body)))
	status, err := p.inbox.Receive(context.Background(), body, header)
	if err != nil || status != expected {
		p.t.Fatalf("answered %d, %v", status, err)
	}
}

func (p *player[Tx]) step(kind string, value json.RawMessage) {
	switch kind {
	case "deliver":
		for _, sequence := range read[[]int64](p.t, value) {
			at := slices.IndexFunc(p.scenario.Log, func(event logEvent) bool { return event.Sequence == sequence })
			p.post(toBody(p.scenario.Log[at]), 204)
		}
	case "post":
		given := read[struct {
			Event  json.RawMessage
			Status int
		}](p.t, value)
		p.post(given.Event, given.Status)
	case "tick":
		if err := p.inbox.Tick(context.Background()); err != nil {
			p.seen.Incidents = append(p.seen.Incidents, "unavailable")
		}
	case "wait":
		p.now = p.now.Add(time.Duration(math.Round(read[float64](p.t, value)*1000)) * time.Millisecond)
	case "fail":
		p.failing = read[[]int64](p.t, value)
	case "log_to":
		p.logTo = read[int64](p.t, value)
	case "replay_fails":
		p.replayFails = read[string](p.t, value)
	case "restart":
		p.start()
	case "webhook":
		p.webhookID = read[string](p.t, value)
		p.start()
	case "expect":
		applied, err := p.inbox.AppliedSequence(context.Background())
		if err != nil {
			p.t.Fatal(err)
		}
		p.seen.AppliedSequence = applied
		if expected := read[seen](p.t, value); !reflect.DeepEqual(p.seen, expected) {
			p.t.Fatalf("expected %+v, saw %+v", expected, p.seen)
		}
		p.forget()
	default:
		p.t.Fatalf("no such step: %s", kind)
	}
}

func read[T any](t *testing.T, text json.RawMessage) (value T) {
	if err := json.Unmarshal(text, &value); err != nil {
		t.Fatal(err)
	}
	return value
}

func typeOf(event logEvent) string {
	if event.Type == "" {
		return "borrower.eligible"
	}
	return event.Type
}

func toBody(event logEvent) []byte {
	kind, id, _ := strings.Cut(event.Resource, "/")
	return fmt.Appendf(nil, `{"id":"evt_%d","type":%q,"occurred_at":"2026-11-20T12:00:05.000Z","resource_version":%d,`+
		`"resource":{"type":%q,"id":%q},"sequence":%d,"data":{}}`,
		event.Sequence, typeOf(event), event.Version, kind, id, event.Sequence)
}

var delivery = string(toBody(logEvent{Sequence: 1, Version: 1, Resource: "borrower/a"}))

func sign(secret, timestamp, body string) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(timestamp + "." + body))
	return "sha256=" + hex.EncodeToString(mac.Sum(nil))
}
