import pg from 'pg'
import { retryForLocks } from '../run-migrations.ts'
import { listTenantTables } from './tables.ts'

/** Writers of all tenants queue behind each wait. */
const LOCK_MS = 300

const PATIENCE = { attempts: 40, pauseMs: 100 }

/** Answers that go on while a tenant leaves are logged; the log of that time stays behind. */
const NOT_HELD = new Set(['request_log'])

/** The worker's claims and results, which end without effect and are made again in the other cell;
 * and traces of use. */
const PASSED_OVER: Readonly<Record<string, string>> = {
  work: '*',
  deliveries: '*',
  webhook_dues: '*',
  webhooks: 'consecutive_failed_attempts',
  api_keys: 'last_used_at',
  console_sessions: 'seen_at',
}

const CLAIMED = new Set(['work', 'deliveries'])

type Held = { claims: readonly string[]; all: readonly string[] }

/** Makes the triggers of every tenant's table fit the tenants that are away. To make one waits for all
 * that is writing the table, and what writes it later meets the trigger: so after this no
 * transaction that may still commit has written a row of a tenant that is held. */
export async function syncFence(client: pg.ClientBase): Promise<void> {
  for (const { name } of await listTenantTables(client)) {
    if (NOT_HELD.has(name)) continue
    await retryForLocks(
      `the fence of ${name}`,
      () => inLimitedTransaction(client, () => fenceTable(client, name)),
      PATIENCE,
    )
  }
}

async function fenceTable(client: pg.ClientBase, table: string): Promise<void> {
  const held = await selectHeld(client)
  const name = pg.escapeIdentifier(table)
  const passedOver = pg.escapeLiteral(PASSED_OVER[table] ?? '')
  await setTrigger(client, {
    ...{ trigger: 'hold_tenant', name, tenants: held.all, row: 'NEW' },
    ...{ event: 'INSERT OR UPDATE', args: `'all', ${passedOver}` },
  })
  await setTrigger(client, {
    ...{ trigger: 'hold_tenant_deletes', name, tenants: held.all, row: 'OLD' },
    ...{ event: 'DELETE', args: `'all', ''` },
  })
  if (!CLAIMED.has(table)) return
  await setTrigger(client, {
    ...{ trigger: 'hold_tenant_claims', name, tenants: held.claims, row: 'NEW' },
    ...{ event: 'UPDATE', args: `'claims', ''` },
  })
}

type Trigger = {
  trigger: string
  name: string
  tenants: readonly string[]
  row: 'NEW' | 'OLD'
  event: string
  args: string
}

async function setTrigger(client: pg.ClientBase, given: Trigger): Promise<void> {
  const { trigger, name, tenants, row, event, args } = given
  if (tenants.length === 0) {
    const { rows } = await client.query(
      'SELECT FROM pg_trigger WHERE tgrelid = $1::regclass AND tgname = $2',
      [name, trigger],
    )
    if (rows.length > 0) await client.query(`DROP TRIGGER ${trigger} ON ${name}`)
    return
  }
  const list = tenants.map((id) => pg.escapeLiteral(id)).join(', ')
  await client.query(`CREATE OR REPLACE TRIGGER ${trigger} BEFORE ${event} ON ${name} FOR EACH ROW
    WHEN (${row}.tenant_id IN (${list})) EXECUTE FUNCTION hold_tenant(${args})`)
}

async function selectHeld(client: pg.ClientBase): Promise<Held> {
  const { rows } = await client.query<{ tenant_id: string; is_held: boolean }>(`
    SELECT t.tenant_id, t.move = 'gone' OR m.held_at IS NOT NULL AS is_held
    FROM tenants t
    LEFT JOIN tenant_moves m ON m.tenant_id = t.tenant_id AND m.ended_at IS NULL
    WHERE t.move IN ('leaving', 'gone') ORDER BY 1`)
  const ids = (isHeld: boolean) =>
    rows.filter(({ is_held: held }) => held === isHeld).map(({ tenant_id: id }) => id)
  return { claims: ids(false), all: ids(true) }
}

export async function inLimitedTransaction(
  client: pg.ClientBase,
  run: () => Promise<void>,
): Promise<void> {
  await client.query(`BEGIN; SET LOCAL lock_timeout = ${LOCK_MS}`)
  try {
    await run()
    await client.query('COMMIT')
  } catch (error) {
    await client.query('ROLLBACK')
    throw error
  }
}
