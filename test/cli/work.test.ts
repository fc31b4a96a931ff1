import { beforeAll, expect, test } from 'vitest'
import { addMs, HOUR_MS } from '../../src/core/time.ts'
import { inTransaction } from '../../src/db/database.ts'
import { runWork } from '../../src/domain/work/run-work.ts'
import { requestWork } from '../../src/domain/work/work.ts'
import { claimDue } from '../support/deliveries/due-work.ts'
import { openTenant } from '../support/lending/onboarding.ts'
import { databaseForFile } from '../support/stores/database.ts'
import { run } from './database-cli.ts'

const START = new Date('2026-11-20T10:00:00.000Z')
const TOPIC = 'push-floor'

const database = databaseForFile()
let tenantId: string
let env: Record<string, string>
beforeAll(async () => {
  env = { DATABASE_URL: database.url }
  tenantId = await openTenant(database.db)
  await fail('fac_stuck', 10)
  await fail('fac_failing', 9)
})

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

const read = async (command: string, now?: Date) => {
  const given = { env, ...(now && { now }) }
  return JSON.parse((await run([...command.split(' '), '--json'], given)).out)
}

test('work that has failed ten times is listed with its error, and no other, by topic too', async () => {
  const { items } = await read('work stuck')
  expect(items).toEqual([
    {
      ...{ tenant_id: tenantId, topic: TOPIC, subject_id: 'fac_stuck', attempts: 10 },
      failing_since: START.toISOString(),
      error: expect.stringMatching(/^RangeError at cli\/work\.test\.ts:\d+$/),
    },
  ])
  const text = await run(['work', 'stuck'], { env })
  expect(text.out).toMatch(/^TENANT +TOPIC +SUBJECT +ATTEMPTS +FAILING SINCE +ERROR\n/)
  expect(JSON.stringify(items) + text.out).not.toContain('ada')
  expect(await read('work stuck --topic release-draw')).toEqual({ items: [] })
  const misuse = await run(['work', 'stuck', '--topic', 'no-such-topic'], { env })
  expect(misuse).toMatchObject({
    exitCode: 2,
    error: expect.stringContaining('Allowed choices are'),
  })
})

test('a retry makes dead-lettered work due at once, and by subject also work with fewer failures', async () => {
  const now = addMs(START, 9 * HOUR_MS + 1_000)
  const due = async () => {
    const claims = await claimDue(database.db, [TOPIC], now)
    return claims.map(({ subjectId }) => subjectId)
  }
  const later = { due_at: addMs(now, HOUR_MS) }
  await database.db.updateTable('work').set(later).execute()
  for (const [command, made] of [
    ['work retry --topic release-draw', []],
    ['work retry', ['fac_stuck']],
    ['work retry --subject fac_failing', ['fac_failing']],
  ] as const) {
    expect(await read(command, now)).toEqual({ retried: made.length })
    expect(await due()).toEqual(made)
  }
})
