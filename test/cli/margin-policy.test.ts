import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addMs, DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/core/time.ts'
import { insertFacilities, setRounds } from '../support/lending/facility-rows.ts'
import { openTenant } from '../support/lending/onboarding.ts'
import { createTemporaryFolder } from '../support/process/temporary-folder.ts'
import { createTestDatabase, type TestDatabase } from '../support/stores/database.ts'
import { removeTenants } from '../support/stores/remove-tenants.ts'
import { createDatabaseCli } from './database-cli.ts'

const NOW = new Date('2026-11-20T12:00:00Z')
const DOLLAR = 10n ** 8n

type Proposal = { approval_id: string; status: string; preview: { sold: number } }
type Version = { version: number; state: string; signed_by: string; terms: { floor_ltv: string } }

const folder = createTemporaryFolder()
let database: TestDatabase
let cli: ReturnType<typeof createDatabaseCli>
beforeAll(async () => {
  database = await createTestDatabase()
  cli = createDatabaseCli(database.url)
  await sql`UPDATE stack SET name = 'live'`.execute(database.db)
  for (const name of ['ada', 'grace'])
    await read(`operators invite --email ${name}@lender.example --role risk`)
  await read('operators invite --email vera@lender.example --role viewer')
})
afterAll(async () => {
  folder[Symbol.dispose]()
  await database[Symbol.asyncDispose]()
})
beforeEach(async () => {
  const { db } = database
  await removeTenants(db)
  await db.deleteFrom('margin_policy_withdrawals').execute()
  await db.deleteFrom('margin_policy_versions').execute()
  await setRounds(db, NOW, [
    { agoMs: 0, prices: { BTC: 100_000n * DOLLAR, ETH: 4_000n * DOLLAR, USDC: DOLLAR } },
  ])
})

const env = { STACK: 'live' }
const read = <T>(command: string, now = NOW) => cli.read<T>(command, { env, now })
const fail = (command: string, now = NOW) => cli.fail(command, { env, now })
const versions = async (now = NOW) =>
  (await read<{ items: Version[] }>('margin policy list', now)).items

let files = 0
function write(terms: object): string {
  files += 1
  const file = join(folder.path, `${files}.json`)
  writeFileSync(file, JSON.stringify(terms))
  return file
}

const propose = (terms: object, from = addMs(NOW, DAY_MS), actor = 'ada') =>
  `margin policy propose ${write(terms)} --from ${from.toISOString()} --reason volatility --actor ${actor}@lender.example`
const confirm = (id: string) => `approvals confirm ${id} --actor grace@lender.example`

const HARSH = { haircuts: { BTC: '0.60' } }

test('a version is proposed by one and stored by another, with what it would sell', async () => {
  const tenantId = await openTenant(database.db, NOW)
  const owing = (cents: bigint) => ({
    positions: { BTC: 10n ** 8n },
    principalCents: cents,
    accruedAt: NOW,
  })
  await insertFacilities(database.db, tenantId, [owing(10_000_00n), owing(45_000_00n)])
  const { approval_id: id, preview } = await read<Proposal>(propose(HARSH))
  // 45,000.00 over 40,000.00 is above the critical line: half of the book.
  expect(preview).toMatchObject({ sold: 1, sold_debt_usd: '45000.00', relieved: 0 })
  expect(await versions()).toEqual([])
  const [waiting] = (await read<{ items: object[] }>('approvals list')).items
  expect(waiting).toMatchObject({
    action: 'margin_policy.set',
    subject: { kind: 'margin_policy_version', id: '1' },
    after: { haircuts: { BTC: '0.6' }, preview: { sold: 1 } },
  })
  await read(confirm(id))
  expect(await versions()).toMatchObject([
    {
      version: 1,
      state: 'scheduled',
      proposed_by: 'ada@lender.example',
      signed_by: 'grace@lender.example',
    },
  ])
  expect(await versions(addMs(NOW, DAY_MS))).toMatchObject([{ state: 'in_force' }])
  const { items } = await read<{ items: object[] }>('operators actions --subject 1')
  expect(items.slice(0, 2)).toMatchObject([
    { action: 'margin_policy.set', actor: 'grace@lender.example' },
    { action: 'approvals.confirm' },
  ])
})

