package lendingservice

import (
	"context"
	"database/sql"
	_ "embed"
	"encoding/json"
	"errors"
	"time"
)

// InboxTables is the SQL of the tables of a PostgresStore, for a migration of the receiver's.
//
//go:embed inbox.sql
var InboxTables string

// PostgresStore keeps inboxes in the tables of InboxTables, in the receiver's own database, through any
// driver of PostgreSQL. Apply gets the transaction that records the event as applied: what it writes
// there is committed with it.
type PostgresStore struct{ DB *sql.DB }

// Add implements Store.
func (store PostgresStore) Add(ctx context.Context, inbox string, events []ReceivedEvent, receivedAt time.Time) (int, error) {
	return insertEvents(ctx, store.DB, inbox, events, receivedAt)
}

// Transact implements Store.
func (store PostgresStore) Transact(ctx context.Context, inbox string, run func(OpenInbox[*sql.Tx]) error) error {
	tx, err := store.DB.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	// After a commit it does nothing.
	defer func() { _ = tx.Rollback() }()
	open := &openPostgres{ctx: ctx, tx: tx, inbox: inbox}
	if err := open.lock(); err != nil {
		return err
	}
	if err := run(open); err != nil {
		return err
	}
	return tx.Commit()
}

type execer interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}

func insertEvents(ctx context.Context, on execer, inbox string, events []ReceivedEvent, receivedAt time.Time) (int, error) {
	if len(events) == 0 {
		return 0, nil
	}
	given, err := json.Marshal(events)
	if err != nil {
		return 0, err
	}
	result, err := on.ExecContext(ctx, `
		INSERT INTO lending_inbox_events
			(inbox, sequence, event_id, resource, resource_version, body, received_at)
		SELECT $1, e.sequence, e.id, e.resource, e.version, e.body, $3
		FROM json_to_recordset($2::json)
			AS e (sequence bigint, id text, resource text, version bigint, body text)
		WHERE e.sequence > coalesce(
			(SELECT applied_sequence FROM lending_inboxes WHERE inbox = $1), 0)
		ON CONFLICT DO NOTHING`, inbox, string(given), receivedAt)
	if err != nil {
		return 0, err
	}
	count, err := result.RowsAffected()
	return int(count), err
}

type openPostgres struct {
	ctx   context.Context
	tx    *sql.Tx
	inbox string
	state InboxState
}

func (open *openPostgres) lock() error {
	var webhookID, cursor sql.NullString
	var seesGaps sql.NullBool
	var complete sql.NullInt64
	var readAt sql.NullTime
	row := open.tx.QueryRowContext(open.ctx, `
		SELECT webhook_id, cursor, sees_gaps, complete_sequence, applied_sequence, read_at
		FROM lending_inboxes WHERE inbox = $1 FOR UPDATE`, open.inbox)
	err := row.Scan(&webhookID, &cursor, &seesGaps, &complete, &open.state.AppliedSequence, &readAt)
	if errors.Is(err, sql.ErrNoRows) {
		if err := open.run("INSERT INTO lending_inboxes (inbox) VALUES ($1) ON CONFLICT DO NOTHING"); err != nil {
			return err
		}
		return open.lock()
	}
	open.state.WebhookID, open.state.Cursor, open.state.ReadAt = webhookID.String, cursor.String, readAt.Time
	if seesGaps.Valid {
		open.state.SeesGaps = &seesGaps.Bool
	}
	if complete.Valid {
		open.state.CompleteSequence = &complete.Int64
	}
	return err
}

// run executes a statement whose first parameter is the inbox.
func (open *openPostgres) run(query string, args ...any) error {
	_, err := open.tx.ExecContext(open.ctx, query, append([]any{open.inbox}, args...)...)
	return err
}

// row reads one whose first parameter is the inbox.
func (open *openPostgres) row(query string, args ...any) *sql.Row {
	return open.tx.QueryRowContext(open.ctx, query, append([]any{open.inbox}, args...)...)
}

func (open *openPostgres) Tx() *sql.Tx       { return open.tx }
func (open *openPostgres) State() InboxState { return open.state }

