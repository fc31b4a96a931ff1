package lendingservice

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"time"
)

// Incident is what a person should know of. Nothing is lost by any of these but a refused delivery.
//
//   - refused: a delivery that is not genuine, or not an event; it was answered 400.
//   - simulated: a test event of the sandbox; it was answered 204, and is never applied.
//   - failed: Apply returned an error. The event holds up its resource until it succeeds.
//   - stale: a version that its resource has left behind; it is not applied.
//   - gap: the numbers from First to Last have not arrived in time, and the replay is read.
//   - unavailable: the store or the service could not be used. It is tried again.
type Incident struct {
	Kind        string
	Event       *Event
	Err         error
	Attempts    int
	RetryAt     time.Time
	First, Last int64
}

// Replay is what an inbox reads webhooks by: a *Service.
type Replay interface {
	EventTypes(ctx context.Context, webhookID string) ([]string, error)
	ReplayEvents(ctx context.Context, webhookID, cursor string, limit int) (ReplayPage, error)
}

// InboxOptions are what an inbox needs. The last six have defaults.
type InboxOptions[Tx any] struct {
	// Name: under it the store keeps the inbox. It stays when the webhook is replaced.
	Name      string
	WebhookID string
	// Secrets are all that are accepted: two while the secret is replaced.
	Secrets []string
	Service Replay
	Store   Store[Tx]
	// Apply applies an event, once and in the order of its resource. Write with `tx`: it commits
	// together with the record that the event was applied. An error rolls it back, to be tried again.
	Apply func(ctx context.Context, tx Tx, event Event) error

	Report func(Incident)
	// GapAfter is how long a number may be missing before the replay is read: 5 s.
	GapAfter time.Duration
	// ReadEvery is how often it is read in any case, for what no later event shows to be missing: 1 min.
	ReadEvery time.Duration
	// Tolerance of the timestamps of deliveries: 300 s.
	Tolerance time.Duration
	Now       func() time.Time
	// Pause between two ticks of Run: 1 s.
	Pause time.Duration
}

// Inbox verifies and keeps deliveries, and applies their events. It is an http.Handler for the URL of
// the webhook.
type Inbox[Tx any] struct {
	options       InboxOptions[Tx]
	woken         chan struct{}
	readNotBefore time.Time
}

// NewInbox fills in the defaults.
func NewInbox[Tx any](options InboxOptions[Tx]) *Inbox[Tx] {
	setDefault(&options.GapAfter, 5*time.Second)
	setDefault(&options.ReadEvery, time.Minute)
	setDefault(&options.Tolerance, Tolerance)
	setDefault(&options.Pause, time.Second)
	if options.Report == nil {
		options.Report = func(Incident) {}
	}
	if options.Now == nil {
		options.Now = time.Now
	}
	return &Inbox[Tx]{options: options, woken: make(chan struct{}, 1)}
}

func setDefault(value *time.Duration, instead time.Duration) {
	if *value == 0 {
		*value = instead
	}
}

const (
	pageSize = 500
	// What the service posts is far below it.
	mostBytes = 1 << 20
)

// ServeHTTP answers each delivery as Receive decides, and 503 when the store cannot be used.
func (inbox *Inbox[Tx]) ServeHTTP(response http.ResponseWriter, request *http.Request) {
	if request.Method != http.MethodPost {
		response.Header().Set("Allow", "POST")
		response.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	rawBody, err := io.ReadAll(http.MaxBytesReader(response, request.Body, mostBytes))
	if err != nil {
		status := http.StatusBadRequest
		if tooLarge := new(http.MaxBytesError); errors.As(err, &tooLarge) {
			status = http.StatusRequestEntityTooLarge
		}
		response.WriteHeader(status)
		return
	}
	status, err := inbox.Receive(request.Context(), rawBody, request.Header)
	if err != nil {
		status = http.StatusServiceUnavailable
	}
	response.WriteHeader(status)
}

// Receive verifies a delivery and keeps its event. It returns the status to answer: 204, also for an
// event that is known, or 400. After an error answer 503, and the delivery comes again.
func (inbox *Inbox[Tx]) Receive(ctx context.Context, rawBody []byte, header http.Header) (int, error) {
	status, err := inbox.keep(ctx, rawBody, header)
	if err != nil {
		inbox.options.Report(Incident{Kind: "unavailable", Err: err})
	}
	return status, err
}

func (inbox *Inbox[Tx]) keep(ctx context.Context, rawBody []byte, header http.Header) (int, error) {
	options := inbox.options
	event, err := VerifyWebhook(rawBody, header, options.Secrets, options.Now(), options.Tolerance)
	var refusal Refusal
	if errors.As(err, &refusal) {
		return inbox.refuse(refusal), nil
	}
	if err != nil {
		return 0, err
	}
	if event.Sequence == 0 && isSimulated(rawBody) {
		options.Report(Incident{Kind: "simulated", Event: event})
		return http.StatusNoContent, nil
	}
	received, ok := toReceived(*event, rawBody)
	if !ok {
		return inbox.refuse("body_not_an_event"), nil
	}
	if _, err := options.Store.Add(ctx, options.Name, []ReceivedEvent{received}, options.Now()); err != nil {
		return 0, err
	}
	select {
	case inbox.woken <- struct{}{}:
	default:
	}
	return http.StatusNoContent, nil
}

func (inbox *Inbox[Tx]) refuse(refusal Refusal) int {
	inbox.options.Report(Incident{Kind: "refused", Err: refusal})
	return http.StatusBadRequest
}

// Run ticks at each delivery and every second, until the context ends. Several processes may run it.
func (inbox *Inbox[Tx]) Run(ctx context.Context) {
	for ctx.Err() == nil {
		if err := inbox.Tick(ctx); err != nil && ctx.Err() == nil {
			inbox.options.Report(Incident{Kind: "unavailable", Err: err})
		}
		select {
		case <-ctx.Done():
		case <-inbox.woken:
		case <-time.After(inbox.options.Pause):
		}
	}
}

// AppliedSequence is the highest number up to which every event of the webhook is applied.
func (inbox *Inbox[Tx]) AppliedSequence(ctx context.Context) (int64, error) {
	state, err := inbox.readState(ctx)
	return state.AppliedSequence, err
}

func (inbox *Inbox[Tx]) readState(ctx context.Context) (state InboxState, err error) {
	err = inbox.transact(ctx, func(open OpenInbox[Tx]) error {
		state = open.State()
		return nil
	})
	return state, err
}

func (inbox *Inbox[Tx]) transact(ctx context.Context, run func(OpenInbox[Tx]) error) error {
	return inbox.options.Store.Transact(ctx, inbox.options.Name, run)
}

// isSimulated tells a number that is 0 from one that is absent.
func isSimulated(rawBody []byte) bool {
	var given struct {
		Sequence *int64 `json:"sequence"`
	}
	return json.Unmarshal(rawBody, &given) == nil && given.Sequence != nil
}

// toReceived returns false for what lacks the members by which an inbox orders.
func toReceived(event Event, body []byte) (ReceivedEvent, bool) {
	resource := event.Resource
	ok := event.ID != "" && event.Sequence > 0 && event.ResourceVersion > 0 && resource.Type != "" && resource.ID != ""
	return ReceivedEvent{event.Sequence, event.ID, resource.Type + "/" + resource.ID, event.ResourceVersion, string(body)}, ok
}
