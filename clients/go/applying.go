package lendingservice

import (
	"context"
	"encoding/json"
	"strings"
	"time"
)

// Tick applies what is ready, and reads the replay if that is due. One goroutine may call it at a time.
func (inbox *Inbox[Tx]) Tick(ctx context.Context) error {
	options := inbox.options
	state, missing, err := inbox.applyReady(ctx)
	if err != nil {
		return err
	}
	now := options.Now()
	reason := findReasonToRead(state, missing, options.GapAfter, options.ReadEvery, now)
	isReplaced := state.WebhookID != "" && state.WebhookID != options.WebhookID
	if (reason == "" && !isReplaced) || now.Before(inbox.readNotBefore) {
		return nil
	}
	if reason == "gap" && missing != nil && state.SeesGaps != nil && *state.SeesGaps && state.CompleteSequence != nil {
		options.Report(Incident{Kind: "gap", First: *state.CompleteSequence + 1, Last: missing.Sequence - 1})
	}
	// After a failed read the next one waits.
	inbox.readNotBefore = now.Add(options.GapAfter)
	if err := inbox.read(ctx); err != nil {
		return err
	}
	inbox.readNotBefore = time.Time{}
	return nil
}

func (inbox *Inbox[Tx]) applyReady(ctx context.Context) (InboxState, *Above, error) {
	for {
		applied, state, missing, err := inbox.applyNext(ctx)
		if err != nil || !applied {
			return state, missing, err
		}
	}
}

// applyNext applies one event, if one is ready; it returns what is left otherwise.
func (inbox *Inbox[Tx]) applyNext(ctx context.Context) (applied bool, left InboxState, missing *Above, err error) {
	var current *WaitingEvent
	var event Event
	err = inbox.transact(ctx, func(open OpenInbox[Tx]) error {
		state, err := advance(open)
		if err != nil {
			return err
		}
		waiting, err := open.ListWaiting()
		if err != nil {
			return err
		}
		ready := findReady(waiting, state, inbox.options.Now())
		if ready != nil {
			body, err := open.ReadBody(ready.Sequence)
			if err != nil {
				return err
			}
			current = ready
			if err := json.Unmarshal([]byte(body), &event); err != nil {
				return err
			}
			if ready.Version <= ready.AppliedVersion {
				inbox.options.Report(Incident{Kind: "stale", Event: &event})
			} else if err := inbox.options.Apply(ctx, open.Tx(), event); err != nil {
				return err
			}
			if err := open.MarkApplied(*ready); err != nil {
				return err
			}
		}
		state.AppliedSequence = findAppliedSequence(without(waiting, ready), state)
		before := open.State()
		if state.AppliedSequence != before.AppliedSequence || state.complete() != before.complete() {
			if err := open.Save(state); err != nil {
				return err
			}
		}
		applied, left = ready != nil, state
		if !applied {
			missing, err = open.FindAbove(state.complete())
		}
		return err
	})
	if err == nil || current == nil || ctx.Err() != nil {
		return applied, left, missing, err
	}
	return true, left, nil, inbox.noteFailure(ctx, event, *current, err)
}

func without(waiting []WaitingEvent, applied *WaitingEvent) []WaitingEvent {
	var left []WaitingEvent
	for at := range waiting {
		if &waiting[at] != applied {
			left = append(left, waiting[at])
		}
	}
	return left
}

func (inbox *Inbox[Tx]) noteFailure(ctx context.Context, event Event, waiting WaitingEvent, cause error) error {
	attempts := waiting.Attempts + 1
	// PostgreSQL's text takes no NUL, and nothing that is not UTF-8.
	text := strings.ToValidUTF8(strings.ReplaceAll(cause.Error(), "\x00", ""), "")
	failure := Failure{attempts, inbox.options.Now().Add(retryAfter(attempts)), text}
	err := inbox.transact(ctx, func(open OpenInbox[Tx]) error {
		return open.NoteFailure(waiting.Sequence, failure)
	})
	inbox.options.Report(Incident{Kind: "failed", Event: &event, Err: cause, Attempts: attempts, RetryAt: failure.RetryAt})
	return err
}

