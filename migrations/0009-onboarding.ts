import { type Kysely, sql } from 'kysely'

/** Documents, the residency policy, and borrowers with their signatures and checks. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    CREATE TABLE documents (
      tenant_id        text NOT NULL REFERENCES tenants,
      contract_type    text NOT NULL,
      contract_version text NOT NULL CHECK (contract_version ~ '^[0-9]{4}-(0[1-9]|1[0-2])$'),
      title            text NOT NULL,
      download_url     text NOT NULL CHECK (download_url LIKE 'https://%'),
      content_type     text NOT NULL,
      published_at     timestamptz NOT NULL,
      superseded_at    timestamptz,
      retired_at       timestamptz,
      PRIMARY KEY (tenant_id, contract_type, contract_version)
    );
    CREATE UNIQUE INDEX documents_current ON documents (tenant_id, contract_type)
      WHERE superseded_at IS NULL AND retired_at IS NULL;

    -- The operator's, not a tenant's. What no row allows is refused. An empty state stands for the
    -- whole country.
    CREATE TABLE residency_policy (
      country         text NOT NULL CHECK (country ~ '^[A-Z]{2}$'),
      state           text NOT NULL DEFAULT '',
      borrower_type   text NOT NULL CHECK (borrower_type IN ('individual', 'business')),
      allowed         boolean NOT NULL,
      rate_ppm        integer CHECK (rate_ppm BETWEEN 0 AND 1000000),
      max_limit_cents numeric CHECK (max_limit_cents > 0 AND max_limit_cents < 1e20),
      updated_at      timestamptz NOT NULL,
      PRIMARY KEY (country, state, borrower_type)
    );

    CREATE TABLE borrowers (
      tenant_id          text NOT NULL REFERENCES tenants,
      borrower_id        text NOT NULL,
      -- The tenant's own.
      external_id        text CHECK (external_id ~ '^[ -~]{1,100}$'),
      type               text NOT NULL CHECK (type IN ('individual', 'business')),
      kyc_attested       boolean NOT NULL,
      residency_country  text NOT NULL,
      residency_state    text,
      eligible           boolean NOT NULL DEFAULT false,
      blocked_at         timestamptz,
      blocked_reason     text,
      created_at         timestamptz NOT NULL,
      updated_at         timestamptz NOT NULL,
      -- On the row that a portfolio push locks: the push reads it in the same statement, never stale.
      -- Facilities refer to their borrowers; the way back is written with the facility, and audited.
      latest_facility_id text,
      changed_at         timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (tenant_id, borrower_id)
    );
    CREATE INDEX borrowers_by_eligible ON borrowers (tenant_id, eligible, borrower_id);
    CREATE UNIQUE INDEX borrowers_external_id ON borrowers (tenant_id, external_id)
      WHERE external_id IS NOT NULL;
    -- Operators read over all tenants by indexes that begin without one.
    CREATE INDEX borrowers_by_external_id ON borrowers (external_id) WHERE external_id IS NOT NULL;
    CREATE INDEX borrowers_blocked ON borrowers (blocked_at, borrower_id)
      WHERE blocked_at IS NOT NULL;

    CREATE TABLE signatures (
      tenant_id        text NOT NULL,
      signature_id     text NOT NULL,
      borrower_id      text NOT NULL,
      -- Counts a borrower's signatures from 1, in the order in which they were recorded.
      number           integer NOT NULL CHECK (number > 0),
      full_name        text NOT NULL,
      email            text NOT NULL,
      ip_address       text NOT NULL,
      signed_at        timestamptz NOT NULL,
      contract_type    text NOT NULL,
      contract_version text NOT NULL,
      recorded_at      timestamptz NOT NULL,
      PRIMARY KEY (tenant_id, signature_id),
      UNIQUE (tenant_id, borrower_id, number),
      FOREIGN KEY (tenant_id, borrower_id) REFERENCES borrowers,
      FOREIGN KEY (tenant_id, contract_type, contract_version) REFERENCES documents
    );

    CREATE TABLE compliance_checks (
      tenant_id    text NOT NULL,
      check_id     text NOT NULL,
      borrower_id  text NOT NULL,
      kind         text NOT NULL CHECK (kind IN ('kyc', 'kyb', 'aml')),
      -- The signature with the data that was checked. AML is checked once for each name that signed.
      signature_id text NOT NULL,
      subject      text NOT NULL,
      status       text NOT NULL CHECK (status IN ('pending', 'review', 'passed', 'failed')),
      reference    text,
      note         text,
      created_at   timestamptz NOT NULL,
      decided_at   timestamptz,
      PRIMARY KEY (tenant_id, check_id),
      UNIQUE (tenant_id, borrower_id, kind, subject),
      FOREIGN KEY (tenant_id, borrower_id) REFERENCES borrowers,
      FOREIGN KEY (tenant_id, signature_id) REFERENCES signatures,
      CHECK ((status IN ('passed', 'failed')) = (decided_at IS NOT NULL))
    );
    CREATE INDEX compliance_checks_in_review ON compliance_checks (tenant_id, created_at, check_id)
      WHERE status = 'review';
    CREATE INDEX compliance_checks_waiting ON compliance_checks (created_at, check_id)
      WHERE status = 'review';
  `)
    .execute(db)
}
