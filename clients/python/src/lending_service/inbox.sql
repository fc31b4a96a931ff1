-- The inbox of the lending service's events. Each statement may run again.
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