// read goes from where the replay was read last up to its end, page by page.
func (inbox *Inbox[Tx]) read(ctx context.Context) error {
	for {
		state, err := inbox.readState(ctx)
		if err != nil {
			return err
		}
		if state.WebhookID == "" {
			state.WebhookID = inbox.options.WebhookID
		}
		if state.SeesGaps == nil {
			types, err := inbox.options.Service.EventTypes(ctx, state.WebhookID)
			if err != nil {
				return err
			}
			seesGaps := len(types) == 0
			state.SeesGaps = &seesGaps
		}
		page, err := inbox.options.Service.ReplayEvents(ctx, state.WebhookID, state.Cursor, pageSize)
		if err != nil {
			return err
		}
		isEnd := false
		err = inbox.transact(ctx, func(open OpenInbox[Tx]) (err error) {
			isEnd, err = inbox.keepPage(open, state, page)
			return err
		})
		if err != nil {
			return err
		}
		if _, _, err := inbox.applyReady(ctx); err != nil || isEnd {
			return err
		}
	}
}

// keepPage returns true at the end of the webhook's replay, and when another process has read this page
// already.
func (inbox *Inbox[Tx]) keepPage(open OpenInbox[Tx], readFrom InboxState, page ReplayPage) (bool, error) {
	state := open.State()
	if (state.WebhookID != "" && state.WebhookID != readFrom.WebhookID) || state.Cursor != readFrom.Cursor {
		return true, nil
	}
	received, first, last, err := readItems(page.Items)
	if err != nil {
		return false, err
	}
	if err := open.Add(received, inbox.options.Now()); err != nil {
		return false, err
	}
	kept := state
	kept.WebhookID, kept.Cursor, kept.SeesGaps = readFrom.WebhookID, page.NextCursor, readFrom.SeesGaps
	if len(page.Items) > 0 {
		if kept.CompleteSequence == nil {
			start := first - 1
			kept.CompleteSequence = &start
			kept.AppliedSequence = max(kept.AppliedSequence, start)
		}
		if !*readFrom.SeesGaps {
			// Without all types, only the replay shows that there is nothing between two numbers.
			complete := max(kept.complete(), last)
			kept.CompleteSequence = &complete
		}
	}
	switch {
	case page.HasMore:
	case readFrom.WebhookID != inbox.options.WebhookID:
		// The earlier webhook has been read to its end: what follows is in the replay of the new one.
		kept.WebhookID, kept.Cursor, kept.SeesGaps = inbox.options.WebhookID, "", nil
		return false, open.Save(kept)
	default:
		kept.ReadAt = inbox.options.Now()
	}
	return !page.HasMore, open.Save(kept)
}

// readItems returns what can be ordered, and the first and the last number.
func readItems(items []json.RawMessage) (received []ReceivedEvent, first, last int64, err error) {
	for at, item := range items {
		var event Event
		if err := json.Unmarshal(item, &event); err != nil {
			return nil, 0, 0, err
		}
		if at == 0 {
			first = event.Sequence
		}
		last = event.Sequence
		body, err := DeliveredBody(item)
		if err != nil {
			return nil, 0, 0, err
		}
		if one, ok := toReceived(event, body); ok {
			received = append(received, one)
		}
	}
	return received, first, last, nil
}

// advance counts what has arrived without a gap.
func advance[Tx any](open OpenInbox[Tx]) (InboxState, error) {
	state := open.State()
	if state.SeesGaps == nil || !*state.SeesGaps || state.CompleteSequence == nil {
		return state, nil
	}
	end, err := open.FindEndOfRun(*state.CompleteSequence)
	state.CompleteSequence = &end
	return state, err
}