func (open *openPostgres) Add(events []ReceivedEvent, receivedAt time.Time) error {
	_, err := insertEvents(open.ctx, open.tx, open.inbox, events, receivedAt)
	return err
}

func (open *openPostgres) ListWaiting() ([]WaitingEvent, error) {
	rows, err := open.tx.QueryContext(open.ctx, `
		SELECT e.sequence, e.resource, e.resource_version, coalesce(r.version, 0), e.attempts, e.retry_at
		FROM lending_inbox_events e
		LEFT JOIN lending_inbox_resources r ON r.inbox = e.inbox AND r.resource = e.resource
		WHERE e.inbox = $1 AND NOT e.is_applied AND e.sequence > $2 ORDER BY e.sequence`,
		open.inbox, open.state.AppliedSequence)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	var waiting []WaitingEvent
	for rows.Next() {
		var event WaitingEvent
		var retryAt sql.NullTime
		if err := rows.Scan(&event.Sequence, &event.Resource, &event.Version, &event.AppliedVersion, &event.Attempts, &retryAt); err != nil {
			return nil, err
		}
		event.RetryAt = retryAt.Time
		waiting = append(waiting, event)
	}
	return waiting, rows.Err()
}

func (open *openPostgres) ReadBody(sequence int64) (string, error) {
	var body string
	err := open.row("SELECT body FROM lending_inbox_events WHERE inbox = $1 AND sequence = $2", sequence).Scan(&body)
	return body, err
}

func (open *openPostgres) FindEndOfRun(sequence int64) (int64, error) {
	var end sql.NullInt64
	err := open.row(`
		SELECT max(sequence) FROM (
			SELECT sequence, row_number() OVER (ORDER BY sequence) AS place
			FROM lending_inbox_events WHERE inbox = $1 AND sequence > $2
			ORDER BY sequence LIMIT 1000
		) above WHERE sequence = $2 + place`, sequence).Scan(&end)
	return max(sequence, end.Int64), err
}

func (open *openPostgres) FindAbove(sequence int64) (*Above, error) {
	var lowest sql.NullInt64
	var since sql.NullTime
	err := open.row(`
		SELECT min(sequence), min(received_at) FROM lending_inbox_events
		WHERE inbox = $1 AND sequence > $2`, sequence).Scan(&lowest, &since)
	if err != nil || !lowest.Valid {
		return nil, err
	}
	return &Above{lowest.Int64, since.Time}, nil
}

func (open *openPostgres) MarkApplied(event WaitingEvent) error {
	err := open.run("UPDATE lending_inbox_events SET is_applied = true WHERE inbox = $1 AND sequence = $2", event.Sequence)
	if err != nil {
		return err
	}
	return open.run(`
		INSERT INTO lending_inbox_resources AS r (inbox, resource, version) VALUES ($1, $2, $3)
		ON CONFLICT (inbox, resource) DO UPDATE SET version = greatest(r.version, excluded.version)`,
		event.Resource, event.Version)
}

func (open *openPostgres) NoteFailure(sequence int64, failure Failure) error {
	return open.run(`
		UPDATE lending_inbox_events SET attempts = $3, retry_at = $4, error = $5
		WHERE inbox = $1 AND sequence = $2 AND NOT is_applied`,
		sequence, failure.Attempts, failure.RetryAt, failure.Error)
}

func (open *openPostgres) Save(state InboxState) error {
	err := open.run(`
		UPDATE lending_inboxes SET webhook_id = $2, cursor = $3, sees_gaps = $4,
			complete_sequence = $5, applied_sequence = $6, read_at = $7 WHERE inbox = $1`,
		orNull(state.WebhookID), orNull(state.Cursor), state.SeesGaps,
		state.CompleteSequence, state.AppliedSequence, sql.NullTime{Time: state.ReadAt, Valid: !state.ReadAt.IsZero()})
	if err != nil {
		return err
	}
	return open.run("DELETE FROM lending_inbox_events WHERE inbox = $1 AND sequence <= $2", state.AppliedSequence)
}

func orNull(text string) sql.NullString { return sql.NullString{String: text, Valid: text != ""} }
