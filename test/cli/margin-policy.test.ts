import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addMs, DAY_MS, HOUR_MS } from '../../src/core/time.ts'
import { insertFacilities, setRounds } from '../support/lending/facility-rows.ts'
import { openTenant } from '../support/lending/onboarding.ts'
import { createTemporaryFolder } from '../support/process/temporary-folder.ts'
import { removeTenants } from '../support/stores/remove-tenants.ts'
import { databaseCliForFile } from './database-cli.ts'

const NOW = new Date('2026-11-20T12:00:00Z')
const BTC = 10n ** 8n
const PRICES = { BTC: 100_000n * BTC, ETH: 4_000n * BTC, USDC: BTC }

type Proposal = { approval_id: string; preview: object }
type Version = { version: number; state: string; terms: object }

const folder = createTemporaryFolder()
const { database, cli } = databaseCliForFile()
beforeAll(async () => {
  await sql`UPDATE stack SET name = 'live'`.execute(database.db)
  for (const name of ['ada', 'grace'])
    await read(`operators invite --email ${name}@lender.example --role risk`)
})
afterAll(() => folder[Symbol.dispose]())
beforeEach(async () => {
  const { db } = database
  await removeTenants(db)
  await db.deleteFrom('margin_policy_withdrawals').execute()
  await db.deleteFrom('margin_policy_versions').execute()
  await setRounds(db, NOW, [{ agoMs: 0, prices: PRICES }])
  const owing = (principalCents: bigint) => ({
    ...{ positions: { BTC }, principalCents, accruedAt: NOW },
  })
  const tenantId = await openTenant(db, NOW)
  await insertFacilities(db, tenantId, [owing(10_000_00n), owing(45_000_00n)])
})

const env = { STACK: 'live' }
const read = <T>(command: string, now = NOW) => cli.read<T>(command, { env, now })
const versions = async (now = NOW) =>
  (await read<{ items: Version[] }>('margin policy list', now)).items

let files = 0
function write(terms: object): string {
  files += 1
  const file = join(folder.path, `${files}.json`)
  writeFileSync(file, JSON.stringify(terms))
  return file
}

const as = (name: string) => `--actor ${name}@lender.example`
const propose = (terms: object, from: Date) =>
  `margin policy propose ${write(terms)} --from ${from.toISOString()} --reason volatility ${as('ada')}`
const confirm = async (proposal: Proposal) => {
  await read(`approvals confirm ${proposal.approval_id} ${as('grace')}`)
}

const HARSH = { haircuts: { BTC: '0.60' } }

test('a version is proposed with what it would sell, stored by another, shown whole and withdrawn', async () => {
  const first = await read<Proposal>(propose(HARSH, addMs(NOW, DAY_MS)))
  // 45,000.00 over 40,000.00 is above the critical line: half of the book.
  expect(first.preview).toMatchObject({ sold: 1, sold_debt_usd: '45000.00', relieved: 0 })
  expect(await versions()).toEqual([])
  expect(await read('approvals list')).toMatchObject({
    items: [
      { action: 'margin_policy.set', after: { haircuts: { BTC: '0.6' }, preview: { sold: 1 } } },
    ],
  })
  await confirm(first)
  const signed = { proposed_by: 'ada@lender.example', signed_by: 'grace@lender.example' }
  expect(await versions()).toMatchObject([{ version: 1, state: 'scheduled', ...signed }])
  expect(await versions(addMs(NOW, DAY_MS))).toMatchObject([{ state: 'in_force' }])

  // What a version leaves out is as in the version before.
  await confirm(await read<Proposal>(propose({ floor_ltv: '0.69' }, addMs(NOW, 2 * DAY_MS))))
  const show = async (number: number) => (await read<Version>(`margin policy show ${number}`)).terms
  expect(await show(2)).toMatchObject({ floor_ltv: '0.69', haircuts: { BTC: '0.6', ETH: '0.05' } })
  expect(await show(0)).toMatchObject({ floor_ltv: '0.7', haircuts: { BTC: '0.03' } })

  // What it drops is not named, and does not come back by the service's own terms.
  const dropped = { haircuts: { ETH: null } }
  await confirm(await read<Proposal>(propose(dropped, addMs(NOW, 3 * DAY_MS))))
  expect(await show(3)).toMatchObject({ haircuts: { BTC: '0.6' } })
  expect(await show(3)).not.toHaveProperty('haircuts.ETH')
  await confirm(await read<Proposal>(`margin policy withdraw 3 --reason mistake ${as('ada')}`))

  await confirm(await read<Proposal>(`margin policy withdraw 2 --reason mistake ${as('ada')}`))
  const withdrawn = { withdrawal_note: 'mistake', withdrawal_signed_by: 'grace@lender.example' }
  expect((await versions())[1]).toMatchObject({ state: 'withdrawn', ...withdrawn })
})

test('stress and preview start from the version in force', async () => {
  const later = addMs(NOW, HOUR_MS)
  await confirm(await read<Proposal>(propose(HARSH, later)))
  const stress = async (now: Date) =>
    (await read<{ total: object }>('margin stress --prices BTC=100000', now)).total
  expect(await stress(NOW)).toMatchObject({ escalated_as_critical: 0 })
  expect(await stress(later)).toMatchObject({ escalated_as_critical: 1 })
  await setRounds(database.db, later, [{ agoMs: 0, prices: PRICES }])
  const milder = write({ haircuts: { BTC: '0.03' } })
  const preview = await read<{ total: object }>(`margin policy preview ${milder}`, later)
  expect(preview.total).toMatchObject({ sold: 0, relieved: 1 })

  // As if all were bound to a stored version: the one in force, or that before it.
  const inForce = await read<{ total: object }>('margin policy preview --policy-version 1', later)
  expect(inForce.total).toMatchObject({ sold: 0, relieved: 0 })
  const before = await read<{ total: object }>('margin policy preview --policy-version 0', later)
  expect(before.total).toMatchObject({ sold: 0, relieved: 1 })
  const stressed = 'margin stress --prices BTC=100000 --policy-version 1'
  expect((await read<{ total: object }>(stressed)).total).toMatchObject({
    escalated_as_critical: 1,
  })
})

test.each([
  ['lines out of order', propose({ floor_ltv: '0.90' }, addMs(NOW, DAY_MS)), 'validation_failed'],
  ['no operator', propose({}, addMs(NOW, DAY_MS)).replace(as('ada'), ''), 'scope_missing'],
  [
    'a version that is not there',
    'margin policy withdraw 9 --reason x --actor ada@lender.example',
    'not_found',
  ],
  ['a version to show that is not there', 'margin policy show 9', 'not_found'],
  [
    'a version to preview that is not there',
    'margin policy preview --policy-version 9',
    'not_found',
  ],
])('%s is refused and writes nothing', async (_name, command, code) => {
  expect(await cli.fail(command.trim(), { env, now: NOW })).toMatchObject({ code })
  expect(await versions()).toEqual([])
})
