// Package tests plays the cases of clients/conformance.json. It is a module of its own, so that the
// client needs no driver of PostgreSQL.
//
// DATABASE_URL names a database of PostgreSQL in which the tables of an inbox may be created.
package tests

import (
	"context"
	"crypto/ed25519"
	"database/sql"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	_ "github.com/lib/pq"
	lending "lendingservice.example/client"
)

type conformance struct {
	Key struct {
		ID      string
		PEM     string `json:"pkcs8_pem"`
		SeedHex string `json:"seed_hex"`
	}
	Secret  string
	Signing []struct {
		Name, Timestamp, Method, Target, Body, Signature string
		IdempotencyKey                                   string `json:"idempotency_key"`
		StringToSign                                     string `json:"string_to_sign"`
	}
	Verifying []struct {
		Name, Body, Verdict string
		Secrets             []string
		Headers             map[string]string
		BodyBase64          string `json:"body_base64"`
		Now                 float64
	}
	Retries []struct {
		Name, Code     string
		Status         int
		RetryAfter     *int `json:"retry_after"`
		FailedAttempts int  `json:"failed_attempts"`
		Random         float64
		DelayMS        *float64 `json:"delay_ms"`
	}
	Chains []struct {
		Name    string
		Items   []string
		After   *lending.ChainEnd
		Verdict struct {
			OK       bool
			End      *lending.ChainEnd
			Sequence int64
			Reason   string
		}
	}
	Inbox []scenario
}

func readCases(t *testing.T) (cases conformance) {
	text, err := os.ReadFile("../../conformance.json")
	if err != nil {
		t.Fatal(err)
	}
	return read[conformance](t, text)
}

func TestEachRequestIsSignedAsDocumented(t *testing.T) {
	cases := readCases(t)
	fromPEM, err := lending.ReadPrivateKey(cases.Key.PEM)
	if err != nil {
		t.Fatal(err)
	}
	seed, err := hex.DecodeString(cases.Key.SeedHex)
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range []ed25519.PrivateKey{fromPEM, ed25519.NewKeyFromSeed(seed)} {
		for _, c := range cases.Signing {
			t.Run(c.Name, func(t *testing.T) {
				parts := lending.SignedParts{
					KeyID: cases.Key.ID, Timestamp: c.Timestamp, Method: c.Method, Target: c.Target,
					IdempotencyKey: c.IdempotencyKey, Body: []byte(c.Body),
				}
				if text := lending.StringToSign(parts); text != c.StringToSign {
					t.Errorf("string to sign: %q", text)
				}
				if signature := lending.Sign(key, parts); signature != c.Signature {
					t.Errorf("signature: %s", signature)
				}
			})
		}
	}
}

func TestEachDeliveryGetsItsVerdict(t *testing.T) {
	for _, c := range readCases(t).Verifying {
		t.Run(c.Name, func(t *testing.T) {
			body := []byte(c.Body)
			if c.BodyBase64 != "" {
				body, _ = base64.StdEncoding.DecodeString(c.BodyBase64)
			}
			header := http.Header{}
			for name, value := range c.Headers {
				header.Add(name, value)
			}
			verdict := "ok"
			now := time.UnixMilli(int64(c.Now*1000 + 0.5))
			if _, err := lending.VerifyWebhook(body, header, c.Secrets, now, lending.Tolerance); err != nil {
				verdict = err.Error()
			}
			if verdict != c.Verdict {
				t.Errorf("%s in place of %s", verdict, c.Verdict)
			}
		})
	}
}

func TestNoSecretIsAMistakeOfTheReceiver(t *testing.T) {
	for _, secrets := range [][]string{nil, {""}, {"whsec_x", ""}} {
		_, err := lending.VerifyWebhook(nil, http.Header{}, secrets, time.Now(), lending.Tolerance)
		if refusal := lending.Refusal(""); err == nil || errors.As(err, &refusal) {
			t.Errorf("%q: %v", secrets, err)
		}
	}
}

