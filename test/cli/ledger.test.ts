import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { houseForFile } from '../support/lending/houses.ts'
import { addDrawnFacility, usd } from '../support/lending/lending.ts'
import { run } from './database-cli.ts'

const lending = houseForFile()
let env: Record<string, string>
beforeAll(async () => {
  env = { DATABASE_URL: lending.databaseUrl }
})

test('ledger verify reports books that agree in one sentence and exits with 0', async () => {
  await addDrawnFacility(lending, usd(1_000_00n))
  expect(await run(['ledger', 'check'], { env })).toEqual({
    exitCode: 0,
    out: 'No disagreement.\n',
    error: '',
  })
  const json = await run(['ledger', 'check', '--json'], { env })
  expect(json.exitCode).toBe(0)
  expect(JSON.parse(json.out)).toEqual({ items: [] })
})

test('ledger verify prints each disagreement and exits with 1', async () => {
  const { id } = await addDrawnFacility(lending, usd(1_000_00n))
  await sql`UPDATE facilities SET refund_due_cents = 7 WHERE facility_id = ${id}`.execute(
    lending.db,
  )
  const json = await run(['ledger', 'check', '--json'], { env })
  expect(json).toMatchObject({ exitCode: 1, error: '' })
  const named = { facility_id: id, external_id: null }
  const where = { tenant_id: lending.tenantId, ...named, asset: 'USD' }
  expect(JSON.parse(json.out).items).toEqual([
    { ...where, balance: 'refund due', stored: '7', recomputed: '0' },
    { ...where, balance: 'refunds under way', stored: '7', recomputed: '0' },
  ])
  const text = await run(['ledger', 'check'], { env })
  expect(text).toMatchObject({ exitCode: 1, error: '' })
  expect(text.out).toContain(id)
})
