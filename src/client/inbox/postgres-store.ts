import type { InboxState, InboxStore, OpenInbox, ReceivedEvent, WaitingEvent } from './store.ts'

type Row = Partial<
  Record<
    | 'webhook_id'
    | 'cursor'
    | 'sees_gaps'
    | 'complete_sequence'
    | 'applied_sequence'
    | 'read_at'
    | 'sequence'
    | 'resource'
    | 'version'
    | 'applied_version'
    | 'attempts'
    | 'retry_at'
    | 'since'
    | 'body',
    unknown
  >
>

/** The part of a client of `pg` that the store needs. */
export type PostgresClient = {
  query(text: string, values?: unknown[]): Promise<{ rows: Row[]; rowCount: number | null }>
  on(event: 'error', listener: (error: Error) => void): unknown
  off(event: 'error', listener: (error: Error) => void): unknown
  release(error?: Error): void
}

/** The tables of the store, for a migration of the receiver's. */
export const INBOX_TABLES = `-- The inbox of the lending service's events. Each statement may run again.
CREATE TABLE IF NOT EXISTS lending_inboxes (
  inbox text PRIMARY KEY,
  webhook_id text,
  cursor text,
  sees_gaps boolean,
  complete_sequence bigint,
  applied_sequence bigint NOT NULL DEFAULT 0,
  read_at timestamptz
);
-- Events above applied_sequence: waiting ones, and those that were applied before an earlier number.
CREATE TABLE IF NOT EXISTS lending_inbox_events (
  inbox text NOT NULL,
  sequence bigint NOT NULL,
  event_id text NOT NULL,
  resource text NOT NULL,
  resource_version bigint NOT NULL,
  body text NOT NULL,
  received_at timestamptz NOT NULL,
  is_applied boolean NOT NULL DEFAULT false,
  attempts integer NOT NULL DEFAULT 0,
  retry_at timestamptz,
  error text,
  PRIMARY KEY (inbox, sequence),
  UNIQUE (inbox, event_id)
);
CREATE INDEX IF NOT EXISTS lending_inbox_events_waiting
  ON lending_inbox_events (inbox, sequence) WHERE NOT is_applied;
-- The last version of each resource that was applied.
CREATE TABLE IF NOT EXISTS lending_inbox_resources (
  inbox text NOT NULL,
  resource text NOT NULL,
  version bigint NOT NULL,
  PRIMARY KEY (inbox, resource)
);
`

/**
 * Keeps inboxes in the tables of INBOX_TABLES, in the receiver's own database. `apply` gets the client
 * of the transaction that records the event as applied: what it writes there is committed with it.
 */
export function createPostgresStore<Client extends PostgresClient>(pool: {
  connect(): Promise<Client>
}): InboxStore<Client> {
  return {
    async add(inbox, events, receivedAt) {
      return await withClient(pool, (client) => insertEvents(client, inbox, events, receivedAt))
    },
    async transact(inbox, run) {
      return await withClient(pool, async (client) => {
        await client.query('BEGIN')
        const result = await run(await openInbox(client, inbox))
        await client.query('COMMIT')
        return result
      })
    },
  }
}

/** A client that has failed is closed, which also ends its transaction. */
async function withClient<Client extends PostgresClient, Result>(
  pool: { connect(): Promise<Client> },
  use: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect()
  // A lost connection fails the statement that waits for it; without a listener it ends the process.
  const ignore = () => undefined
  client.on('error', ignore)
  try {
    const result = await use(client)
    client.off('error', ignore)
    client.release()
    return result
  } catch (error) {
    client.release(error instanceof Error ? error : new Error(String(error)))
    throw error
  }
}

const INSERT = `
  INSERT INTO lending_inbox_events
    (inbox, sequence, event_id, resource, resource_version, body, received_at)
  SELECT $1, e.sequence, e.id, e.resource, e.version, e.body, $3
  FROM json_to_recordset($2::json)
    AS e (sequence bigint, id text, resource text, version bigint, body text)
  WHERE e.sequence > coalesce(
    (SELECT applied_sequence FROM lending_inboxes WHERE inbox = $1), 0)
  ON CONFLICT DO NOTHING`

async function insertEvents(
  client: PostgresClient,
  inbox: string,
  events: readonly ReceivedEvent[],
  receivedAt: Date,
): Promise<number> {
  const { rowCount } = await client.query(INSERT, [inbox, JSON.stringify(events), receivedAt])
  return rowCount ?? 0
}

async function lockState(client: PostgresClient, inbox: string): Promise<InboxState> {
  const { rows } = await client.query(
    `SELECT webhook_id, cursor, sees_gaps, complete_sequence::text, applied_sequence::text, read_at
     FROM lending_inboxes WHERE inbox = $1 FOR UPDATE`,
    [inbox],
  )
  const [row] = rows
  if (row) return toState(row)
  await client.query('INSERT INTO lending_inboxes (inbox) VALUES ($1) ON CONFLICT DO NOTHING', [
    inbox,
  ])
  return await lockState(client, inbox)
}

