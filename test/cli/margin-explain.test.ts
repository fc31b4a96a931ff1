import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { houseForFile } from '../support/lending/houses.ts'
import { pass } from '../support/lending/lending.ts'
import { addBorrowed, holdPrice } from '../support/lending/margin.ts'
import { run } from './database-cli.ts'

const lending = houseForFile()
let facilityId: string
let env: Record<string, string>
beforeAll(async () => {
  env = { DATABASE_URL: lending.databaseUrl }
  facilityId = (await addBorrowed(lending)).id
  await holdPrice(lending, '68000')
  await holdPrice(lending, '64000')
  await pass(lending, 13 * 3_600_000)
})

const explain = (...rest: string[]) =>
  run(['margin', 'explain', ...rest, '--tenant', lending.tenantId], { env })

test('margin explain shows every decision with its inputs and computes it again', async () => {
  const { exitCode, out, error } = await explain(facilityId, '1')
  expect({ exitCode, error }).toEqual({ exitCode: 0, error: '' })
  expect(out.match(/^Decision \d+: \w+/gm)).toEqual([
    'Decision 1: raise',
    'Decision 2: worsen',
    'Decision 3: escalate',
  ])
  for (const text of ['debt_usd', 'value_high_usd', 'haircut', 'tier 2 > 0.75', '68000', '64000']) {
    expect(out.toLowerCase()).toContain(text)
  }
  const recorded = out.match(/^recorded +(.*)$/gm)?.map((line) => line.replace(/^recorded +/, ''))
  const again = out.match(/^recomputed +(.*)$/gm)?.map((line) => line.replace(/^recomputed +/, ''))
  expect(again).toEqual(recorded)
  const { decisions } = JSON.parse((await explain(facilityId, '1', '--json')).out)
  expect(decisions.map(({ kind }: { kind: string }) => kind)).toEqual([
    'raise',
    'worsen',
    'escalate',
  ])
})

test('margin explain reports a warning that does not exist in one sentence and exits with 1', async () => {
  for (const number of ['9', '0', 'x']) {
    const { exitCode, out, error } = await explain(facilityId, number)
    expect({ exitCode, out }).toEqual({ exitCode: 1, out: '' })
    expect(error).toContain('no such margin warning')
  }
})

test('a record that was tampered with does not reproduce its outcome, and margin explain exits with 1', async () => {
  await sql`
    UPDATE margin_decisions
    SET facts = jsonb_set(facts, '{positions,0,units}', '{"$int": "500000000"}')
    WHERE facility_id = ${facilityId} AND number = 1`.execute(lending.db)
  const { exitCode, out } = await explain(facilityId, '1')
  expect(exitCode).toBe(1)
  expect(out).toContain('nothing (DIFFERS)')
})
