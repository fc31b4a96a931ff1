import { type Kysely, sql } from 'kysely'
import {
  type BorrowerRef,
  makeBorrowerKey,
  openBorrowerKey,
  type TextKey,
} from '../src/core/personal-text.ts'
import type { Sealer } from '../src/core/sealing.ts'

// An older process would write clear text into the record.
export const oldestBuild = '0032-sealed-record'

/** What may name a borrower is sealed in the record of what operators did and in what they proposed. The chain
 * is written anew once: number 0 has the last number and hash of before. In one transaction, in which acts of
 * operators wait; one that is cut off leaves everything as it was. */
export async function up(
  db: Kysely<unknown>,
  { sealer }: { sealer: Sealer | undefined },
): Promise<void> {
  await sql
    .raw(`
    -- When the last block ended: a borrower's data is kept for years after it.
    ALTER TABLE borrowers ADD COLUMN unblocked_at timestamptz;
    -- Acts are of real time, and blocks of the tenant's clock.
    UPDATE borrowers b SET unblocked_at = last.at + t.clock_offset_ms * interval '1 millisecond'
    FROM (SELECT tenant, subject_id, max(acted_at) AS at FROM operator_actions
      WHERE action = 'borrowers.unblock' GROUP BY tenant, subject_id) last, tenants t
    WHERE b.tenant_id = last.tenant AND b.borrower_id = last.subject_id AND t.tenant_id = b.tenant_id;

    -- Digests of the references and transfers of erased borrowers are made with it: another use of one is
    -- found. Made with the first of them, sealed by the stack's encryption keys, and never another.
    CREATE TABLE erasure_key (
      only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
      sealed   text NOT NULL
    );

    -- What was used once stays so: the service alters these tables in no other way. Folded references and
    -- transfers, each with its digest.
    CREATE FUNCTION digest_used(tenant text, borrower text, used text[], digests text[]) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO '$user', 'public' AS $$
    DECLARE
      own text[];
    BEGIN
      IF NOT EXISTS (SELECT FROM borrower_keys WHERE tenant_id = tenant AND borrower_id = borrower
          AND erased_at IS NOT NULL)
        OR EXISTS (SELECT FROM unnest(digests) AS digest WHERE digest !~ '^erased\\.[0-9a-f]{64}$') THEN
        RAISE EXCEPTION 'only what an erased borrower has used becomes a digest';
      END IF;
      SELECT coalesce(array_agg(r.repayment_id), '{}') INTO own
      FROM facilities f JOIN repayments r ON r.tenant_id = tenant AND r.facility_id = f.facility_id
      WHERE f.tenant_id = tenant AND f.borrower_id = borrower;
      UPDATE repayment_references SET reference = made.digest, folded = made.digest
      FROM unnest(used, digests) AS made (text, digest)
      WHERE tenant_id = tenant AND folded = made.text AND repayment_id = ANY (own);
      UPDATE transfer_claims SET transfer_id = made.digest
      FROM unnest(used, digests) AS made (text, digest)
      WHERE tenant_id = tenant AND transfer_id = made.text AND repayment_id = ANY (own);
      UPDATE confirmed_transfers SET transfer_id = made.digest
      FROM unnest(used, digests) AS made (text, digest)
      WHERE tenant_id = tenant AND transfer_id = made.text AND repayment_id = ANY (own);
      -- The provider's lists name payouts too.
      UPDATE listed_transfers SET returns = made.digest
      FROM unnest(used, digests) AS made (text, digest)
      WHERE tenant_id = tenant AND returns = made.text;
      UPDATE listed_transfers SET transfer_id = made.digest
      FROM unnest(used, digests) AS made (text, digest)
      WHERE tenant_id = tenant AND transfer_id = made.text;
    END $$;

    ALTER TABLE approvals ADD COLUMN borrower_id text;
    ALTER TABLE operator_actions ADD COLUMN borrower_id text,
      DROP CONSTRAINT operator_actions_number_check, ADD CHECK (number >= 0);
    -- Nobody acts until the end.
    SELECT FROM operator_trail FOR UPDATE;
  `)
    .execute(db)
  await sealRows(db, sealer, { table: 'operator_actions', key: 'number', after: -1 })
  await sealRows(db, sealer, { table: 'approvals', key: 'approval_id', after: '' })
  await sql
    .raw(`
    ALTER TABLE operator_actions ADD CONSTRAINT operator_actions_sealed
      CHECK (borrower_id IS NULL OR reason IS NULL OR reason LIKE 'person.%');
    ALTER TABLE approvals ADD CONSTRAINT approvals_sealed CHECK (borrower_id IS NULL
      OR reason LIKE 'person.%' AND coalesce(decision_reason, 'person.') LIKE 'person.%');

    DO $$
    DECLARE
      link bytea := decode(repeat('00', 32), 'hex');
      act record;
    BEGIN
      IF NOT EXISTS (SELECT FROM operator_actions) THEN
        RETURN;
      END IF;
      INSERT INTO operator_actions (number, actor, action, after, acted_at, previous_hash, hash)
      SELECT 0, 'os:migrate', 'migrate', jsonb_build_object('sealed', true,
        'former_last_number', last_number, 'former_last_hash', encode(last_hash, 'hex')),
        now(), link, link FROM operator_trail;
      FOR act IN SELECT number FROM operator_actions ORDER BY number LOOP
        UPDATE operator_actions a SET previous_hash = link, hash = operator_action_hash(link,
          jsonb_build_array(a.number, a.operator_id, a.actor, a.action, a.subject_kind,
            a.subject_id, a.tenant, a.reason, a.before, a.after, a.request_id,
            (extract(epoch FROM a.acted_at) * 1000000)::bigint))
        WHERE number = act.number RETURNING a.hash INTO link;
      END LOOP;
      UPDATE operator_trail SET last_hash = link;
    END $$;
  `)
    .execute(db)
}

