package lendingservice

import "time"

// InboxState is what an inbox knows between two events. Numbers are sequences of the tenant's log.
type InboxState struct {
	// WebhookID is the webhook that Cursor belongs to; empty before the first page.
	WebhookID string
	// Cursor is where the next page of the webhook's replay begins; empty: with its first event.
	Cursor string
	// SeesGaps is whether the webhook has every event, so that a missing number is a missing event.
	// Nil where it is not known yet.
	SeesGaps *bool
	// CompleteSequence: every event of the webhook up to here was received. Nil before the first page
	// with an event.
	CompleteSequence *int64
	// AppliedSequence: every event of the webhook up to here was applied.
	AppliedSequence int64
	// ReadAt is when the replay was last read to its end; zero: never.
	ReadAt time.Time
}

func (state InboxState) complete() int64 {
	if state.CompleteSequence == nil {
		return 0
	}
	return *state.CompleteSequence
}

// ReceivedEvent is an event as an inbox keeps it.
type ReceivedEvent struct {
	Sequence int64  `json:"sequence"`
	ID       string `json:"id"`
	// Resource is type and id, such as borrower/bor_….
	Resource string `json:"resource"`
	Version  int64  `json:"version"`
	// Body is the event's JSON text.
	Body string `json:"body"`
}

// WaitingEvent is an event that is received and not applied.
type WaitingEvent struct {
	Sequence int64
	Resource string
	Version  int64
	// AppliedVersion is the last version of its resource that was applied; 0 for none.
	AppliedVersion int64
	Attempts       int
	RetryAt        time.Time
}

// findReady returns the event to apply next, or nil. An event is ready when nothing of its resource can
// come before it: its version follows the last one applied, or every event up to it was received. Of a
// resource only the first waiting event is looked at, so one that fails holds up its resource alone.
func findReady(waiting []WaitingEvent, state InboxState, now time.Time) *WaitingEvent {
	heldUp := map[string]bool{}
	for at, event := range waiting {
		if heldUp[event.Resource] {
			continue
		}
		heldUp[event.Resource] = true
		follows := event.Version <= event.AppliedVersion+1
		isDue := !event.RetryAt.After(now)
		if isDue && (follows || event.Sequence <= state.complete()) {
			return &waiting[at]
		}
	}
	return nil
}

// findAppliedSequence returns the highest number up to which nothing is missing or waiting. It never falls.
func findAppliedSequence(waiting []WaitingEvent, state InboxState) int64 {
	applied := state.complete()
	for _, event := range waiting {
		if event.Sequence <= state.complete() {
			applied = event.Sequence - 1
			break
		}
	}
	return max(applied, state.AppliedSequence)
}

// retryAfter is how long an event that has failed so often waits: 1 s, 2 s, 4 s, … at most 60 s.
func retryAfter(attempts int) time.Duration {
	return min(time.Second<<min(attempts-1, 10), time.Minute)
}

// findReasonToRead returns why the replay is to be read now: "gap" when a number has been missing for
// gapAfter, "time" when readEvery has passed, or when it is not known yet where the log of the webhook
// begins; "" for not now.
func findReasonToRead(state InboxState, missing *Above, gapAfter, readEvery time.Duration, now time.Time) string {
	if state.ReadAt.IsZero() {
		return "time"
	}
	sinceRead := now.Sub(state.ReadAt)
	if missing != nil && sinceRead >= gapAfter {
		if state.CompleteSequence == nil {
			return "time"
		}
		if now.Sub(missing.Since) >= gapAfter {
			return "gap"
		}
	}
	if sinceRead >= readEvery {
		return "time"
	}
	return ""
}