async function openInbox<Client extends PostgresClient>(
  client: Client,
  inbox: string,
): Promise<OpenInbox<Client>> {
  const state = await lockState(client, inbox)
  const query = async (text: string, ...values: unknown[]) =>
    (await client.query(text, [inbox, ...values])).rows
  return {
    tx: client,
    state,
    async add(events, receivedAt) {
      await insertEvents(client, inbox, events, receivedAt)
    },
    async listWaiting() {
      const rows = await query(
        `SELECT e.sequence::text, e.resource, e.resource_version::text AS version,
           coalesce(r.version, 0)::text AS applied_version, e.attempts, e.retry_at
         FROM lending_inbox_events e
         LEFT JOIN lending_inbox_resources r ON r.inbox = e.inbox AND r.resource = e.resource
         WHERE e.inbox = $1 AND NOT e.is_applied AND e.sequence > $2 ORDER BY e.sequence`,
        state.appliedSequence,
      )
      return rows.map(toWaiting)
    },
    async readBody(sequence) {
      const [row] = await query(
        'SELECT body FROM lending_inbox_events WHERE inbox = $1 AND sequence = $2',
        sequence,
      )
      return String(row?.body)
    },
    async findEndOfRun(sequence) {
      const [row] = await query(
        `SELECT max(sequence)::text AS sequence FROM (
           SELECT sequence, row_number() OVER (ORDER BY sequence) AS place
           FROM lending_inbox_events WHERE inbox = $1 AND sequence > $2
           ORDER BY sequence LIMIT 1000
         ) above WHERE sequence = $2 + place`,
        sequence,
      )
      return toNumber(row?.sequence) ?? sequence
    },
    async findAbove(sequence) {
      const [row] = await query(
        `SELECT min(sequence)::text AS sequence, min(received_at) AS since
         FROM lending_inbox_events WHERE inbox = $1 AND sequence > $2`,
        sequence,
      )
      const lowest = toNumber(row?.sequence)
      const since = toDate(row?.since)
      return lowest === undefined || since === undefined ? undefined : { sequence: lowest, since }
    },
    async markApplied({ sequence, resource, version }) {
      await query(
        'UPDATE lending_inbox_events SET is_applied = true WHERE inbox = $1 AND sequence = $2',
        sequence,
      )
      await query(
        `INSERT INTO lending_inbox_resources AS r (inbox, resource, version) VALUES ($1, $2, $3)
         ON CONFLICT (inbox, resource) DO UPDATE SET version = greatest(r.version, excluded.version)`,
        resource,
        version,
      )
    },
    async noteFailure(sequence, { attempts, retryAt, error }) {
      await query(
        `UPDATE lending_inbox_events SET attempts = $3, retry_at = $4, error = $5
         WHERE inbox = $1 AND sequence = $2 AND NOT is_applied`,
        sequence,
        attempts,
        retryAt,
        error,
      )
    },
    async save({ webhookId, cursor, seesGaps, completeSequence, appliedSequence, readAt }) {
      await query(
        `UPDATE lending_inboxes SET webhook_id = $2, cursor = $3, sees_gaps = $4,
           complete_sequence = $5, applied_sequence = $6, read_at = $7 WHERE inbox = $1`,
        webhookId,
        cursor,
        seesGaps,
        completeSequence,
        appliedSequence,
        readAt,
      )
      await query(
        'DELETE FROM lending_inbox_events WHERE inbox = $1 AND sequence <= $2',
        appliedSequence,
      )
    },
  }
}

function toState(row: Row): InboxState {
  return {
    webhookId: (row.webhook_id as string | null) ?? undefined,
    cursor: (row.cursor as string | null) ?? undefined,
    seesGaps: (row.sees_gaps as boolean | null) ?? undefined,
    completeSequence: toNumber(row.complete_sequence),
    appliedSequence: toNumber(row.applied_sequence) ?? 0,
    readAt: toDate(row.read_at),
  }
}

function toWaiting(row: Row): WaitingEvent {
  return {
    sequence: Number(row.sequence),
    resource: String(row.resource),
    version: Number(row.version),
    appliedVersion: Number(row.applied_version),
    attempts: Number(row.attempts),
    retryAt: toDate(row.retry_at),
  }
}

const toNumber = (value: unknown): number | undefined =>
  value === null || value === undefined ? undefined : Number(value)

/** The receiver's own parsers decide whether a timestamp arrives as a Date or as text. */
const toDate = (value: unknown): Date | undefined =>
  value === null || value === undefined ? undefined : new Date(value as string | Date)