type Page = { table: 'operator_actions' | 'approvals'; key: string; after: number | string }

type Row = Record<string, unknown> & {
  tenant: string
  borrower: string
  sealed_key: string | null
  has_key: boolean
}

const BATCH = 500

async function sealRows(db: Kysely<unknown>, sealer: Sealer | undefined, page: Page) {
  const columns =
    page.table === 'approvals'
      ? ['request', 'before', 'after', 'preview', 'reason', 'decision_reason']
      : ['before', 'after', 'reason']
  for (let after = page.after; ; ) {
    const { rows } = await readRows(db, { ...page, after })
    for (const row of rows) await sealRow(db, sealer, { page, columns, row })
    const last = rows.at(-1)
    if (!last || rows.length < BATCH) return
    after = last[page.key] as string
  }
}

/** Those about a borrower or something of it. */
function readRows(db: Kysely<unknown>, { table, key, after }: Page) {
  return sql<Row>`
    SELECT a.*, a.tenant, of_subject.borrower_id AS borrower, k.sealed_key,
      k.borrower_id IS NOT NULL AS has_key
    FROM ${sql.table(table)} a CROSS JOIN LATERAL (
      SELECT b.borrower_id FROM borrowers b WHERE b.tenant_id = a.tenant
        AND a.subject_kind = 'borrower' AND b.borrower_id = a.subject_id
      UNION ALL
      SELECT f.borrower_id FROM facilities f WHERE f.tenant_id = a.tenant
        AND f.facility_id = CASE a.subject_kind
          WHEN 'facility' THEN a.subject_id
          WHEN 'repayment' THEN (SELECT facility_id FROM repayments
            WHERE tenant_id = a.tenant AND repayment_id = a.subject_id)
          WHEN 'draw' THEN (SELECT facility_id FROM draws
            WHERE tenant_id = a.tenant AND draw_id = a.subject_id)
          WHEN 'refund' THEN (SELECT facility_id FROM refunds
            WHERE tenant_id = a.tenant AND refund_id = a.subject_id)
          WHEN 'break' THEN (SELECT facility_id FROM reconciliation_breaks
            WHERE tenant_id = a.tenant AND break_id = a.subject_id) END) of_subject
    LEFT JOIN borrower_keys k ON k.tenant_id = a.tenant AND k.borrower_id = of_subject.borrower_id
    WHERE a.${sql.ref(key)} > ${after} ORDER BY a.${sql.ref(key)} LIMIT ${sql.lit(BATCH)}`.execute(
    db,
  )
}

async function sealRow(
  db: Kysely<unknown>,
  sealer: Sealer | undefined,
  { page, columns, row }: { page: Page; columns: readonly string[]; row: Row },
): Promise<void> {
  if (!sealer) throw new Error('the record of operators is sealed with ENCRYPTION_KEYS: set them')
  const key = await keyOf(db, sealer, row)
  const changes = columns.flatMap((column) => {
    const value = row[column]
    if (value === null || value === undefined) return []
    const sealed =
      typeof value === 'string'
        ? sql`${key.seal(value, 'note')}`
        : sql`${JSON.stringify(sealMembers(value, key))}::jsonb`
    return [sql`${sql.ref(column)} = ${sealed}`]
  })
  await sql`UPDATE ${sql.table(page.table)} SET ${sql.join([
    sql`borrower_id = ${row.borrower}`,
    ...changes,
  ])} WHERE ${sql.ref(page.key)} = ${row[page.key]}`.execute(db)
}

async function keyOf(db: Kysely<unknown>, stack: Sealer, row: Row): Promise<TextKey> {
  const borrower: BorrowerRef = { tenantId: row.tenant, borrowerId: row.borrower }
  if (row.has_key) return openBorrowerKey(stack, borrower, row.sealed_key)
  const made = makeBorrowerKey(stack, borrower)
  const { rows } = await sql<{ sealed_key: string }>`
    INSERT INTO borrower_keys (tenant_id, borrower_id, sealed_key)
    VALUES (${borrower.tenantId}, ${borrower.borrowerId}, ${made})
    ON CONFLICT (tenant_id, borrower_id) DO UPDATE SET sealed_key = borrower_keys.sealed_key
    RETURNING sealed_key`.execute(db)
  return openBorrowerKey(stack, borrower, rows[0]?.sealed_key)
}

const PERSONAL = new Set(['reason', 'note', 'destination', 'transfer', 'item', 'reference'])

function sealMembers(value: unknown, key: TextKey): unknown {
  if (Array.isArray(value)) return value.map((item) => sealMembers(item, key))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([member, each]) => [
      member,
      typeof each === 'string' && PERSONAL.has(member)
        ? key.seal(each, 'note')
        : sealMembers(each, key),
    ]),
  )
}