test('what a version leaves out is as in the version before, and shows whole', async () => {
  const first = await read<Proposal>(propose(HARSH))
  await read(confirm(first.approval_id))
  const second = await read<Proposal>(propose({ floor_ltv: '0.69' }, addMs(NOW, 2 * DAY_MS)))
  await read(confirm(second.approval_id))
  const shown = await read<Version>('margin policy show 2')
  expect(shown.terms).toMatchObject({ floor_ltv: '0.69', haircuts: { BTC: '0.6', ETH: '0.05' } })
  const own = await read<Version>('margin policy show 0')
  expect(own.terms).toMatchObject({ floor_ltv: '0.7', haircuts: { BTC: '0.03' } })
})

test('stress and preview start from the version in force', async () => {
  const tenantId = await openTenant(database.db, NOW)
  const borrowed = { positions: { BTC: 10n ** 8n }, principalCents: 45_000_00n, accruedAt: NOW }
  await insertFacilities(database.db, tenantId, [borrowed])
  const { approval_id: id } = await read<Proposal>(propose(HARSH, addMs(NOW, HOUR_MS)))
  await read(confirm(id))
  const stress = (now: Date) =>
    read<{ total: { escalated_as_critical: number } }>('margin stress --prices BTC=100000', now)
  expect((await stress(NOW)).total.escalated_as_critical).toBe(0)
  expect((await stress(addMs(NOW, HOUR_MS))).total.escalated_as_critical).toBe(1)
  await setRounds(database.db, addMs(NOW, HOUR_MS), [
    { agoMs: 0, prices: { BTC: 100_000n * DOLLAR, ETH: 4_000n * DOLLAR, USDC: DOLLAR } },
  ])
  const preview = await read<{ total: { relieved: number } }>(
    `margin policy preview ${write({ haircuts: { BTC: '0.03' } })}`,
    addMs(NOW, HOUR_MS),
  )
  expect(preview.total).toMatchObject({ sold: 0, relieved: 1 })
})

test('a proposal whose instant has come too near is not confirmed', async () => {
  const { approval_id: id } = await read<Proposal>(propose(HARSH, addMs(NOW, HOUR_MS)))
  const late = await fail(confirm(id), addMs(NOW, HOUR_MS - 15 * MINUTE_MS + 1))
  expect(late).toMatchObject({ code: 'validation_failed' })
  expect(late.message).toContain('15 minutes')
  expect(await versions()).toEqual([])
})

test('a proposal is not confirmed once another version has been stored', async () => {
  const first = await read<Proposal>(propose(HARSH))
  const second = await read<Proposal>(propose({ floor_ltv: '0.69' }, addMs(NOW, 2 * DAY_MS)))
  await read(confirm(first.approval_id))
  expect(await fail(confirm(second.approval_id))).toMatchObject({ code: 'approval_not_open' })
  expect(await versions()).toHaveLength(1)
})

test('a version is withdrawn by two, while it is not in force', async () => {
  const { approval_id: id } = await read<Proposal>(propose(HARSH))
  await read(confirm(id))
  const withdraw = 'margin policy withdraw 1 --reason mistake --actor ada@lender.example'
  const proposal = await read<Proposal>(withdraw)
  expect(await versions()).toMatchObject([{ state: 'scheduled' }])
  await read(confirm(proposal.approval_id))
  expect(await versions()).toMatchObject([
    {
      state: 'withdrawn',
      withdrawal_note: 'mistake',
      withdrawal_signed_by: 'grace@lender.example',
    },
  ])
  expect((await versions(addMs(NOW, 2 * DAY_MS)))[0]?.state).toBe('withdrawn')
  expect(await fail(withdraw)).toMatchObject({ code: 'validation_failed' })
})

test.each([
  ['a viewer', propose(HARSH, addMs(NOW, DAY_MS), 'vera'), 'scope_missing'],
  ['lines out of order', propose({ floor_ltv: '0.90' }), 'validation_failed'],
  ['an instant in the past', propose({}, addMs(NOW, -DAY_MS)), 'validation_failed'],
  [
    'no operator',
    `margin policy propose ${write({})} --from 2026-12-01T00:00:00Z --reason x`,
    'scope_missing',
  ],
  [
    'no reason',
    `margin policy propose ${write({})} --from 2026-12-01T00:00:00Z --actor ada@lender.example`,
    'validation_failed',
  ],
  [
    'a version that is not there',
    'margin policy withdraw 9 --reason x --actor ada@lender.example',
    'not_found',
  ],
  ['a version to show that is not there', 'margin policy show 9', 'not_found'],
])(
  'a change of the margin policy with %s is refused and writes nothing',
  async (_name, command, code) => {
    expect(await fail(command)).toMatchObject({ code })
    expect(await versions()).toEqual([])
  },
)
