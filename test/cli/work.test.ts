import { afterAll, beforeAll, expect, test } from 'vitest'
import { addMs, HOUR_MS } from '../../src/core/time.ts'
import { inTransaction } from '../../src/db/database.ts'
import { runWork } from '../../src/domain/work/run-work.ts'
import { requestWork } from '../../src/domain/work/work.ts'
import { claimDue } from '../support/deliveries/due-work.ts'
import { openTenant } from '../support/lending/onboarding.ts'
import { createTestDatabase, type TestDatabase } from '../support/stores/database.ts'
import { run } from './database-cli.ts'

const START = new Date('2026-11-20T10:00:00.000Z')
const TOPIC = 'push-floor'

let database: TestDatabase
let tenantId: string
let env: Record<string, string>
beforeAll(async () => {
  database = await createTestDatabase()
  env = { DATABASE_URL: database.url }
  tenantId = await openTenant(database.db)
  await fail('fac_stuck', 10)
  await fail('fac_failing', 9)
})
afterAll(() => database[Symbol.asyncDispose]())

/** Has work fail so many times in a row, once an hour. */
async function fail(subjectId: string, times: number): Promise<void> {
  const item = { tenantId, topic: TOPIC, subjectId } as const
  await inTransaction(database.db, (tx) => requestWork(tx, item, START))
  for (let hours = 0; hours < times; hours += 1) {
    const now = addMs(START, hours * HOUR_MS)
    const failing = runWork(
      database.db,
      item,
      () => now,
      async () => {
        throw new RangeError('the account of ada@example.com is not known')
      },
    )
    await expect(failing).rejects.toThrow('ada')
  }
}

test('work that has failed ten times is listed with its error, and work with fewer failures is not', async () => {
  const json = await run(['work', 'stuck', '--json'], { env })
  expect(json).toMatchObject({ exitCode: 0, error: '' })
  expect(JSON.parse(json.out).items).toEqual([
    {
      tenant_id: tenantId,
      topic: TOPIC,
      subject_id: 'fac_stuck',
      attempts: 10,
      failing_since: START.toISOString(),
      error: expect.stringMatching(/^RangeError at cli\/work\.test\.ts:\d+$/),
    },
  ])
  const text = await run(['work', 'stuck'], { env })
  expect(text.out).toMatch(/^TENANT +TOPIC +SUBJECT +ATTEMPTS +FAILING SINCE +ERROR\n/)
  expect(json.out + text.out).not.toContain('ada')
})

test('work can be listed and retried by topic, by tenant or by subject', async () => {
  const others = ['--topic', 'release-draw', '--json']
  expect(JSON.parse((await run(['work', 'stuck', ...others], { env })).out).items).toEqual([])
  const none = await run(['work', 'retry', ...others], { env })
  expect(JSON.parse(none.out)).toEqual({ retried: 0 })
  const misuse = await run(['work', 'stuck', '--topic', 'no-such-topic'], { env })
  expect(misuse).toMatchObject({ exitCode: 2, error: expect.stringContaining('The topics are') })
})

test('a retry makes dead-lettered work due at once, and by subject also work with fewer failures', async () => {
  const now = addMs(START, 9 * HOUR_MS + 1_000)
  const due = async () => {
    const claims = await claimDue(database.db, [TOPIC], now)
    return claims.map(({ subjectId }) => subjectId)
  }
  await database.db
    .updateTable('work')
    .set({ due_at: addMs(now, HOUR_MS) })
    .execute()
  expect(await due()).toEqual([])
  const all = await run(['work', 'retry', '--json'], { env, now })
  expect(JSON.parse(all.out)).toEqual({ retried: 1 })
  expect(await due()).toEqual(['fac_stuck'])
  const one = await run(['work', 'retry', '--subject', 'fac_failing', '--json'], { env, now })
  expect(JSON.parse(one.out)).toEqual({ retried: 1 })
  expect(await due()).toEqual(['fac_failing'])
})