func TestEachFailureIsRetriedAsDocumented(t *testing.T) {
	for _, c := range readCases(t).Retries {
		t.Run(c.Name, func(t *testing.T) {
			var err error = &lending.Unreachable{Reason: errors.New("no answer")}
			if c.Status != 0 {
				problem := &lending.Problem{Status: c.Status, Code: c.Code, RetryAfter: -1}
				if c.RetryAfter != nil {
					problem.RetryAfter = time.Duration(*c.RetryAfter) * time.Second
				}
				err = problem
			}
			delay, helps := lending.RetryDelay(err, c.FailedAttempts, c.Random)
			if helps != (c.DelayMS != nil) {
				t.Fatalf("retried: %v", helps)
			}
			if helps && delay != time.Duration(*c.DelayMS*float64(time.Millisecond)) {
				t.Errorf("%s in place of %f ms", delay, *c.DelayMS)
			}
		})
	}
}

func TestEachChainGetsItsVerdict(t *testing.T) {
	for _, c := range readCases(t).Chains {
		t.Run(c.Name, func(t *testing.T) {
			var items []json.RawMessage
			for _, item := range c.Items {
				items = append(items, json.RawMessage(item))
			}
			end, err := lending.VerifyEventChain(items, c.After)
			var broken lending.ChainBroken
			switch {
			case errors.As(err, &broken):
				if c.Verdict.OK || broken.Sequence != c.Verdict.Sequence || broken.Reason != c.Verdict.Reason {
					t.Errorf("%v in place of %+v", broken, c.Verdict)
				}
			case err != nil:
				t.Error(err)
			case !c.Verdict.OK || (end == nil) != (c.Verdict.End == nil) || (end != nil && *end != *c.Verdict.End):
				t.Errorf("%v in place of %+v", end, c.Verdict)
			}
		})
	}
}

func TestEachScenarioInMemory(t *testing.T) {
	cases := readCases(t)
	for _, c := range cases.Inbox {
		t.Run(c.Name, func(t *testing.T) { play(t, c, cases.Secret, &lending.MemoryStore{}) })
	}
}

func TestEachScenarioInPostgreSQL(t *testing.T) {
	db, err := sql.Open("postgres", os.Getenv("DATABASE_URL"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(lending.InboxTables + "TRUNCATE lending_inboxes, lending_inbox_events, lending_inbox_resources"); err != nil {
		t.Fatal(err)
	}
	cases := readCases(t)
	for _, c := range cases.Inbox {
		t.Run(c.Name, func(t *testing.T) { play(t, c, cases.Secret, lending.PostgresStore{DB: db}) })
	}
}

// brokenStore cannot be used.
type brokenStore struct{ lending.MemoryStore }

func (*brokenStore) Add(context.Context, string, []lending.ReceivedEvent, time.Time) (int, error) {
	return 0, errors.New("no store")
}

func TestTheHandlerAnswersAsTheInboxDecides(t *testing.T) {
	cases := readCases(t)
	for _, c := range []struct {
		name, method, body string
		store              lending.Store[lending.NoTx]
		signed             bool
		status             int
	}{
		{"a delivery", "POST", delivery, &lending.MemoryStore{}, true, 204},
		{"a forged delivery", "POST", delivery, &lending.MemoryStore{}, false, 400},
		{"without a store", "POST", delivery, &brokenStore{}, true, 503},
		{"a body that is too long", "POST", strings.Repeat("x", 1<<20+1), &lending.MemoryStore{}, true, 413},
		{"another method", "GET", "", &lending.MemoryStore{}, true, 405},
	} {
		t.Run(c.name, func(t *testing.T) {
			now := time.Unix(1795000000, 0)
			inbox := lending.NewInbox(lending.InboxOptions[lending.NoTx]{
				Name: "test", WebhookID: "whk_1", Secrets: []string{cases.Secret}, Store: c.store,
				Now: func() time.Time { return now },
			})
			request := httptest.NewRequest(c.method, "/hook", strings.NewReader(c.body))
			signature := "sha256=" + strings.Repeat("0", 64)
			if c.signed {
				signature = sign(cases.Secret, "1795000000", c.body)
			}
			request.Header.Set("X-SVC-Webhook-Timestamp", "1795000000")
			request.Header.Set("X-SVC-Webhook-Signature", signature)
			recorder := httptest.NewRecorder()
			inbox.ServeHTTP(recorder, request)
			if recorder.Code != c.status {
				t.Errorf("answered %d", recorder.Code)
			}
		})
	}
}
