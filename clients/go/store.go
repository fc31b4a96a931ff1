package lendingservice

import (
	"context"
	"slices"
	"sync"
	"time"
)

// Failure is the last failed application of an event.
type Failure struct {
	Attempts int
	RetryAt  time.Time
	Error    string
}

// Above is the lowest number received above another, and when the first of those arrived.
type Above struct {
	Sequence int64
	Since    time.Time
}

// OpenInbox is an inbox that no other process changes meanwhile.
type OpenInbox[Tx any] interface {
	// Tx is what Apply gets: the transaction in which the inbox records that it ran.
	Tx() Tx
	State() InboxState
	Add(events []ReceivedEvent, receivedAt time.Time) error
	// ListWaiting returns what is received and not applied, by sequence.
	ListWaiting() ([]WaitingEvent, error)
	ReadBody(sequence int64) (string, error)
	// FindEndOfRun returns the last number of those received that follow `sequence` without a gap.
	FindEndOfRun(sequence int64) (int64, error)
	// FindAbove returns nil where nothing above `sequence` was received.
	FindAbove(sequence int64) (*Above, error)
	MarkApplied(event WaitingEvent) error
	NoteFailure(sequence int64, failure Failure) error
	// Save forgets the events up to AppliedSequence too.
	Save(state InboxState) error
}

// Store keeps inboxes by their names. A receiver may implement it over a store of its own.
type Store[Tx any] interface {
	// Add keeps events durably, each once, and returns how many were new. It waits for no Transact.
	Add(ctx context.Context, inbox string, events []ReceivedEvent, receivedAt time.Time) (int, error)
	// Transact runs alone for this inbox, in one transaction: after an error nothing of it stays.
	Transact(ctx context.Context, inbox string, run func(OpenInbox[Tx]) error) error
}

// NoTx is what Apply gets over a MemoryStore.
type NoTx struct{}

type kept struct {
	ReceivedEvent
	receivedAt time.Time
	isApplied  bool
	failure    Failure
}

type memoryInbox struct {
	turn sync.Mutex
	data sync.Mutex

	state    InboxState
	events   map[int64]*kept
	versions map[string]int64
}

// MemoryStore forgets everything when the process ends: the inbox then applies the whole replay again.
// It is for tests, and for receivers that keep what they apply in memory too.
type MemoryStore struct {
	mutex   sync.Mutex
	inboxes map[string]*memoryInbox
}

func (store *MemoryStore) find(name string) *memoryInbox {
	store.mutex.Lock()
	defer store.mutex.Unlock()
	if store.inboxes == nil {
		store.inboxes = map[string]*memoryInbox{}
	}
	if store.inboxes[name] == nil {
		store.inboxes[name] = &memoryInbox{events: map[int64]*kept{}, versions: map[string]int64{}}
	}
	return store.inboxes[name]
}

// Add implements Store.
func (store *MemoryStore) Add(_ context.Context, inbox string, events []ReceivedEvent, receivedAt time.Time) (int, error) {
	return store.find(inbox).add(events, receivedAt), nil
}

// Transact implements Store.
func (store *MemoryStore) Transact(_ context.Context, inbox string, run func(OpenInbox[NoTx]) error) error {
	found := store.find(inbox)
	found.turn.Lock()
	defer found.turn.Unlock()
	return run(openMemory{found})
}

func (inbox *memoryInbox) add(events []ReceivedEvent, receivedAt time.Time) int {
	inbox.data.Lock()
	defer inbox.data.Unlock()
	ids := map[string]bool{}
	for _, event := range inbox.events {
		ids[event.ID] = true
	}
	count := 0
	for _, event := range events {
		if event.Sequence <= inbox.state.AppliedSequence || inbox.events[event.Sequence] != nil || ids[event.ID] {
			continue
		}
		inbox.events[event.Sequence] = &kept{ReceivedEvent: event, receivedAt: receivedAt}
		count++
	}
	return count
}

type openMemory struct{ *memoryInbox }

func (open openMemory) Tx() NoTx          { return NoTx{} }
func (open openMemory) State() InboxState { return open.state }

func (open openMemory) Add(events []ReceivedEvent, receivedAt time.Time) error {
	open.add(events, receivedAt)
	return nil
}

func (open openMemory) above(sequence int64) []*kept {
	open.data.Lock()
	defer open.data.Unlock()
	var found []*kept
	for _, event := range open.events {
		if event.Sequence > sequence {
			found = append(found, event)
		}
	}
	slices.SortFunc(found, func(a, b *kept) int { return int(a.Sequence - b.Sequence) })
	return found
}

func (open openMemory) ListWaiting() ([]WaitingEvent, error) {
	var waiting []WaitingEvent
	for _, event := range open.above(open.state.AppliedSequence) {
		if event.isApplied {
			continue
		}
		waiting = append(waiting, WaitingEvent{
			event.Sequence, event.Resource, event.Version, open.versions[event.Resource],
			event.failure.Attempts, event.failure.RetryAt,
		})
	}
	return waiting, nil
}

func (open openMemory) ReadBody(sequence int64) (string, error) {
	return open.events[sequence].Body, nil
}

func (open openMemory) FindEndOfRun(sequence int64) (int64, error) {
	open.data.Lock()
	defer open.data.Unlock()
	for open.events[sequence+1] != nil {
		sequence++
	}
	return sequence, nil
}

func (open openMemory) FindAbove(sequence int64) (*Above, error) {
	found := open.above(sequence)
	if len(found) == 0 {
		return nil, nil
	}
	above := Above{found[0].Sequence, found[0].receivedAt}
	for _, event := range found {
		if event.receivedAt.Before(above.Since) {
			above.Since = event.receivedAt
		}
	}
	return &above, nil
}

func (open openMemory) MarkApplied(event WaitingEvent) error {
	open.events[event.Sequence].isApplied = true
	open.versions[event.Resource] = max(event.Version, open.versions[event.Resource])
	return nil
}

func (open openMemory) NoteFailure(sequence int64, failure Failure) error {
	if event := open.events[sequence]; event != nil {
		event.failure = failure
	}
	return nil
}

func (open openMemory) Save(state InboxState) error {
	open.data.Lock()
	defer open.data.Unlock()
	open.memoryInbox.state = state
	for sequence := range open.events {
		if sequence <= state.AppliedSequence {
			delete(open.events, sequence)
		}
	}
	return nil
}
